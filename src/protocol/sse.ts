/**
 * Event streams over bytes (WHATWG HTML, section 9.2.6): a chunk may end anywhere. Only data and comments matter here: an
 * event's type is not looked at, since a lenient client might read it as a message all the same, and streams are not
 * resumable, so `id` and `retry` say nothing.
 */

export type SseItem =
  | { readonly kind: 'event'; readonly data: Buffer }
  /** What follows the colon. Delivered at once, also between the lines of an event. */
  | { readonly kind: 'comment'; readonly text: Buffer }
  /** One event, or one line, is longer than allowed. Nothing comes after it. */
  | { readonly kind: 'too-large' };

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const COLON = 0x3a;
const BOM = Buffer.from('\ufeff');
const DATA = Buffer.from('data');
const NEW_LINE = Buffer.from('\n');
const NOTHING = Buffer.alloc(0);
const LINE_END = /\r\n?|\n/g;

/** The comment that keeps a silent stream open. */
export const COMMENT_PING: Buffer = encodeComment(' ping');

/** One pass over each chunk; a line or an event that spans chunks is copied a bounded number of times. */
export class SseDecoder {
  readonly #maxEventBytes: number;
  readonly #line = new Accumulator();
  readonly #data = new Accumulator();
  #hasData = false;
  /** Bytes of the lines that the open event has so far, whatever their fields. */
  #eventBytes = 0;
  #atStart = true;
  #skipLineFeed = false;
  #ended = false;

  constructor(maxEventBytes: number) {
    this.#maxEventBytes = maxEventBytes;
  }

  /** Bytes held back until their event is whole. */
  get bufferedBytes(): number {
    return this.#line.length + this.#data.length;
  }

  /** What the chunk completes, in order. Items may be views of the chunk: it must not be written to afterwards. */
  push(chunk: Uint8Array): readonly SseItem[] {
    const items: SseItem[] = [];
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let lineFeed = -1;
    let carriageReturn = -1;
    for (let start = 0; start < bytes.length && !this.#ended; ) {
      if (this.#skipLineFeed && bytes[start] === LF) start += 1;
      lineFeed = search(bytes, LF, start, lineFeed);
      carriageReturn = search(bytes, CR, start, carriageReturn);
      const end = Math.min(lineFeed, carriageReturn);
      this.#takePiece(bytes.subarray(start, end), end < bytes.length, items);
      this.#skipLineFeed = end === carriageReturn && end < bytes.length;
      start = end + 1;
    }
    return items;
  }

  #takePiece(piece: Buffer, endsLine: boolean, items: SseItem[]): void {
    if (this.#eventBytes + this.#line.length + piece.length > this.#maxEventBytes) {
      this.#ended = true;
      this.#line.take();
      this.#data.take();
      items.push({ kind: 'too-large' });
      return;
    }
    this.#line.append(piece);
    if (endsLine) this.#takeLine(this.#line.take(), items);
  }

  #takeLine(whole: Buffer, items: SseItem[]): void {
    const line =
      this.#atStart && whole.subarray(0, BOM.length).equals(BOM) ? whole.subarray(BOM.length) : whole;
    this.#atStart = false;
    if (line.length === 0) {
      if (this.#hasData) items.push({ kind: 'event', data: this.#data.take() });
      this.#hasData = false;
      this.#eventBytes = 0;
    } else if (line[0] === COLON) {
      items.push({ kind: 'comment', text: line.subarray(1) });
    } else {
      this.#eventBytes += line.length;
      this.#takeField(line);
    }
  }

  #takeField(line: Buffer): void {
    const colon = line.indexOf(COLON);
    const name = colon < 0 ? line : line.subarray(0, colon);
    if (!name.equals(DATA)) return;
    const start = name.length + (line[name.length + 1] === SPACE ? 2 : 1);
    if (this.#hasData) this.#data.append(NEW_LINE);
    this.#data.append(line.subarray(start));
    this.#hasData = true;
  }
}

/** An event whose data a reader gets back as it was, save that every line end in it has become LF. */
export function encodeEvent(data: Buffer | string): Buffer {
  return encode('event: message\ndata: ', data, '\ndata: ');
}

/** A comment; `text` is what follows the colon. */
export function encodeComment(text: Buffer | string): Buffer {
  return encode(':', text, '\n:');
}

function encode(before: string, content: Buffer | string, between: string): Buffer {
  if (typeof content === 'string') {
    return Buffer.from(`${before}${content.replace(LINE_END, between)}\n\n`);
  }
  if (content.includes(LF) || content.includes(CR)) {
    // Latin-1 takes each byte for a character and back.
    return Buffer.from(`${before}${content.toString('latin1').replace(LINE_END, between)}\n\n`, 'latin1');
  }
  return Buffer.concat([Buffer.from(before), content, NEW_LINE, NEW_LINE]);
}

/** Where a byte next stands at or after `start`, or the length; `known` is what an earlier search found. */
function search(bytes: Buffer, byte: number, start: number, known: number): number {
  if (known >= start) return known;
  const found = bytes.indexOf(byte, start);
  return found < 0 ? bytes.length : found;
}

/** Bytes put together piece by piece. A single piece stays the view that it is. */
class Accumulator {
  #bytes: Buffer = NOTHING;
  length = 0;

  append(piece: Buffer): void {
    const length = this.length + piece.length;
    if (this.length === 0) {
      this.#bytes = piece;
    } else if (piece.length > 0) {
      if (length > this.#bytes.length) this.#grow(length);
      this.#bytes.set(piece, this.length);
    }
    this.length = length;
  }

  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.length);
    this.#bytes = NOTHING;
    this.length = 0;
    return taken;
  }

  #grow(length: number): void {
    const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.length, 256));
    larger.set(this.#bytes.subarray(0, this.length));
    this.#bytes = larger;
  }
}
