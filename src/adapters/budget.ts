import type { Observer } from '../engine/observer.js';

/** Bytes that one exchange holds for judging, drawn from what all exchanges together may hold. */
export class Budget {
  #held = 0;

  constructor(readonly pool: BudgetPool) {}

  /** False: the pool is empty, nothing was taken. */
  take(bytes: number): boolean {
    if (!this.pool.take(bytes)) return false;
    this.#held += bytes;
    return true;
  }

  give(bytes: number): void {
    const given = Math.min(bytes, this.#held);
    this.#held -= given;
    this.pool.give(given);
  }

  giveAll(): void {
    this.give(this.#held);
  }
}

export class BudgetPool {
  #held = 0;

  constructor(
    public limit: number,
    readonly observer: Observer,
  ) {}

  take(bytes: number): boolean {
    if (this.#held + bytes > this.limit) {
      this.observer.limitRejected('bufferedBytes');
      return false;
    }
    this.#held += bytes;
    this.observer.buffered(bytes);
    return true;
  }

  give(bytes: number): void {
    this.#held -= bytes;
    this.observer.buffered(-bytes);
  }
}
