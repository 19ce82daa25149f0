/** The request to the upstream: the judged bytes with what rewrites change in them, and the fields that are for the upstream. */
import type { IncomingMessage } from 'node:http';
import { type Exchange, passesAsLegacy } from '../engine/exchange.js';
import type { Ledger } from '../engine/ledger.js';
import type { RoutePlan } from '../engine/plan.js';
import type { Reading } from '../protocol/reading.js';
import { rewriteRequest } from '../rewrites/index.js';
import { outgoingFields } from './fields.js';
import type { OutgoingRequest } from './forward.js';
import { withheldFields } from './identify.js';
import { JSON_TYPE } from './reply.js';
import type { Service } from './service.js';

export interface Judged {
  readonly req: IncomingMessage;
  readonly exchange: Exchange;
  readonly reading: Reading;
  readonly ledger: Ledger;
}

export function outgoingRequest(
  { plan }: Service,
  { upstream, auth }: RoutePlan,
  { req, exchange, reading, ledger }: Judged,
): OutgoingRequest {
  const trusted = plan.trustsProxy(req.socket.remoteAddress);
  const headers = outgoingFields(req, exchange.headers, {
    upstream,
    withheld: withheldFields(auth, trusted),
    trusted,
    legacy: passesAsLegacy(exchange),
    judged: true,
    traceparent: ledger.traceparent,
  });
  const method = req.method as OutgoingRequest['method'];
  if (method === 'POST') headers.push('content-type', JSON_TYPE);
  const { pathname, search } = upstream.url;
  const body = method === 'POST' ? bodyOf({ req, exchange, reading, ledger }) : null;
  return { method, path: pathname + search, headers, body, headersMs: plan.timeouts.headersMs };
}

function bodyOf({ exchange, reading, ledger }: Judged): Buffer {
  const text = rewriteRequest(exchange, reading.text, ledger);
  return text === undefined ? reading.bytes : Buffer.from(text);
}
