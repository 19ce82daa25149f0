/** The request's exact bytes, from the socket or from whoever has read them before. */
import type { IncomingMessage } from 'node:http';
import { type Reading, readRequest } from '../protocol/reading.js';
import { faultReading } from '../protocol/received.js';
import { type Budget, OVER_BUDGET } from './budget.js';
import { Pieces } from './pieces.js';
import { Refused } from './refused.js';

/** The client left before its request, or the reply to it, was whole. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** A request as Express and body parsers leave it. */
export interface ParsedRequest extends IncomingMessage {
  readonly body?: unknown;
  readonly rawBody?: unknown;
  readonly originalUrl?: string;
}

type BodyBytes =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'too-large' | 'too-deep' | 'over-budget' | 'already-parsed' };

const TOO_LARGE: BodyBytes = { kind: 'too-large' };
const NO_BYTES = Buffer.alloc(0);
const EMPTY: BodyBytes = { kind: 'bytes', bytes: NO_BYTES };

/**
 * Reads at most `limit` bytes. Rejects with ClientGone when the client leaves first, and with Refused (or throws it) for a
 * body that cannot be read and that no rule judges.
 */
export function readBody(
  req: ParsedRequest,
  limit: number,
  budget: Budget,
  trustParsed: boolean,
): Promise<Reading> | Reading {
  const given = givenBody(req, trustParsed);
  if (given !== undefined)
    return readingOf(given.kind === 'bytes' && given.bytes.length > limit ? TOO_LARGE : given, budget);
  const declared = Number(req.headers['content-length'] ?? 0);
  if (declared > limit) return faultReading('too-large');
  return collectBody(req, limit, budget);
}

function readingOf(body: BodyBytes, budget: Budget): Reading {
  if (body.kind === 'too-large' || body.kind === 'too-deep') return faultReading(body.kind);
  if (body.kind === 'already-parsed')
    throw new Refused(
      'internal',
      'the request body was parsed before the gateway could read it: mount the gateway before the body parser',
    );
  const reading = body.kind === 'bytes' ? readRequest(body.bytes, budget) : undefined;
  if (reading === undefined) throw new Refused('overLimit', OVER_BUDGET);
  return reading;
}

function givenBody(req: ParsedRequest, trustParsed: boolean): BodyBytes | undefined {
  if (Buffer.isBuffer(req.rawBody)) return { kind: 'bytes', bytes: req.rawBody };
  if (Buffer.isBuffer(req.body)) return { kind: 'bytes', bytes: req.body };
  if (!req.readableEnded) return undefined;
  if (req.body === undefined) return EMPTY;
  if (!trustParsed) return { kind: 'already-parsed' };
  return writtenAnew(req.body);
}

/** JSON.parse takes deeper values than JSON.stringify can write. */
function writtenAnew(body: unknown): BodyBytes {
  try {
    return { kind: 'bytes', bytes: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) };
  } catch {
    return { kind: 'too-deep' };
  }
}

/**
 * Most bodies come in one packet with their head: the tick after, all of it waits to be read at once, which costs less
 * than being told of it piece by piece.
 */
function collectBody(req: IncomingMessage, limit: number, budget: Budget): Promise<Reading> {
  return new Promise((resolve, reject) => {
    process.nextTick(() => {
      try {
        const body = waitingBody(req, limit, budget);
        if (body === undefined) followBody(req, { limit, budget, resolve, reject });
        else resolve(readingOf(body, budget));
      } catch (error) {
        reject(error);
      }
    });
  });
}

/** Undefined when not all of it is here, or others are reading along. */
function waitingBody(req: IncomingMessage, limit: number, budget: Budget): BodyBytes | undefined {
  if (!req.complete || req.readableFlowing !== null) return undefined;
  const bytes: Buffer = req.read(req.readableLength) ?? NO_BYTES;
  if (bytes.length > limit) return TOO_LARGE;
  return budget.take(bytes.length) ? { kind: 'bytes', bytes } : { kind: 'over-budget' };
}

interface Following {
  readonly limit: number;
  readonly budget: Budget;
  readonly resolve: (reading: Reading | Promise<Reading>) => void;
  readonly reject: (error: unknown) => void;
}

function followBody(req: IncomingMessage, { limit, budget, resolve, reject }: Following): void {
  if (req.destroyed) return reject(gone());
  const pieces = new Pieces();
  const settle = (body: BodyBytes) => {
    // Else they would be kept for as long as the exchange, which may be days.
    req.off('data', onData).off('end', onEnd).off('close', onClose);
    if (body.kind !== 'bytes') req.resume();
    const bytes = body.kind === 'bytes' ? body.bytes.length : 0;
    const read = () => {
      if (req.socket.destroyed) throw gone();
      return readingOf(body, budget);
    };
    try {
      resolve(budget.pool.turns.take(bytes, read));
    } catch (error) {
      reject(error);
    }
  };
  const onData = (chunk: Buffer) => {
    if (pieces.length + chunk.length > limit) settle(TOO_LARGE);
    else if (!budget.take(chunk.length)) settle({ kind: 'over-budget' });
    else pieces.append(chunk);
  };
  const onEnd = () => settle({ kind: 'bytes', bytes: pieces.take() });
  const onClose = () => {
    budget.give(pieces.length);
    reject(gone());
  };
  req.on('data', onData).on('end', onEnd).on('close', onClose);
}

function gone(): ClientGone {
  return new ClientGone('the client left before its request was whole');
}
