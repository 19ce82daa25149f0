/**
 * A scriptable raw HTTP upstream: what a reply function returns goes out byte for byte, and every request, every abort
 * and every byte taken is recorded. It knows nothing of MCP beyond the helpers that build JSON-RPC text.
 */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** Bytes to write, or something to wait for before the next step. Each piece of bytes is a write of its own. */
export type Step = string | Uint8Array | Promise<unknown> | (() => unknown);
export type Body = string | Uint8Array | Iterable<Step> | AsyncIterable<Step>;

export interface HttpReply {
  /** 200 unless given. */
  readonly status?: number;
  readonly headers?: OutgoingHttpHeaders | readonly string[];
  readonly body?: Body;
  /** What happens after the last step: `end` unless given. `destroy` cuts the socket without an ending. */
  readonly after?: 'end' | 'stay-open' | 'destroy';
}

/** `never` keeps the request unanswered; `raw` goes to the socket as it is, which then ends. */
export type Reply = HttpReply | { readonly never: true } | { readonly raw: string | Uint8Array };
export type ReplyFunction = (request: UpstreamRequest, n: number) => Reply | Promise<Reply>;

export interface UpstreamRequest {
  readonly method: string;
  /** The request target as received. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as received: duplicates and letter case are kept. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly text: string;
  /** The parsed body; throws when it is no JSON. */
  readonly json: () => RpcJson;
  /** Resolves when the other side goes away before its reply was finished. */
  readonly aborted: Promise<void>;
  /** Resolves when the exchange is over, however it ended. */
  readonly closed: Promise<void>;
  /** Body bytes of the reply that the socket has taken so far. */
  readonly taken: () => number;
}

export interface RpcJson {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
}

export interface Upstream {
  /** `http://127.0.0.1:<port>` and the URL of its MCP path. */
  readonly origin: string;
  readonly url: string;
  readonly requests: readonly UpstreamRequest[];
  /** The n-th request, counted from 0, as soon as its body has arrived. */
  readonly request: (n: number) => Promise<UpstreamRequest>;
  /** From now on replies come from here. */
  readonly answer: (reply: ReplyFunction) => void;
  readonly close: () => Promise<void>;
}

const DEFAULT_HEADERS: OutgoingHttpHeaders = { 'content-type': 'application/json' };

export async function startUpstream(reply: ReplyFunction = () => ({ never: true })): Promise<Upstream> {
  const requests: UpstreamRequest[] = [];
  const waiting = new Map<number, Gate<UpstreamRequest>>();
  const sockets = new Set<Socket>();
  let current = reply;

  const server = createServer({ keepAlive: true, noDelay: true, requireHostHeader: false });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  server.on('request', (incoming, response) => {
    const received = async () => {
      const record = await recordRequest(incoming, response);
      const n = requests.push(record.request) - 1;
      waiting.get(n)?.open(record.request);
      await send(response, await current(record.request, n), record);
    };
    received().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    origin,
    url: `${origin}/mcp`,
    requests,
    request: async (n) => {
      const known = requests[n];
      if (known !== undefined) return known;
      const coming = waiting.get(n) ?? gate<UpstreamRequest>();
      waiting.set(n, coming);
      return coming.opened;
    },
    answer: (next) => {
      current = next;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

interface Recorded {
  readonly request: UpstreamRequest;
  readonly took: (bytes: number) => void;
}

async function recordRequest(incoming: IncomingMessage, response: ServerResponse): Promise<Recorded> {
  const aborted = gate();
  const closed = gate();
  response.on('error', () => undefined);
  response.on('close', () => {
    if (!response.writableFinished) aborted.open();
    closed.open();
  });
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  let taken = 0;
  const request: UpstreamRequest = {
    method: incoming.method ?? '',
    target: incoming.url ?? '',
    headers: incoming.headers,
    rawHeaders: incoming.rawHeaders,
    body,
    text: body.toString('utf8'),
    json: () => JSON.parse(body.toString('utf8')) as RpcJson,
    aborted: aborted.opened,
    closed: closed.opened,
    taken: () => taken,
  };
  return {
    request,
    took: (bytes) => {
      taken += bytes;
    },
  };
}

async function send(response: ServerResponse, reply: Reply, record: Recorded): Promise<void> {
  if ('never' in reply) return;
  if ('raw' in reply) {
    response.socket?.end(reply.raw);
    return;
  }
  const { status = 200, headers = DEFAULT_HEADERS, body = '', after = 'end' } = reply;
  response.writeHead(status, headers as OutgoingHttpHeaders);
  if (typeof body === 'string' || body instanceof Uint8Array) {
    if (after === 'end') {
      response.end(body, () => record.took(Buffer.byteLength(body)));
      return;
    }
    await write(response, body, record);
  } else {
    response.flushHeaders();
    for await (const step of body) await take(response, step, record);
  }
  if (after === 'end') response.end();
  if (after === 'destroy') response.destroy();
}

async function take(response: ServerResponse, step: unknown, record: Recorded): Promise<void> {
  if (typeof step === 'string' || step instanceof Uint8Array) await write(response, step, record);
  else await (typeof step === 'function' ? step() : step);
}

/** Waits until the kernel took the bytes, so that a slow reader holds the script back. */
async function write(response: ServerResponse, bytes: string | Uint8Array, record: Recorded): Promise<void> {
  if (bytes.length === 0) return;
  await new Promise<void>((resolve, reject) => {
    response.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
  record.took(Buffer.byteLength(bytes));
}

export interface Gate<T = void> {
  readonly opened: Promise<T>;
  readonly open: (value: T) => void;
}

/** A promise to be kept from outside: `await gate.opened`, `gate.open()`. */
export function gate<T = void>(): Gate<T> {
  let open: (value: T) => void = () => undefined;
  const opened = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** A JSON reply. Text goes out as it is, a value as JSON. */
export function jsonReply(body: unknown, more: Omit<HttpReply, 'body'> = {}): HttpReply {
  const text = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  return { ...more, headers: more.headers ?? DEFAULT_HEADERS, body: text };
}

/** The JSON-RPC result that answers this request, with its id. */
export function resultReply(request: UpstreamRequest, result: unknown): HttpReply {
  return jsonReply({ jsonrpc: '2.0', id: request.json().id, result });
}

export function errorReply(request: UpstreamRequest, status: number, error: unknown): HttpReply {
  return jsonReply({ jsonrpc: '2.0', id: request.json().id, error }, { status });
}

/** An event stream of these steps; `stay-open` leaves it open until the other side goes. */
export function sseReply(body: Body, after: NonNullable<HttpReply['after']> = 'end'): HttpReply {
  return { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' }, body, after };
}

/** One event as text. `lineEnd` is the line ending of its framing; text is split into as many data lines as it has. */
export function sseEvent(message: unknown, lineEnd = '\n'): string {
  const text = typeof message === 'string' ? message : JSON.stringify(message);
  const lines = text.split('\n').map((line) => `data: ${line}${lineEnd}`);
  return `${lines.join('')}${lineEnd}`;
}

/** The same bytes in writes of `size` each. */
export function* inPieces(text: string | Uint8Array, size = 1): Generator<Uint8Array> {
  const bytes = Buffer.from(text as string);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
