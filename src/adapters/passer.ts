/** Bytes that nobody judges: http-proxy carries them. */
import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { PassThrough as EmptyBody } from 'node:stream';
import httpProxy from 'http-proxy';
import type { Upstream } from '../engine/plan.js';
import { plainRefusal } from '../engine/refusal.js';
import { HeaderFields } from '../protocol/headers.js';
import { replyFields } from './fields.js';
import { writeRefusal } from './reply.js';

export interface Passing {
  readonly path: string;
  readonly fields: readonly string[];
  readonly origin: string | undefined;
}

/** One upstream's http-proxy. It does not tell the upstream when a client leaves, so that is done here. */
export class Passer {
  readonly #proxy: httpProxy;
  readonly #agent: HttpAgent;

  constructor(upstream: Upstream, idleMs: number) {
    const { protocol, hostname, port } = upstream.url;
    const tls = { ca: upstream.ca, cert: upstream.cert, key: upstream.key };
    this.#agent =
      protocol === 'https:'
        ? new HttpsAgent({ keepAlive: true, ...tls })
        : new HttpAgent({ keepAlive: true });
    const host = hostname.replace(/^\[|\]$/g, '');
    this.#proxy = httpProxy.createProxyServer({
      target: { protocol, host, port: port || (protocol === 'https:' ? '443' : '80') },
      agent: this.#agent,
      changeOrigin: true,
      selfHandleResponse: true,
      ...(idleMs > 0 && { proxyTimeout: idleMs }),
    });
  }

  pass(req: IncomingMessage, res: ServerResponse, passing: Passing): void {
    const body = new EmptyBody();
    // http-proxy would not announce a request that expects 100-continue, which is answered by the server here.
    delete req.headers.expect;
    const onRequest = (proxied: ClientRequest, announced: IncomingMessage) => {
      if (announced !== req) return;
      this.#proxy.off('proxyReq', onRequest);
      restate(proxied, passing);
      res.once('close', () => proxied.destroy());
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
    this.#proxy.on('proxyReq', onRequest).on('proxyRes', onResponse);
    res.once('close', () => this.#proxy.off('proxyReq', onRequest).off('proxyRes', onResponse));
    this.#proxy.web(req, res, { buffer: body }, () => {
      if (res.headersSent) res.destroy();
      else
        writeRefusal(
          res,
          plainRefusal('upstreamUnreachable', 'the upstream cannot be reached'),
          passing.origin,
        );
    });
  }

  close(): void {
    this.#agent.destroy();
    this.#proxy.close();
  }
}

/** Path and fields as judged, instead of what http-proxy made of them. */
function restate(proxied: ClientRequest, { path, fields }: Passing): void {
  proxied.path = path;
  const host = proxied.getHeader('host');
  for (const name of proxied.getHeaderNames()) proxied.removeHeader(name);
  if (host !== undefined) proxied.setHeader('host', host);
  for (let index = 0; index + 1 < fields.length; index += 2)
    proxied.appendHeader(fields[index] as string, fields[index + 1] as string);
}

function fieldsOf(answer: IncomingMessage, origin: string | undefined): string[] {
  const upstream = new HeaderFields(answer.rawHeaders);
  const fields = replyFields(upstream, false, origin);
  for (const name of ['content-length', 'content-encoding'])
    for (const value of upstream.all(name)) fields.push(name, value);
  return fields;
}
