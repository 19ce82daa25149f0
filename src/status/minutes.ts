const MINUTE_MS = 60_000;

/** A count for each of the last so many minutes. */
export class Minutes {
  readonly #counts: number[];
  #current: number;

  constructor(
    readonly length: number,
    now: number,
  ) {
    this.#counts = Array.from({ length }, () => 0);
    this.#current = Math.floor(now / MINUTE_MS);
  }

  add(now: number): void {
    this.#advance(now);
    this.#counts[this.length - 1] = (this.#counts[this.length - 1] ?? 0) + 1;
  }

  /** The current minute last. */
  read(now: number): readonly number[] {
    this.#advance(now);
    return [...this.#counts];
  }

  #advance(now: number): void {
    const minute = Math.floor(now / MINUTE_MS);
    // A clock that was set back goes on counting in the minute that it had reached.
    const passed = Math.min(minute - this.#current, this.length);
    if (passed <= 0) return;
    this.#current = minute;
    this.#counts.splice(0, passed);
    for (let added = 0; added < passed; added += 1) this.#counts.push(0);
  }
}
