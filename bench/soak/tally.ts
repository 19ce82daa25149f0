/** What the client of a soak has counted. */
import type { Lost } from './wire.js';

const EXAMPLES = 20;

export interface Account {
  /** Exchanges that were begun, and those whose answer was the expected one. */
  readonly begun: number;
  readonly right: number;
  readonly wrong: number;
  readonly lost: number;
  /** Exchanges that the client left by design. */
  readonly left: number;
  /** Scenarios that still run. */
  readonly running: number;
  /** Scenarios that were not begun, since too many ran. */
  readonly heldBack: number;
  /** Answers that were right, by kind of traffic. */
  readonly kinds: Readonly<Record<string, number>>;
  /** By route and outcome: what the gateway's own books must show. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** The first things that went wrong. */
  readonly examples: readonly string[];
  /** Of small calls since the account before, in milliseconds. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** An answer that is not the expected one. */
export class Wrong extends Error {
  override readonly name = 'Wrong';
}

export class Tally {
  begun = 0;
  running = 0;
  heldBack = 0;
  #right = 0;
  #wrong = 0;
  #lost = 0;
  #left = 0;
  #times: number[] = [];
  readonly #kinds = new Map<string, number>();
  readonly #outcomes = new Map<string, number>();
  readonly #examples: string[] = [];

  right(kind: string, route: string, outcome: string | undefined): void {
    this.#right += 1;
    add(this.#kinds, kind);
    if (outcome !== undefined) add(this.#outcomes, `${route} ${outcome}`);
  }

  left(kind: string): void {
    this.#left += 1;
    add(this.#kinds, kind);
  }

  took(ms: number): void {
    this.#times.push(ms);
  }

  failed(kind: string, error: Wrong | Lost | Error): void {
    if (error.name === 'Lost') this.#lost += 1;
    else this.#wrong += 1;
    const text = error.name === 'Wrong' || error.name === 'Lost' ? error.message : error.stack;
    if (this.#examples.length < EXAMPLES) this.#examples.push(`${kind}: ${error.name}: ${text}`);
  }

  account(): Account {
    const times = this.#times.sort((one, other) => one - other);
    this.#times = [];
    const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
    return {
      begun: this.begun,
      right: this.#right,
      wrong: this.#wrong,
      lost: this.#lost,
      left: this.#left,
      running: this.running,
      heldBack: this.heldBack,
      kinds: Object.fromEntries(this.#kinds),
      outcomes: Object.fromEntries(this.#outcomes),
      examples: this.#examples,
      p50Ms: at(0.5),
      p99Ms: at(0.99),
    };
  }
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
