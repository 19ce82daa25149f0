/** What both kinds of reply share: the client's response, who it is for, and how it ends. */
import type { ServerResponse } from 'node:http';
import type { Exchange } from '../engine/exchange.js';
import type { Ledger } from '../engine/ledger.js';
import type { Limits, Timeouts } from '../engine/plan.js';
import { plainRefusal, type Refusal } from '../engine/refusal.js';
import { METHOD_LISTEN } from '../protocol/constants.js';
import type { Reading } from '../protocol/reading.js';
import { type Budget, OVER_BUDGET } from './budget.js';
import { pushCors } from './fields.js';
import { linger } from './linger.js';
import type { UpstreamTrouble } from './upstream-trouble.js';

export const JSON_TYPE = 'application/json';
/** Up to this size a copy costs less than a second buffer to send. */
const ONE_PIECE_BYTES = 16_384;
export const EVENT_STREAM_TYPE = 'text/event-stream';

/** What the client waits for: `subscription` is a stream that no response of the server's has to end. */
export type Expectation = 'response' | 'subscription' | 'nothing';

export function expectationOf({ message }: Exchange, httpMethod: string | undefined): Expectation {
  if (httpMethod === 'GET' || message.method === METHOD_LISTEN) return 'subscription';
  return message.id === undefined ? 'nothing' : 'response';
}

/** An exchange on its way back: everything a reply needs to know. */
export interface ReplyContext {
  readonly res: ServerResponse;
  readonly ledger: Ledger;
  readonly exchange: Exchange;
  readonly expects: Expectation;
  readonly limits: Limits;
  readonly timeouts: Timeouts;
  readonly budget: Budget;
  /** The client's Origin, which admit let through; undefined when it sent none. */
  readonly origin: string | undefined;
}

/** Writes a whole reply: `fields` alternate names and values. */
export function writeWhole(
  res: ServerResponse,
  status: number,
  fields: string[],
  body: Buffer | string | undefined,
): void {
  if (res.headersSent || res.destroyed) return;
  const length = body === undefined ? 0 : Buffer.byteLength(body);
  if (status !== 204 && status !== 304) fields.push('content-length', String(length));
  res.writeHead(status, fields);
  if (typeof body !== 'string') res.end(body);
  // Where each character is a byte, head and body leave as one piece; else the head's octets would change with the body's.
  else if (body.length === length) endInOnePiece(res, body);
  else res.end(Buffer.from(body));
}

/** What is written with `end` waits to be sent together with an empty last piece; written before it, it is sent by itself. */
function endInOnePiece(res: ServerResponse, body: string): void {
  res.write(body, 'latin1');
  res.socket?.uncork();
  res.end();
}

/** The bytes that were read, as text where that is the cheaper way to write them. */
export function written({ bytes, text }: Reading): Buffer | string {
  return bytes.length <= ONE_PIECE_BYTES && bytes.length === text.length ? text : bytes;
}

export function writeJson(
  res: ServerResponse,
  status: number,
  body: string,
  origin: string | undefined,
  extra: readonly string[] = [],
): void {
  const fields = ['content-type', JSON_TYPE, ...extra];
  if (origin !== undefined) pushCors(fields, origin);
  writeWhole(res, status, fields, body);
}

export function writeRefusal(
  res: ServerResponse,
  { key, status, body }: Refusal,
  origin: string | undefined,
  extra: readonly string[] = [],
): void {
  linger(res);
  const busy = key === 'overLimit' || key === 'tooManyRequests' || key === 'unavailable';
  writeJson(res, status, body, origin, busy ? [...extra, 'retry-after', '1'] : extra);
}

/** What came from the upstream cannot be held. */
export function overBudget({ ledger, exchange }: ReplyContext): Refusal {
  ledger.outcome = 'upstream_failed';
  return plainRefusal('overLimit', OVER_BUDGET, exchange.message.id);
}

/** The upstream's absence as the client learns it. */
export function troubleRefusal(trouble: UpstreamTrouble, { ledger, exchange }: ReplyContext): Refusal {
  ledger.outcome = 'upstream_failed';
  ledger.upstreamFailed(trouble.reason);
  return plainRefusal(trouble.refusal, trouble.message, exchange.message.id);
}
