/** Used tokens, remembered by one process for itself. */
import type { SpentTokens } from '../engine/state.js';

export interface SpentMemoryOptions {
  /** Most tokens that are remembered. When they are reached it cannot be found out whether further ones were used. */
  readonly max?: number;
  readonly clock?: () => number;
}

const MAX = 262_144;
const SWEEP_MS = 1_000;

export function createSpentMemory({ max = MAX, clock = Date.now }: SpentMemoryOptions = {}): SpentTokens {
  /** When each may be forgotten, in the order of use. */
  const until = new Map<string, number>();
  const began = clock();
  let sweptAt = Number.NEGATIVE_INFINITY;

  /** Mostly the oldest are the first to go; where lifetimes differ, a look at all of them now and then finds the others. */
  function forget(now: number): void {
    for (const [serial, end] of until) {
      if (end > now) break;
      until.delete(serial);
    }
    if (until.size < max || now < sweptAt + SWEEP_MS) return;
    sweptAt = now;
    for (const [serial, end] of until) if (end <= now) until.delete(serial);
  }

  return {
    spend: async (serial, forMs, { issuedAt = began } = {}) => {
      const now = clock();
      // A process before this one, with the same keys, may have seen it used.
      if (issuedAt < began) throw new Error('the token is older than what is remembered');
      forget(now);
      const known = until.get(serial);
      if (known !== undefined && known > now) return false;
      if (until.size >= max) throw new Error('too many used tokens are remembered already');
      until.delete(serial);
      until.set(serial, now + forMs);
      return true;
    },
    close: async () => until.clear(),
  };
}
