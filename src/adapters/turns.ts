/** Long messages are read one after the other, and whatever else has come is worked on in between. */

/** Reading a shorter message takes less than a turn. */
const LONG_BYTES = 65_536;
/** Who has worked for so long lets others have their turn. */
const TURN_MS = 10;
/** As long as somebody else's exchange takes where nothing is slow. */
const REST_MS = 10;

export class Turns {
  readonly #waiting: (() => void)[] = [];
  #resting = false;

  /** Reads at once, unless the message is long and other reading has just taken its time. */
  take<T>(bytes: number, read: () => T): T | Promise<T> {
    if (bytes <= LONG_BYTES) return read();
    if (!this.#resting) return this.#timed(read);
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push(() => {
        try {
          resolve(read());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  #timed<T>(read: () => T): T {
    const began = performance.now();
    try {
      return read();
    } finally {
      if (performance.now() - began >= TURN_MS) this.#rest();
    }
  }

  #rest(): void {
    this.#resting = true;
    setTimeout(() => {
      this.#resting = false;
      while (!this.#resting && this.#waiting.length > 0) this.#timed(this.#waiting.shift() as () => void);
    }, REST_MS);
  }
}
