import { describe, expect, it } from 'vitest';
import { createSpentMemory } from '../../src/adapters/spent-memory.js';

function memory(max?: number) {
  const clock = { now: 1_000_000 };
  const spent = createSpentMemory({ clock: () => clock.now, ...(max !== undefined && { max }) });
  return { spent, clock };
}

describe('used tokens in memory', () => {
  it('are used once', async () => {
    const { spent } = memory();
    expect(await spent.spend('a', 1000)).toBe(true);
    expect(await spent.spend('a', 1000)).toBe(false);
    expect(await spent.spend('b', 1000)).toBe(true);
  });

  it('are used once by however many at the same time', async () => {
    const { spent } = memory();
    const uses = await Promise.all(Array.from({ length: 50 }, () => spent.spend('a', 1000)));
    expect(uses.filter(Boolean)).toHaveLength(1);
  });

  it('are remembered as long as asked, in whatever order they end', async () => {
    const { spent, clock } = memory();
    await spent.spend('long', 10_000);
    await spent.spend('short', 1_000);
    clock.now += 9_999;
    expect(await spent.spend('long', 1)).toBe(false);
    clock.now += 1;
    expect(await spent.spend('long', 1)).toBe(true);
    expect(await spent.spend('short', 1)).toBe(true);
  });

  it('take bounded memory: over the bound nothing is known of further tokens', async () => {
    const { spent, clock } = memory(2);
    await spent.spend('long', 60_000);
    await spent.spend('short', 1_000);
    await expect(spent.spend('third', 1_000)).rejects.toThrow('too many');
    expect(await spent.spend('short', 1_000)).toBe(false);
    clock.now += 1_000;
    expect(await spent.spend('third', 1_000)).toBe(true);
    expect(await spent.spend('long', 1_000)).toBe(false);
    await expect(spent.spend('fourth', 1_000)).rejects.toThrow('too many');
  });

  it('are not told of tokens that were issued before anything was remembered', async () => {
    const { spent } = memory();
    await expect(spent.spend('a', 1000, { issuedAt: 999_999 })).rejects.toThrow('older');
    expect(await spent.spend('b', 1000, { issuedAt: 1_000_000 })).toBe(true);
  });

  it('are forgotten when it is closed', async () => {
    const { spent } = memory();
    await spent.spend('a', 1000);
    await spent.close();
    expect(await spent.spend('a', 1000)).toBe(true);
  });
});
