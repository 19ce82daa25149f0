/** An upstream's whole body, within its limits, with its content coding undone. */
import { type BrotliOptions, brotliDecompress, gunzip, inflate, type ZlibOptions } from 'node:zlib';
import type { ReadFault } from '../protocol/reading.js';
import type { Budget } from './budget.js';
import { type Answer, UpstreamTrouble } from './forward.js';
import { Pieces } from './pieces.js';

export type Collected =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'fault'; readonly fault: ReadFault }
  | { readonly kind: 'over-budget' };

export interface CollectLimits {
  readonly bytes: number;
  /** Longest pause between two pieces of the body in milliseconds; 0: none. */
  readonly idleMs: number;
}

/** Rejects with UpstreamTrouble when the upstream stops halfway or stalls. */
export async function collect(answer: Answer, limits: CollectLimits, budget: Budget): Promise<Collected> {
  const body = await collectRaw(answer, limits, budget);
  if (body.kind !== 'bytes') return body;
  const coding = codingOf(answer);
  if (coding === 'identity' || body.bytes.length === 0) return body;
  if (coding === undefined) return { kind: 'fault', fault: 'coding' };
  const plain = await undo(coding, body.bytes, limits.bytes);
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

function collectRaw(answer: Answer, limits: CollectLimits, budget: Budget): Promise<Collected> {
  return new Promise((resolve, reject) => {
    const pieces = new Pieces();
    let stalled: NodeJS.Timeout | undefined;
    const settle = (collected: Collected) => {
      clearTimeout(stalled);
      resolve(collected);
      if (collected.kind !== 'bytes') answer.abort();
    };
    answer.take({
      chunk: (bytes) => {
        if (pieces.length + bytes.length > limits.bytes) settle({ kind: 'fault', fault: 'too-large' });
        else if (!budget.take(bytes.length)) settle({ kind: 'over-budget' });
        else pieces.append(bytes);
        stalled?.refresh();
        return true;
      },
      end: () => settle({ kind: 'bytes', bytes: pieces.take() }),
      failed: (trouble) => {
        clearTimeout(stalled);
        reject(trouble);
      },
    });
    if (answer.ended || limits.idleMs === 0) return;
    stalled = setTimeout(() => {
      reject(
        new UpstreamTrouble('timeout', 'upstreamTooSlow', 'the upstream stopped in the middle of its answer'),
      );
      answer.abort();
    }, limits.idleMs);
  });
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
