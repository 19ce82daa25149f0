/** What came from the upstream, made ready to be judged. */
import { isRpcError } from '../protocol/error-answer.js';
import { readInputRequests } from '../protocol/input-requests.js';
import type { Reading } from '../protocol/reading.js';
import { serverMessageOf } from '../protocol/received.js';
import { type Exchange, type OutboundInput, type Position, passesAsLegacy } from './exchange.js';

/** A message from the upstream before it is judged. */
export interface Received {
  readonly reading: Reading;
  readonly status: number;
  /** It is one event of a stream, not a whole body. */
  readonly stream: boolean;
  /** subscriptions/listen: an acknowledgement went before it. */
  readonly acknowledged: boolean;
}

export function outboundInput(
  exchange: Exchange,
  { reading, status, stream, acknowledged }: Received,
): OutboundInput {
  const readable = reading.fault === undefined && (status < 300 || isRpcError(reading.value));
  const message = readable ? serverMessageOf(reading) : undefined;
  const position: Position = stream ? (message?.kind === 'response' ? 'final' : 'event') : 'body';
  const asked = readInputRequests(message, passesAsLegacy(exchange));
  return { exchange, position, status, reading, message, asked, acknowledged };
}

/** An event without data, or whose data is no JSON-RPC message, concerns nobody. What is ambiguous is not among them. */
export function isNoMessage({ reading, message }: OutboundInput): boolean {
  if (reading.fault !== undefined) return reading.fault === 'empty' || reading.fault === 'not-json';
  return message === undefined || message.kind === 'foreign';
}
