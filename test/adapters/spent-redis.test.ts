import { createClient } from '@redis/client';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createSpentRedis, type SpentRedisOptions } from '../../src/adapters/spent-redis.js';
import type { SpentTokens } from '../../src/engine/state.js';
import { describeWith } from '../support/programs.js';
import { type RedisServer, startRedis } from '../support/redis.js';
import { gate } from '../support/upstream.js';

/** Longer than a busy machine takes for an answer: what is no test of lateness must not be one. */
const PATIENCE_MS = 30_000;

describeWith(['redis-server', 'valkey-server'], 'used tokens in Redis', (program) => {
  let server: RedisServer;
  const open: SpentTokens[] = [];

  beforeAll(async () => {
    server = await startRedis(program);
  });
  afterEach(async () => {
    for (const spent of open.splice(0)) await spent.close();
  });
  afterAll(() => server?.stop());

  function connect(options: Partial<SpentRedisOptions> = {}): SpentTokens {
    const spent = createSpentRedis({ url: server.url, timeoutMs: PATIENCE_MS, ...options });
    open.push(spent);
    return spent;
  }

  let marks = 0;
  /** Resolves once the server has answered, however late, what this one had asked before. */
  async function settled(spent: SpentTokens): Promise<void> {
    for (let answered = false; !answered; marks += 1)
      answered = await spent.spend(`mark-${marks}`, 60_000).catch(() => false);
  }

  it('are used once, whichever process asks', async () => {
    const [one, other] = [connect(), connect()];
    expect(await one.spend('a', 60_000)).toBe(true);
    expect(await one.spend('a', 60_000)).toBe(false);
    expect(await other.spend('a', 60_000)).toBe(false);
    expect(await other.spend('b', 60_000)).toBe(true);
  });

  it('are used once by however many at the same time', async () => {
    const all = [connect(), connect(), connect()];
    const uses = await Promise.all(
      Array.from({ length: 60 }, (_, index) => all[index % 3]?.spend('race', 60_000)),
    );
    expect(uses.filter(Boolean)).toHaveLength(1);
  });

  it('are forgotten by the server itself, and their names tell whose they are', async () => {
    await connect().spend('ttl', 60_000);
    const client = await createClient({ url: server.url }).connect();
    const left = await client.pTTL('mrtr-gateway:used:ttl');
    client.destroy();
    expect(left).toBeGreaterThan(50_000);
    expect(left).toBeLessThanOrEqual(60_000);
  });

  it('takes a lifetime of any length for one', async () => {
    expect(await connect().spend('short', 0.2)).toBe(true);
  });

  it('cannot be found out while the server does not answer', async () => {
    const spent = connect({ timeoutMs: 100 });
    await settled(spent);
    server.pause();
    try {
      await expect(spent.spend('paused', 60_000)).rejects.toThrow('in time');
    } finally {
      server.resume();
    }
  });

  it('are not used by what was found out too late, where that was refused', async () => {
    const spent = connect({ timeoutMs: 100 });
    const other = connect();
    await settled(spent);
    await other.spend('used', 60_000);
    server.pause();
    const late = ['refused', 'allowed', 'used'].map((serial) =>
      expect(spent.spend(serial, 60_000, { undoLate: serial !== 'allowed' })).rejects.toThrow('in time'),
    );
    try {
      await Promise.all(late);
    } finally {
      server.resume();
    }
    // Answers come in the order of questions: after the first, the late ones were there, and after the second what undoes them.
    await settled(spent);
    await settled(spent);
    expect(await other.spend('refused', 60_000)).toBe(true);
    expect(await other.spend('allowed', 60_000)).toBe(false);
    expect(await other.spend('used', 60_000)).toBe(false);
  });

  it('cannot be found out while the server is away, and can when it is back', async () => {
    const [lost, back] = [gate(), gate()];
    let connected = 0;
    const spent = connect({
      onLost: () => lost.open(),
      onReady: () => {
        connected += 1;
        if (connected === 2) back.open();
      },
    });
    expect(await spent.spend('c', 60_000)).toBe(true);
    await server.stop();
    await lost.opened;
    await expect(spent.spend('d', 60_000)).rejects.toThrow();
    await server.start();
    await back.opened;
    expect(await spent.spend('d', 60_000)).toBe(true);
    expect(await spent.spend('d', 60_000)).toBe(false);
  });

  it('cannot be found out where there is no server', async () => {
    const told = gate<unknown>();
    const spent = connect({ url: 'redis://127.0.0.1:1', timeoutMs: 200, onLost: told.open });
    await expect(spent.spend('a', 60_000)).rejects.toThrow();
    expect(await told.opened).toBeInstanceOf(Error);
  });
});
