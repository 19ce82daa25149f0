/** Bytes put together piece by piece: small pieces are copied, since each of them, kept as it came, holds many times its length. */

/** Larger pieces stay the views that they are: of what they are views of, they hold no more than a few times their length. */
const SMALL_BYTES = 16_384;
const MIN_SLAB_BYTES = 4_096;
const MAX_SLAB_BYTES = 65_536;
const NOTHING = Buffer.alloc(0);

export class Pieces {
  #pieces: Buffer[] = [];
  #slab = NOTHING;
  #used = 0;
  length = 0;

  append(piece: Buffer): void {
    const first = this.length === 0;
    this.length += piece.length;
    if (first || piece.length >= SMALL_BYTES) this.#keep(piece);
    else this.#copy(piece);
  }

  /** All of it, after which there is nothing. */
  take(): Buffer {
    this.#flush();
    const [only = NOTHING] = this.#pieces;
    const whole = this.#pieces.length > 1 ? Buffer.concat(this.#pieces) : only;
    this.#pieces = [];
    this.#slab = NOTHING;
    this.length = 0;
    return whole;
  }

  /** The first of it, as much as lies together. */
  shift(): Buffer {
    if (this.#pieces.length === 0) return this.take();
    const first = this.#pieces.shift() ?? NOTHING;
    this.length -= first.length;
    if (this.length === 0) this.#slab = NOTHING;
    return first;
  }

  #keep(piece: Buffer): void {
    this.#flush();
    this.#pieces.push(piece);
  }

  #copy(piece: Buffer): void {
    if (this.#used + piece.length > this.#slab.length) {
      this.#flush();
      const size = Math.min(Math.max(this.length, MIN_SLAB_BYTES), MAX_SLAB_BYTES);
      this.#slab = Buffer.allocUnsafe(Math.max(size, piece.length));
    }
    this.#slab.set(piece, this.#used);
    this.#used += piece.length;
  }

  /** What is left of the slab is filled by the next small pieces. */
  #flush(): void {
    if (this.#used === 0) return;
    this.#pieces.push(this.#slab.subarray(0, this.#used));
    this.#slab = this.#slab.subarray(this.#used);
    this.#used = 0;
  }
}
