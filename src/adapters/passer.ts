/** Bytes that nobody judges: http-proxy carries them. */
import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { PassThrough as EmptyBody } from 'node:stream';
import httpProxy from 'http-proxy';
import type { Upstream } from '../engine/plan.js';
import { plainRefusal } from '../engine/refusal.js';
import { HeaderFields } from '../protocol/headers.js';
import { BYTES_FIELDS, replyFields } from './fields.js';
import { writeRefusal } from './reply.js';

export interface Passing {
  readonly path: string;
  readonly fields: readonly string[];
  readonly origin: string | undefined;
}

const UNREACHABLE = plainRefusal('upstreamUnreachable', 'the upstream cannot be reached');
const TOO_SLOW = plainRefusal('upstreamTooSlow', 'the upstream did not answer in time');

/** One upstream's http-proxy. It does not tell the upstream when a client leaves, so that is done here. */
export class Passer {
  readonly #proxy: httpProxy;
  readonly #agent: HttpAgent;
  readonly #host: string;
  readonly #idleMs: number;

  constructor(upstream: Upstream, idleMs: number) {
    const { protocol, hostname, port, host } = upstream.url;
    const tls = { ca: upstream.ca, cert: upstream.cert, key: upstream.key };
    this.#agent =
      protocol === 'https:'
        ? new HttpsAgent({ keepAlive: true, ...tls })
        : new HttpAgent({ keepAlive: true });
    this.#host = upstream.headers.get('host') ?? host;
    this.#idleMs = idleMs;
    this.#proxy = httpProxy.createProxyServer({
      target: {
        protocol,
        host: hostname.replace(/^\[|\]$/g, ''),
        port: port || (protocol === 'https:' ? '443' : '80'),
      },
      agent: this.#agent,
      selfHandleResponse: true,
      // The path is stated with the fields: http-proxy shall not read the client's.
      toProxy: true,
      ignorePath: true,
    });
  }

  pass(req: IncomingMessage, res: ServerResponse, passing: Passing): void {
    const body = new EmptyBody();
    let silent = false;
    let sent: ClientRequest | undefined;
    // http-proxy would not announce a request that expects 100-continue, which is answered by the server here.
    delete req.headers.expect;
    const onRequest = (proxied: ClientRequest, announced: IncomingMessage) => {
      if (announced !== req) return;
      this.#proxy.off('proxyReq', onRequest);
      sent = proxied;
      restate(proxied, passing, this.#host);
      res.once('close', () => proxied.destroy());
      proxied.setTimeout(this.#idleMs, () => {
        silent = true;
        proxied.destroy();
      });
      body.end();
    };
    const onResponse = (answer: IncomingMessage, announced: IncomingMessage) => {
      if (announced !== req) return;
      this.#proxy.off('proxyRes', onResponse);
      res.writeHead(answer.statusCode ?? 502, fieldsOf(answer, passing.origin));
      answer.pipe(res);
      answer.once('error', () => res.destroy());
      answer.once('aborted', () => res.destroy());
    };
    const stopListening = () => void this.#proxy.off('proxyReq', onRequest).off('proxyRes', onResponse);
    this.#proxy.on('proxyReq', onRequest).on('proxyRes', onResponse);
    res.once('close', stopListening);
    this.#proxy.web(req, res, { buffer: body }, (error) => {
      if (res.headersSent) res.destroy();
      else if (!silent && !res.destroyed && wasStale(sent, error)) {
        stopListening();
        this.pass(req, res, passing);
      } else writeRefusal(res, silent ? TOO_SLOW : UNREACHABLE, passing.origin);
    });
  }

  close(): void {
    this.#agent.destroy();
    this.#proxy.close();
  }
}

/**
 * The upstream had closed the kept connection before the request came. What passes through is safe to send again
 * (RFC 9110 section 9.2.2), and this ends with the kept connections.
 */
function wasStale(sent: ClientRequest | undefined, { code }: NodeJS.ErrnoException): boolean {
  return sent?.reusedSocket === true && (code === 'ECONNRESET' || code === 'EPIPE');
}

/** Path and fields as judged, instead of what http-proxy made of them. */
function restate(proxied: ClientRequest, { path, fields }: Passing, host: string): void {
  proxied.path = path;
  for (const name of proxied.getHeaderNames()) proxied.removeHeader(name);
  proxied.setHeader('host', host);
  for (let index = 0; index + 1 < fields.length; index += 2) {
    if (fields[index] !== 'host') proxied.appendHeader(fields[index] as string, fields[index + 1] as string);
  }
}

function fieldsOf(answer: IncomingMessage, origin: string | undefined): string[] {
  const upstream = new HeaderFields(answer.rawHeaders);
  const fields = replyFields(upstream, false, origin);
  // A cache may keep this answer: for a page of another origin it would be another.
  if (origin === undefined) fields.push('vary', 'Origin');
  for (const name of BYTES_FIELDS) for (const value of upstream.all(name)) fields.push(name, value);
  return fields;
}
