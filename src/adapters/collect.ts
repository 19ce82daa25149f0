/** An upstream's whole body, within its limits, with its content coding undone. */
import { type BrotliOptions, brotliDecompress, gunzip, inflate, type ZlibOptions } from 'node:zlib';
import type { ReadFault } from '../protocol/reading.js';
import type { Answer, BodySink } from './answer.js';
import type { Budget } from './budget.js';
import { Pieces } from './pieces.js';
import { UpstreamTrouble } from './upstream-trouble.js';

export type Collected =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'fault'; readonly fault: ReadFault }
  | { readonly kind: 'over-budget' };

export interface CollectLimits {
  readonly bytes: number;
  /** Longest pause between two pieces of the body in milliseconds; 0: none. */
  readonly idleMs: number;
}

/** Rejects with UpstreamTrouble when the upstream stops halfway or stalls. At once what has come whole. */
export function collect(
  answer: Answer,
  limits: CollectLimits,
  budget: Budget,
): Collected | Promise<Collected> {
  const collection = new Collection(answer, limits, budget);
  answer.take(collection);
  const body = collection.settled ?? collection.settle();
  const coding = codingOf(answer);
  return coding === 'identity' ? body : decode(body, coding, limits, budget);
}

async function decode(
  body: Collected | Promise<Collected>,
  coding: Exclude<Coding, 'identity'> | undefined,
  limits: CollectLimits,
  budget: Budget,
): Promise<Collected> {
  const coded = await body;
  if (coded.kind !== 'bytes' || coded.bytes.length === 0) return coded;
  if (coding === undefined) return { kind: 'fault', fault: 'coding' };
  const plain = await undo(coding, coded.bytes, limits.bytes);
  if (plain.kind === 'bytes' && !budget.take(plain.bytes.length)) return { kind: 'over-budget' };
  return plain;
}

export type Coding = 'identity' | 'gzip' | 'deflate' | 'br';

const CODINGS: ReadonlyMap<string, Coding> = new Map([
  ['identity', 'identity'],
  ['', 'identity'],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
  ['br', 'br'],
]);

/** Undefined: a coding, or several, that cannot be undone here. */
export function codingOf(answer: Answer): Coding | undefined {
  const values = answer.headers.all('content-encoding');
  return values.length > 1 ? undefined : CODINGS.get((values[0] ?? '').trim().toLowerCase());
}

class Collection implements BodySink {
  settled: Collected | undefined;
  readonly #pieces = new Pieces();
  #trouble: UpstreamTrouble | undefined;
  #stalled: NodeJS.Timeout | undefined;
  #tell: (() => void) | undefined;

  constructor(
    readonly answer: Answer,
    readonly limits: CollectLimits,
    readonly budget: Budget,
  ) {}

  /** For what has not come whole yet: a pause that lasts too long ends it. */
  settle(): Promise<Collected> {
    const { limits } = this;
    return new Promise((resolve, reject) => {
      this.#tell = () => {
        clearTimeout(this.#stalled);
        if (this.settled !== undefined) resolve(this.settled);
        else reject(this.#trouble);
      };
      if (this.#trouble !== undefined) return this.#tell();
      if (limits.idleMs > 0) this.#stalled = setTimeout(() => this.#stall(), limits.idleMs);
    });
  }

  chunk(bytes: Buffer): boolean {
    const length = this.#pieces.length + bytes.length;
    if (length > this.limits.bytes) this.#giveUp({ kind: 'fault', fault: 'too-large' });
    else if (!this.budget.take(bytes.length)) this.#giveUp({ kind: 'over-budget' });
    else this.#pieces.append(bytes);
    this.#stalled?.refresh();
    return true;
  }

  end(): void {
    this.settled ??= { kind: 'bytes', bytes: this.#pieces.take() };
    this.#tell?.();
  }

  failed(trouble: UpstreamTrouble): void {
    this.#trouble = trouble;
    this.#tell?.();
  }

  #giveUp(collected: Collected): void {
    this.settled ??= collected;
    this.#tell?.();
    this.answer.abort();
  }

  #stall(): void {
    this.failed(
      new UpstreamTrouble('timeout', 'upstreamTooSlow', 'the upstream stopped in the middle of its answer'),
    );
    this.answer.abort();
  }
}

function undo(coding: Exclude<Coding, 'identity'>, bytes: Buffer, limit: number): Promise<Collected> {
  return new Promise((resolve) => {
    const done = (error: (Error & { code?: string }) | null, plain: Buffer) => {
      if (error === null) resolve({ kind: 'bytes', bytes: plain });
      else resolve({ kind: 'fault', fault: error.code === 'ERR_BUFFER_TOO_LARGE' ? 'too-large' : 'coding' });
    };
    const options: ZlibOptions & BrotliOptions = { maxOutputLength: limit };
    if (coding === 'gzip') gunzip(bytes, options, done);
    else if (coding === 'deflate') inflate(bytes, options, done);
    else brotliDecompress(bytes, options, done);
  });
}
