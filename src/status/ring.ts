/** The last so many of what was put in. */
export class Ring<T> {
  readonly #items: T[] = [];
  #next = 0;

  constructor(readonly capacity: number) {}

  push(item: T): void {
    this.#items[this.#next] = item;
    this.#next = (this.#next + 1) % this.capacity;
  }

  /** From the newest back, as long as this holds. */
  newest(holds: (item: T) => boolean = () => true): T[] {
    const found: T[] = [];
    const { length } = this.#items;
    for (let back = 1; back <= length; back += 1) {
      const item = this.#items[(this.#next - back + length) % length] as T;
      if (!holds(item)) break;
      found.push(item);
    }
    return found;
  }
}
