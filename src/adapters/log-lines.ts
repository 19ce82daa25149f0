import { write, writeSync } from 'node:fs';

/** A reader that stands still costs lines, not the gateway's memory. */
const MAX_PENDING_CHARACTERS = 16 * 1024 * 1024;
/** A quarter of a pipe: a reader that keeps up takes it as a whole, so no line is torn when the process ends meanwhile. */
const CHUNK_BYTES = 16 * 1024;
/** One write carries the lines of this long: a hop through the thread pool costs as much as many lines. */
const GATHER_MS = 20;
/** A pipe says the one, a socket the other. */
const READER_GONE: ReadonlySet<string | undefined> = new Set(['EPIPE', 'ECONNRESET']);
const BUSY_RETRY_MS = 20;
const FAULT_RETRY_MS = 1000;
const EXIT_RETRIES = 50;
const LINE_FEED = 0x0a;
const NOTHING: Buffer = Buffer.alloc(0);

/**
 * Log lines on their way to a file descriptor, off the event loop. A closed pipe silences it; a full disk or a lost
 * terminal is tried again, so that lines are whole when it recovers. Nothing it meets is thrown or holds up an exit
 * for long.
 */
export class LineWriter {
  #pending: string[] = [];
  #characters = 0;
  #rest = NOTHING;
  #sending = false;
  /** Bytes of the rest that are being written. */
  #inFlight = 0;
  #closed = false;
  #dropped = 0;
  readonly #idle = new Set<() => void>();

  constructor(
    readonly fd: number,
    /** What stands for lines that were dropped. */
    readonly dropNote: (lines: number) => string = logNote,
  ) {}

  /** False: the line was dropped. */
  write(line: string): boolean {
    if (this.#closed) return false;
    if (this.#characters + line.length > MAX_PENDING_CHARACTERS) {
      this.#dropped += 1;
      return false;
    }
    this.#pending.push(line);
    this.#characters += line.length;
    if (this.#sending) return true;
    this.#sending = true;
    setTimeout(() => this.#send(), GATHER_MS);
    return true;
  }

  /** Resolves when every line is written; after `withinMs` it gives up and stays silent. */
  async flush(withinMs: number): Promise<void> {
    if (!this.#sending) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => this.#close(), withinMs);
      this.#idle.add(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** For the process's `exit` event, when nothing asynchronous runs any more. What is being written then gets written. */
  flushSync(): void {
    if (this.#inFlight > 0) sleep(BUSY_RETRY_MS);
    this.#rest = Buffer.concat([this.#rest.subarray(this.#inFlight), Buffer.from(this.#take(Infinity))]);
    let retries = EXIT_RETRIES;
    while (!this.#closed && this.#rest.length > 0 && retries > 0) {
      try {
        this.#rest = this.#rest.subarray(writeSync(this.fd, this.#rest));
      } catch (error) {
        if (!isBusy(error)) return;
        retries -= 1;
        sleep(BUSY_RETRY_MS);
      }
    }
  }

  #send(): void {
    if (this.#closed) return;
    if (this.#rest.length === 0) this.#rest = Buffer.from(this.#take(CHUNK_BYTES));
    if (this.#rest.length === 0) {
      this.#sending = false;
      this.#settle();
      return;
    }
    this.#inFlight = chunkLength(this.#rest);
    write(this.fd, this.#rest, 0, this.#inFlight, null, (error, written) => {
      this.#inFlight = 0;
      this.#sent(error, written);
    });
  }

  #sent(error: NodeJS.ErrnoException | null, written: number): void {
    if (error !== null && READER_GONE.has(error.code)) {
      this.#close();
      return;
    }
    if (error !== null) {
      setTimeout(() => this.#send(), isBusy(error) ? BUSY_RETRY_MS : FAULT_RETRY_MS).unref();
      return;
    }
    this.#rest = this.#rest.subarray(written);
    const few = this.#rest.length === 0 && this.#characters > 0 && this.#characters < CHUNK_BYTES;
    if (few && this.#idle.size === 0) setTimeout(() => this.#send(), GATHER_MS);
    else this.#send();
  }

  /** Whole lines of at most so many characters together, or one longer line. */
  #take(limit: number): string {
    let characters = 0;
    let count = 0;
    for (const line of this.#pending) {
      if (count > 0 && characters + line.length > limit) break;
      characters += line.length;
      count += 1;
    }
    this.#characters -= characters;
    return this.#pending.splice(0, count).join('') + this.#dropNote();
  }

  #dropNote(): string {
    if (this.#dropped === 0 || this.#pending.length > 0) return '';
    const note = this.dropNote(this.#dropped);
    this.#dropped = 0;
    return note;
  }

  #close(): void {
    this.#closed = true;
    this.#sending = false;
    this.#pending = [];
    this.#settle();
  }

  #settle(): void {
    for (const resolve of this.#idle) resolve();
    this.#idle.clear();
  }
}

/** Whole lines, where a line is no longer than a chunk. */
function chunkLength(bytes: Buffer): number {
  if (bytes.length <= CHUNK_BYTES) return bytes.length;
  const line = bytes.lastIndexOf(LINE_FEED, CHUNK_BYTES - 1);
  return line < 0 ? bytes.length : line + 1;
}

function logNote(lines: number): string {
  const note = { level: 'warn', time: new Date().toISOString(), lines, msg: 'log lines dropped' };
  return `${JSON.stringify(note)}\n`;
}

function isBusy(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'EAGAIN' || code === 'EBUSY';
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
