/** HTTP fields on their way to the upstream and back: what stops here, what is written anew (RFC 9110 section 7.6). */
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Upstream } from '../engine/plan.js';
import { HEADER_LAST_EVENT_ID, HEADER_SESSION_ID } from '../protocol/constants.js';
import type { HeaderFields } from '../protocol/headers.js';
import { connectionNames, HOP_BY_HOP } from '../protocol/http.js';
import { TRACEPARENT, TRACESTATE, type TraceContext } from '../protocol/trace.js';

const PSEUDONYM = '1.1 mrtr-gateway';
const EXPOSED = 'WWW-Authenticate, MCP-Protocol-Version, Mcp-Session-Id, Retry-After';

/** Request fields that the gateway states itself, or whose body it does not send. */
const RESTATED: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'content-type',
  'content-encoding',
  'expect',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
]);
/** Where proxies besides write who asks and how: worth as much as X-Forwarded-For from the same peer. */
const TOLD_BY_PROXIES: ReadonlySet<string> = new Set([
  ...[
    'x-real-ip',
    'x-client-ip',
    'x-cluster-client-ip',
    'true-client-ip',
    'cf-connecting-ip',
    'fastly-client-ip',
  ],
  ...[
    'x-forwarded-port',
    'x-forwarded-server',
    'x-forwarded-prefix',
    'x-forwarded-scheme',
    'x-forwarded-ssl',
  ],
]);
/** Some servers act on the path or method named here instead of those that were judged. */
const OVERRIDES: ReadonlySet<string> = new Set([
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'x-original-url',
  'x-rewrite-url',
]);
const NEVER_SENT_ON: ReadonlySet<string> = new Set([...HOP_BY_HOP, ...RESTATED, ...OVERRIDES]);
const ODD_NAME = /[^a-z0-9-]/;
const MCP_PREFIX = 'mcp-';
const TRACE: ReadonlySet<string> = new Set([TRACEPARENT, TRACESTATE]);
const SESSION: ReadonlySet<string> = new Set([HEADER_SESSION_ID, HEADER_LAST_EVENT_ID]);

export interface OutgoingFacts {
  readonly upstream: Upstream;
  /** Fields that are not for the upstream, in lower case. */
  readonly withheld: ReadonlySet<string>;
  /** Fields that tell who asks, in lower case. */
  readonly callers: readonly string[];
  readonly trusted: boolean;
  readonly legacy: boolean;
  /** The answer is read here, so its codings and media types are not the client's choice alone. */
  readonly judged: boolean;
  /** Sent instead of the client's own fields of a trace; undefined lets those pass. */
  readonly trace: Pick<TraceContext, 'traceparent' | 'tracestate'> | undefined;
}

/** The upstream request's fields, alternating names and values. */
export function outgoingFields(req: IncomingMessage, headers: HeaderFields, facts: OutgoingFacts): string[] {
  const fields: string[] = [];
  const named = headers.has('connection') ? connectionNames(headers.all('connection')) : [];
  const raw = req.rawHeaders;
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = headers.lines[index] as string;
    if (
      NEVER_SENT_ON.has(name) ||
      named.includes(name) ||
      facts.upstream.headers.has(name) ||
      facts.withheld.has(name) ||
      (!facts.trusted && TOLD_BY_PROXIES.has(name)) ||
      speaksForAnother(name, facts) ||
      (facts.trace !== undefined && TRACE.has(name)) ||
      (!facts.legacy && SESSION.has(name)) ||
      (facts.judged && name === 'accept-encoding')
    )
      continue;
    fields.push(raw[index] as string, raw[index + 1] as string);
  }
  if (facts.judged && !headers.has('accept')) fields.push('accept', 'application/json, text/event-stream');
  if (facts.judged) fields.push('accept-encoding', 'identity');
  if (facts.trace !== undefined) fields.push(TRACEPARENT, facts.trace.traceparent);
  if (facts.trace?.tracestate !== undefined) fields.push(TRACESTATE, facts.trace.tracestate);
  fields.push('via', PSEUDONYM);
  pushForwarded(fields, req, headers, facts.trusted);
  for (const [name, value] of facts.upstream.headers) fields.push(name, value);
  return fields;
}

