/**
 * Those that run at the moment, in places that are used again. A Set of what comes and goes is copied each time it
 * fills up, and the copies left behind hold what was in them, one after the other, until a major collection: everything
 * that an exchange ever touched would outlive it.
 */
export class Roster<T> {
  readonly #places: (T | undefined)[] = [];
  readonly #free: number[] = [];

  get size(): number {
    return this.#places.length - this.#free.length;
  }

  /** Returns the place to leave by. */
  enter(one: T): number {
    const place = this.#free.pop() ?? this.#places.length;
    this.#places[place] = one;
    return place;
  }

  /** Once: the place may be another's afterwards. */
  leave(place: number, one: T): void {
    if (this.#places[place] !== one) return;
    this.#places[place] = undefined;
    this.#free.push(place);
  }

  /** Those present now, whoever comes or leaves meanwhile. */
  present(): T[] {
    return this.#places.filter((one) => one !== undefined);
  }
}
