/** The request to the upstream: the judged bytes with what rewrites change in them, and the fields that are for the upstream. */
import type { IncomingMessage } from 'node:http';
import { type Exchange, passesAsLegacy } from '../engine/exchange.js';
import type { Ledger } from '../engine/ledger.js';
import type { RoutePlan } from '../engine/plan.js';
import { applyChanges } from '../protocol/changes.js';
import { has, type JsonObject } from '../protocol/messages.js';
import type { Reading } from '../protocol/reading.js';
import { TRACEPARENT, TRACESTATE } from '../protocol/trace.js';
import { rewriteRequest } from '../rewrites/index.js';
import { outgoingFields } from './fields.js';
import type { OutgoingRequest } from './forward.js';
import { callerFields, withheldFields } from './identify.js';
import { expectationOf, JSON_TYPE } from './reply.js';
import type { Service } from './service.js';
import type { TraceFields } from './trace.js';

export interface Judged {
  readonly req: IncomingMessage;
  readonly exchange: Exchange;
  readonly reading: Reading;
  readonly ledger: Ledger;
}

export function outgoingRequest(
  { plan, tracing }: Service,
  { upstream, auth }: RoutePlan,
  { req, exchange, reading, ledger }: Judged,
): OutgoingRequest {
  const traced = tracing.forward(exchange, upstream, ledger);
  const trusted = plan.trustsProxy(req.socket.remoteAddress);
  const headers = outgoingFields(req, exchange.headers, {
    upstream,
    withheld: withheldFields(auth, { headers: exchange.headers, trusted }),
    callers: callerFields(auth),
    trusted,
    legacy: passesAsLegacy(exchange),
    judged: true,
    trace: traced ?? (ledger.trace?.inMessage ? ledger.trace : undefined),
  });
  const method = req.method as OutgoingRequest['method'];
  if (method === 'POST') headers.push('content-type', JSON_TYPE);
  const { pathname, search } = upstream.url;
  const body = method === 'POST' ? bodyOf(exchange, reading, ledger, traced) : null;
  const lasting = expectationOf(exchange, method) === 'subscription';
  const path = pathname + search;
  return { method, path, headers, body, headersMs: plan.timeouts.headersMs, lasting };
}

function bodyOf(
  exchange: Exchange,
  reading: Reading,
  ledger: Ledger,
  traced: TraceFields | undefined,
): Buffer {
  const rewritten = rewriteRequest(exchange, reading.text, ledger);
  const text = withTrace(rewritten ?? reading.text, exchange.message.meta, traced) ?? rewritten;
  return text === undefined ? reading.bytes : Buffer.from(text);
}

/** A trace that the message names too goes on in the message: servers look there first. */
function withTrace(text: string, meta: JsonObject, traced: TraceFields | undefined): string | undefined {
  if (traced === undefined || !has(meta, TRACEPARENT)) return undefined;
  const { traceparent, tracestate } = traced;
  return applyChanges(text, [
    { path: ['params', '_meta', TRACEPARENT], json: JSON.stringify(traceparent) },
    { path: ['params', '_meta', TRACESTATE], json: tracestate && JSON.stringify(tracestate) },
  ]);
}
