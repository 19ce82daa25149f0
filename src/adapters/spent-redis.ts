/** Used tokens in Redis or Valkey, for gateways that run side by side. */
import { randomUUID } from 'node:crypto';
import { createClient } from '@redis/client';
import type { SpentTokens } from '../engine/state.js';

export interface SpentRedisOptions {
  /** `redis://` or `rediss://`, with name, password and database where they are needed. */
  readonly url: string;
  readonly timeoutMs?: number;
  /** Told once when it is lost, and once when it is back. */
  readonly onLost?: (error: unknown) => void;
  readonly onReady?: () => void;
}

const PREFIX = 'mrtr-gateway:used:';
const TIMEOUT_MS = 1_000;
const MAX_RETRY_MS = 2_000;
/** Takes back a use, and nobody else's. */
const UNDO = "return redis.call('get', KEYS[1]) == ARGV[1] and redis.call('del', KEYS[1])";
/** A server that hangs must not gather commands for as long as it does. */
const MAX_WAITING = 10_000;

/** Connects in the background, and again whenever the connection is lost. */
export function createSpentRedis({
  url,
  timeoutMs = TIMEOUT_MS,
  onLost = () => {},
  onReady = () => {},
}: SpentRedisOptions): SpentTokens {
  const client = createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    commandsQueueMaxLength: MAX_WAITING,
    socket: {
      connectTimeout: timeoutMs,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** Math.min(retries, 10), MAX_RETRY_MS),
    },
  });
  let lost = false;
  client.on('error', (error) => {
    if (!lost) onLost(error);
    lost = true;
  });
  client.on('ready', () => {
    lost = false;
    onReady();
  });
  /** Requests that come before the first connection wait for it a little; later a lost one is not waited for. */
  let connecting: Promise<unknown> | undefined = client.connect().catch(() => undefined);
  void connecting.then(() => {
    connecting = undefined;
  });
  return {
    spend: async (serial, forMs, { undoLate = false } = {}) => {
      if (!client.isReady && !lost && connecting !== undefined) await within(timeoutMs, connecting);
      const key = PREFIX + serial;
      const use = randomUUID();
      const expiration = { type: 'PX', value: Math.max(1, Math.ceil(forMs)) } as const;
      const set = client.set(key, use, { condition: 'NX', expiration }).then((reply) => reply === 'OK');
      try {
        return await within(timeoutMs, set);
      } catch (error) {
        if (undoLate)
          void set
            .then((used) => used && client.eval(UNDO, { keys: [key], arguments: [use] }))
            .catch(() => {});
        throw error;
      }
    },
    close: async () => client.destroy(),
  };
}

function within<T>(timeoutMs: number, wanted: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the store of used tokens did not answer in time')), timeoutMs);
  });
  wanted.catch(() => {});
  return Promise.race([wanted, late]).finally(() => clearTimeout(timer));
}