/**
 * Servers that keep fields as variables (CGI, WSGI) take `X_User` for `X-User`: under such a name nothing may say what is
 * judged, restated or withheld here.
 */
function speaksForAnother(name: string, { upstream, callers }: OutgoingFacts): boolean {
  if (!ODD_NAME.test(name)) return false;
  const plain = plainName(name);
  const guarded = [...upstream.headers.keys(), ...callers];
  return (
    [HOP_BY_HOP, RESTATED, OVERRIDES, TOLD_BY_PROXIES, TRACE, SESSION].some((names) => names.has(plain)) ||
    (plain.startsWith(MCP_PREFIX) && !name.startsWith(MCP_PREFIX)) ||
    guarded.some((other) => other !== name && plainName(other) === plain)
  );
}

function plainName(name: string): string {
  return name.replace(/[^a-z0-9]/g, '-');
}

/** X-Forwarded-*: written anew, or continued when the peer is a trusted proxy. */
function pushForwarded(
  fields: string[],
  req: IncomingMessage,
  headers: HeaderFields,
  trusted: boolean,
): void {
  const peer = plainAddress(req.socket.remoteAddress);
  const scheme = (req.socket as TLSSocket).encrypted === true ? 'https' : 'http';
  const before = trusted ? headers.all('x-forwarded-for').join(', ') : '';
  fields.push('x-forwarded-for', before === '' ? peer : `${before}, ${peer}`);
  fields.push('x-forwarded-proto', (trusted && headers.one('x-forwarded-proto')) || scheme);
  const host = (trusted && headers.one('x-forwarded-host')) || headers.one('host');
  if (host !== undefined) fields.push('x-forwarded-host', host);
}

/** `::ffff:192.0.2.1` is 192.0.2.1. */
export function plainAddress(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}

/** Reply fields that describe the upstream's bytes, where the gateway may write others. */
export const BYTES_FIELDS: ReadonlySet<string> = new Set([
  'content-length',
  'content-encoding',
  'content-digest',
  'content-md5',
  'digest',
  'repr-digest',
]);

/** They speak for an origin policy that is the gateway's, or for bytes that it writes anew. */
function isRestatedInReply(name: string): boolean {
  return BYTES_FIELDS.has(name) || name.startsWith('access-control-');
}

/** The reply's fields, alternating names and values; Content-Length, and for streams Content-Type, come from the writer. */
export function replyFields(upstream: HeaderFields, legacy: boolean, origin: string | undefined): string[] {
  const fields: string[] = [];
  const named = upstream.has('connection') ? connectionNames(upstream.all('connection')) : [];
  const { lines } = upstream;
  for (let index = 0; index < lines.length; index += 2) {
    const name = lines[index] as string;
    if (HOP_BY_HOP.has(name) || isRestatedInReply(name) || named.includes(name)) continue;
    if (!legacy && name === HEADER_SESSION_ID) continue;
    fields.push(name, lines[index + 1] as string);
  }
  fields.push('via', PSEUDONYM);
  if (origin !== undefined) pushCors(fields, origin);
  return fields;
}

/** CORS for an Origin that admit has let through (Fetch, section 3.3). */
export function pushCors(fields: string[], origin: string): void {
  fields.push(
    'access-control-allow-origin',
    origin,
    'vary',
    'Origin',
    'access-control-expose-headers',
    EXPOSED,
  );
}

export function preflightFields(origin: string, requested: string | undefined, methods: string): string[] {
  const fields = ['access-control-allow-origin', origin, 'vary', 'Origin, Access-Control-Request-Headers'];
  fields.push('access-control-allow-methods', methods, 'access-control-max-age', '600');
  if (requested !== undefined) fields.push('access-control-allow-headers', requested);
  return fields;
}
