/** Cuts the entries out of an HTTP archive of any size: `log.entries`, item by item, without reading the rest. */
import { NoRecording } from './recording.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN = new Set([0x7b, 0x5b]);
const CLOSE = new Set([0x7d, 0x5d]);
/** White space, and the bytes of a byte order mark. */
const SPACE = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);
const BRACE = 0x7b;
/** Names of members along the way: what is deeper is none of the cutter's. */
const WAY = ['log', 'entries'] as const;
const ENTRY_DEPTH = 3;
const MOST_NAME = 64;
const NEITHER = 'it is neither a capture nor an HTTP archive (HAR)';

/** An entry's text; undefined stands for one that is too long, or that the file ends in. */
export type Entry = Buffer | undefined;

export async function* entriesOf(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Entry> {
  const cutter = new EntryCutter(maxBytes);
  for await (const chunk of chunks) yield* cutter.push(chunk);
  if (!cutter.end()) yield undefined;
}

class EntryCutter {
  #depth = 0;
  #inText = false;
  #escaped = false;
  /** The last text at a depth that the way leads through: a name, when a colon follows. */
  #text: number[] = [];
  /** The member that the value at each depth belongs to. */
  readonly #names: string[] = [];
  #found = false;
  #cutting = false;
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(readonly maxBytes: number) {}

  push(chunk: Buffer): readonly Entry[] {
    const entries: Entry[] = [];
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (this.#inText) this.#takeText(byte);
      else if (byte === QUOTE) this.#beginText();
      else if (OPEN.has(byte)) {
        if (this.#atEntries && byte === BRACE) {
          this.#cutting = true;
          from = at;
        }
        this.#open();
      } else if (CLOSE.has(byte)) {
        this.#depth -= 1;
        if (this.#cutting && this.#depth === ENTRY_DEPTH) {
          this.#keep(chunk.subarray(from, at + 1));
          entries.push(this.#take());
        }
      } else this.#takeOther(byte);
    }
    if (this.#cutting) this.#keep(chunk.subarray(from));
    return entries;
  }

  /** The archive is whole. Throws when there were no entries to be found. */
  end(): boolean {
    if (!this.#found) throw new NoRecording(NEITHER);
    return this.#depth === 0 && !this.#inText;
  }

  /** Directly among the entries. */
  get #atEntries(): boolean {
    return this.#depth === ENTRY_DEPTH && WAY.every((name, index) => this.#names[index + 1] === name);
  }

  #open(): void {
    this.#depth += 1;
    if (this.#depth <= ENTRY_DEPTH) this.#names[this.#depth] = '';
    if (this.#atEntries) this.#found = true;
  }

  #beginText(): void {
    this.#inText = true;
    this.#text = [];
  }

  #takeText(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) {
      this.#inText = false;
      return;
    }
    if (this.#depth < ENTRY_DEPTH && this.#text.length < MOST_NAME) this.#text.push(byte);
  }

  #takeOther(byte: number): void {
    if (this.#depth === 0 && !SPACE.has(byte)) throw new NoRecording(NEITHER);
    if (this.#depth >= ENTRY_DEPTH) return;
    if (byte === COLON) this.#names[this.#depth] = Buffer.from(this.#text).toString('latin1');
    if (byte === COMMA) this.#names[this.#depth] = '';
  }

  #keep(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes <= this.maxBytes) this.#pieces.push(piece);
    else this.#pieces = [];
  }

  #take(): Entry {
    const entry = this.#bytes <= this.maxBytes ? Buffer.concat(this.#pieces) : undefined;
    this.#cutting = false;
    this.#pieces = [];
    this.#bytes = 0;
    return entry;
  }
}
