/** How far a file has been read: a line on a terminal that goes away again. */

const WIDTH = 30;
const EVERY_MS = 100;
const CLEAR = '\r\u001b[K';

export class Progress {
  #bytes = 0;
  #shownAt = Number.NEGATIVE_INFINITY;
  #shown = false;

  /** `write` undefined: nobody watches. */
  constructor(
    readonly total: number,
    readonly write: ((text: string) => void) | undefined,
  ) {}

  read(bytes: number): void {
    this.#bytes += bytes;
    if (this.write === undefined || performance.now() - this.#shownAt < EVERY_MS) return;
    this.#shownAt = performance.now();
    this.#shown = true;
    this.write(CLEAR + barOf(this.#bytes, this.total));
  }

  /** Before anything else is printed, and at the end. */
  clear(): void {
    if (!this.#shown) return;
    this.#shown = false;
    this.write?.(CLEAR);
  }
}

export function barOf(bytes: number, total: number): string {
  const part = total > 0 ? Math.min(1, bytes / total) : 1;
  const full = Math.round(part * WIDTH);
  return `[${'#'.repeat(full)}${' '.repeat(WIDTH - full)}] ${Math.floor(part * 100)} %`;
}
