import type { Exchange } from '../engine/exchange.js';
import { forget } from '../engine/forget.js';
import type { Observer } from '../engine/observer.js';
import { METHOD_LISTEN } from '../protocol/constants.js';
import type { Reading } from '../protocol/reading.js';
import { LONG_BYTES, type Room } from '../protocol/weight.js';
import { Turns } from './turns.js';

export const OVER_BUDGET = 'the gateway holds too many bytes at once';

/** What one exchange holds for judging, bytes and what is read of them, drawn from what all exchanges together may hold. */
export class Budget implements Room {
  #held = 0;
  #values = 0;

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

  takeValues(bytes: number): boolean {
    if (!this.take(bytes)) return false;
    this.#values += bytes;
    return true;
  }

  /** The values of what was read last are needed no longer. */
  giveValues(): void {
    if (this.#values === 0) return;
    this.give(this.#values);
    this.#values = 0;
  }

  /** Of a long request, and of one that lasts, only the bytes are held once it is judged and sent on, if that can be. */
  settle(exchange: Exchange, reading: Reading): void {
    if (reading.bytes.length <= LONG_BYTES && exchange.message.method !== METHOD_LISTEN) return;
    if (forget(exchange, reading)) this.giveValues();
    else this.#values = 0;
  }

  giveAll(): void {
    this.give(this.#held);
  }
}

export class BudgetPool {
  #held = 0;
  /** In which what is held is read. */
  readonly turns = new Turns();

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
