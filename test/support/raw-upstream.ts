/** An upstream as bare connections: what its script does with one is all that happens on it. */

import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

export type Script = (connection: Connection) => unknown;

export interface Connection {
  readonly socket: Socket;
  /** The next whole request; never resolves when the connection ends before. */
  readonly request: () => Promise<RawRequest>;
  /** Resolves when the kernel has taken the bytes, or the connection is gone. */
  readonly send: (bytes: string | Uint8Array) => Promise<void>;
  /** The other side is gone. */
  readonly closed: Promise<void>;
  readonly gone: () => boolean;
}

export interface RawRequest {
  readonly head: string;
  readonly body: string;
  /** The id of the message as JSON text. */
  readonly id: string;
}

export interface RawUpstream {
  readonly port: number;
  readonly url: string;
  /** From now on new connections are served so. */
  readonly use: (script: Script) => void;
  /** Connections that are open now. */
  readonly open: () => number;
  /** Closes the connections that have carried nothing: undici connects anew after it has cut a request. */
  readonly closeSpare: () => void;
  /** Every connection so far. */
  readonly connections: readonly Connection[];
  /** Stops listening and cuts what is open; `listen` brings it back on the same port. */
  readonly stop: () => Promise<void>;
  readonly listen: () => Promise<void>;
}

export async function startRawUpstream(
  script: Script,
  tls?: TlsOptions,
  host = '127.0.0.1',
): Promise<RawUpstream> {
  const connections: Connection[] = [];
  const open = new Set<Socket>();
  let current = script;
  let port = 0;
  let server: Server | undefined;
  const serve = (socket: Socket) => {
    const connection = connectionOf(socket);
    connections.push(connection);
    void (async () => current(connection))().catch(() => socket.destroy());
  };
  const listen = async () => {
    const next =
      tls === undefined ? createServer({ allowHalfOpen: true, noDelay: true }) : createTlsServer(tls);
    next.on('connection', (socket: Socket) => {
      open.add(socket);
      // Its own side of a connection may end alone; the gateway's end is the end of it.
      socket
        .on('close', () => open.delete(socket))
        .on('end', () => socket.destroy())
        .on('error', () => undefined);
    });
    next.on(tls === undefined ? 'connection' : 'secureConnection', serve);
    next.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => next.listen(port, host, resolve));
    port = (next.address() as AddressInfo).port;
    server = next;
  };
  await listen();
  return {
    port,
    url: `${tls === undefined ? 'http' : 'https'}://${host}:${port}/mcp`,
    use: (next) => {
      current = next;
    },
    open: () => open.size,
    closeSpare: () => {
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    },
    connections,
    stop: async () => {
      const closed = new Promise((resolve) => server?.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
    },
    listen,
  };
}

function connectionOf(socket: Socket): Connection {
  let received = '';
  let more: () => void = () => undefined;
  let gone = false;
  const sending = new Set<() => void>();
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      gone = true;
      for (const done of sending) done();
      resolve();
    });
  });
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1');
    more();
  });
  socket.on('error', () => undefined);
  return {
    socket,
    closed,
    gone: () => gone,
    request: async () => {
      for (;;) {
        const taken = takeRequest(received);
        if (taken !== undefined) {
          received = received.slice(taken.length);
          return taken.request;
        }
        await new Promise<void>((resolve) => {
          more = resolve;
        });
      }
    },
    send: async (bytes) => {
      if (gone) return;
      await new Promise<void>((resolve) => {
        sending.add(resolve);
        socket.write(bytes, () => {
          sending.delete(resolve);
          resolve();
        });
      });
    },
  };
}

function takeRequest(text: string): { readonly length: number; readonly request: RawRequest } | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = text.slice(0, end);
  const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
  const body = text.slice(end + 4, end + 4 + length);
  if (body.length < length) return undefined;
  return { length: end + 4 + length, request: { head, body, id: idOf(body) } };
}

function idOf(body: string): string {
  try {
    return JSON.stringify((JSON.parse(body) as { readonly id?: unknown }).id ?? null);
  } catch {
    return 'null';
  }
}

/** The result that a request asks for, as text. */
export function resultText({ id }: RawRequest, content = '[]'): string {
  return `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"complete","content":${content}}}`;
}

/** A whole answer as bytes; fields as written, after status line and media type. */
export function jsonAnswer(body: string, ...fields: readonly string[]): string {
  return jsonHead(`content-length: ${Buffer.byteLength(body)}`, ...fields) + body;
}

export function answerHead(status: string, fields: readonly string[]): string {
  return `HTTP/1.1 ${status}\r\n${fields.map((field) => `${field}\r\n`).join('')}\r\n`;
}

/** The head of an answer in JSON. */
export function jsonHead(...fields: readonly string[]): string {
  return answerHead('200 OK', ['content-type: application/json', ...fields]);
}

/** The head of an event stream in chunks. */
export function streamHead(...fields: readonly string[]): string {
  return answerHead('200 OK', ['content-type: text/event-stream', 'transfer-encoding: chunked', ...fields]);
}

/** One piece of a chunked body. */
export function chunk(bytes: string | Uint8Array): Buffer {
  const content = Buffer.from(bytes as string);
  return Buffer.concat([Buffer.from(`${content.length.toString(16)}\r\n`), content, Buffer.from('\r\n')]);
}

/** One piece after another until the other side is gone, each once the kernel has taken the one before and `turn` has come. */
export async function trickle(
  { send, gone }: Connection,
  pieces: string | Iterable<string | Uint8Array>,
  turn: () => unknown = nextTurn,
): Promise<void> {
  for (const piece of pieces) {
    if (gone()) return;
    await send(piece);
    await turn();
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export function* endlessly<T>(piece: T): Generator<T> {
  for (;;) yield piece;
}

export const LAST_CHUNK = '0\r\n\r\n';

/** Answers every request as it should be, and keeps its connection. */
export const answering: Script = async ({ request, send }) => {
  for (;;) await send(jsonAnswer(resultText(await request())));
};

/** The same with one connection a request. */
export const answeringOnce: Script = async ({ request, send, socket }) => {
  await send(jsonAnswer(resultText(await request()), 'connection: close'));
  socket.end();
};
