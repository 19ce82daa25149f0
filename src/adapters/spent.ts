/** Where used states are remembered, whatever configuration is in force. */
import type { GatewayPlan } from '../engine/plan.js';
import type { SpentTokens } from '../engine/state.js';
import { createSpentMemory } from './spent-memory.js';

/** Told of what an operator has to know about. */
export type Notify = (message: string, error?: unknown) => void;

export class SpentStores {
  readonly #memory = createSpentMemory();
  readonly #notify: Notify;
  #redis: { readonly url: string; readonly store: Promise<SpentTokens> } | undefined;

  constructor(notify: Notify) {
    this.#notify = notify;
  }

  /** The store that the plan names; one that it no longer names is closed. Connects before it is needed. */
  open(plan: GatewayPlan): Promise<SpentTokens> {
    const needed = plan.routes.some(({ policy }) => policy.seal?.singleUse);
    const url = needed ? plan.seal.redis : undefined;
    if (this.#redis !== undefined && this.#redis.url !== url) void this.close();
    if (url === undefined) return Promise.resolve(this.#memory);
    this.#redis ??= { url, store: this.#connect(url) };
    return this.#redis.store;
  }

  async close(): Promise<void> {
    const redis = this.#redis;
    this.#redis = undefined;
    await (await redis?.store)?.close();
  }

  async #connect(url: string): Promise<SpentTokens> {
    const { createSpentRedis } = await import('./spent-redis.js');
    const notify = this.#notify;
    return createSpentRedis({
      url,
      onLost: (error) => notify('the store of used states is lost', error),
      onReady: () => notify('the store of used states is connected'),
    });
  }
}
