import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Turns } from '../../src/adapters/turns.js';

const LONG = 65_537;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** Reads that say when they are done, and how long they took. */
function reader() {
  const read: string[] = [];
  const take = (id: string, ms: number) => () => {
    vi.setSystemTime(Date.now() + ms);
    now += ms;
    read.push(id);
    return id;
  };
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  return { read, take };
}

describe('long reading', () => {
  it('is done at once, and what it says comes back at once', () => {
    const turns = new Turns();
    const { take } = reader();
    expect(turns.take(LONG, take('a', 500))).toBe('a');
  });

  it('lets others have their turn after it, one after the other', async () => {
    const turns = new Turns();
    const { read, take } = reader();
    turns.take(LONG, take('a', 500));
    const later = [
      turns.take(LONG, take('b', 500)),
      turns.take(LONG, take('c', 1)),
      turns.take(LONG, take('d', 500)),
    ];
    expect(read).toEqual(['a']);
    expect(turns.take(100, take('small', 0))).toBe('small');
    vi.advanceTimersByTime(10);
    expect(read).toEqual(['a', 'small', 'b']);
    vi.advanceTimersByTime(10);
    expect(read).toEqual(['a', 'small', 'b', 'c', 'd']);
    expect(await Promise.all(later)).toEqual(['b', 'c', 'd']);
    vi.advanceTimersByTime(10);
    expect(turns.take(LONG, take('e', 500))).toBe('e');
  });

  it('makes nobody wait that takes no time', () => {
    const turns = new Turns();
    const { take } = reader();
    for (const id of ['a', 'b', 'c']) expect(turns.take(LONG, take(id, 9))).toBe(id);
  });

  it('that fails holds up nobody', async () => {
    const turns = new Turns();
    const { take } = reader();
    const fails = () => {
      take('x', 500)();
      throw new Error('no');
    };
    expect(() => turns.take(LONG, fails)).toThrow('no');
    const second = turns.take(LONG, fails);
    const third = turns.take(LONG, take('third', 1));
    vi.advanceTimersByTime(20);
    await expect(second).rejects.toThrow('no');
    expect(await third).toBe('third');
  });
});
