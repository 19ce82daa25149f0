/** The stand-in for Ze's MCP endpoint: what `mrtr-gateway demo` puts behind the gateway. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { METHOD_LISTEN } from '../protocol/constants.js';
import { HeaderFields } from '../protocol/headers.js';
import type { ClientMessage } from '../protocol/messages.js';
import { isLoopbackOrigin } from '../protocol/origins.js';
import { admitRequest, readBody } from './admission.js';
import { answer } from './methods.js';
import type { Misbehaviour } from './misbehave.js';
import { type DemoReply, eventText, refuse, replyText } from './reply.js';
import { DemoSubscriptions } from './subscriptions.js';
import { DemoTasks } from './tasks.js';
import type { Workplace } from './tools.js';

const PATH = '/mcp';
const MAX_BODY_BYTES = 1_048_576;

export interface DemoOptions {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly misbehave?: ReadonlySet<Misbehaviour>;
  /** Milliseconds since the epoch; tasks live by it. */
  readonly now?: () => number;
  /** Between two comments on an idle subscription stream. */
  readonly keepAliveMs?: number;
}

export interface DemoUpstream {
  readonly url: string;
  /** Ends open streams with their closing result, then stops listening. */
  readonly close: () => Promise<void>;
}

/** Starts the stand-in; resolves when it listens. Rejects when the address cannot be bound. */
export async function startDemoUpstream(options: DemoOptions): Promise<DemoUpstream> {
  const place: Workplace = {
    misbehave: options.misbehave ?? new Set(),
    tasks: new DemoTasks(options.now ?? Date.now),
    subscriptions: new DemoSubscriptions(options.keepAliveMs ?? 15_000),
  };
  const server = createServer((request, response) => {
    serve(request, response, place).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const { address, port, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}${PATH}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await place.subscriptions.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function serve(request: IncomingMessage, response: ServerResponse, place: Workplace): Promise<void> {
  const turnedAway = turnAway(request);
  if (turnedAway !== undefined) {
    if (turnedAway.status === 405) response.setHeader('allow', 'POST');
    send(response, turnedAway, undefined);
    return;
  }
  const text = await readText(request);
  const read = text === undefined ? refuse('bodyTooLarge', 'request body too large') : readBody(text);
  if ('payload' in read) send(response, read, undefined);
  else if (read.id === undefined) response.writeHead(202).end();
  else reply(read, new HeaderFields(request.rawHeaders), response, place);
}

/** What is refused before the body is read. */
function turnAway({ url = '', method, headers }: IncomingMessage): DemoReply | undefined {
  if (url.split('?', 1)[0] !== PATH) return refuse('notFound', 'not found');
  if (headers.origin !== undefined && !isLoopbackOrigin(headers.origin))
    return refuse('originForbidden', 'origin not allowed');
  if (method !== 'POST') return refuse('methodNotAllowed', 'method not allowed');
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? ''))
    return refuse('unsupportedMediaType', 'content type must be application/json');
  return undefined;
}

async function readText(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function reply(
  message: ClientMessage,
  headers: HeaderFields,
  response: ServerResponse,
  place: Workplace,
): void {
  const refusal = admitRequest(message, headers);
  if (refusal !== undefined) {
    send(response, refusal, message);
  } else if (message.method === METHOD_LISTEN) {
    beginStream(response, 200);
    place.subscriptions.open(message, response);
  } else {
    send(response, answer(message, place), message);
  }
}

function send(response: ServerResponse, reply: DemoReply, message: ClientMessage | undefined): void {
  const text = replyText(reply, message?.id);
  if (reply.ahead.length === 0) {
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(text);
    return;
  }
  beginStream(response, reply.status);
  for (const ahead of reply.ahead) response.write(eventText(ahead));
  response.end(eventText(text));
}

function beginStream(response: ServerResponse, status: number): void {
  response.writeHead(status, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  });
}
