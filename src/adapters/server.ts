/** The binary's listeners: node:http in front, the MCP path served before Express's router, everything else by Express. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import express from 'express';
import type { Observer } from '../engine/observer.js';
import type { GatewayPlan } from '../engine/plan.js';
import { plainRefusal } from '../engine/refusal.js';
import type { RefusalKey } from '../protocol/errors.js';
import { Connections, type Share } from './connections.js';
import type { Handler } from './express.js';
import { refuseRaw } from './raw-refusal.js';
import { writeRefusal } from './reply.js';

const CHECK_EVERY_MS = 1_000;
/**
 * Connections that the kernel holds while the loop is busy, of which Node takes one a turn. Those beyond, 511 unless said,
 * time out and are reset though their clients saw them open; Linux caps it by net.core.somaxconn.
 */
const WAITING_CONNECTIONS = 4_096;
const TOO_MANY = plainRefusal('tooManyRequests', 'too many connections from this client');
const HOSTLESS = plainRefusal('invalidRequest', 'the request names no host');

/** What Node's parser could not take: the refusal for each of its codes; 400 for any other. */
const PARSER_REFUSALS: ReadonlyMap<string, readonly [RefusalKey, string]> = new Map([
  ['HPE_HEADER_OVERFLOW', ['headersTooLarge', 'the request head is too large']],
  ['ERR_HTTP_REQUEST_TIMEOUT', ['requestTimeout', 'the request was not complete in time']],
] as const);

export type ListenerPlan = Pick<GatewayPlan, 'limits' | 'timeouts' | 'trustsProxy'>;

export interface GatewayServer {
  readonly server: Server;
  readonly connections: Connections;
  /** Its limits and timeouts, for connections that come from now on. */
  apply(plan: ListenerPlan): void;
}

export function createGatewayServer(
  handler: Handler,
  isEndpoint: (target: string) => boolean,
  plan: ListenerPlan,
  observer: Pick<Observer, 'limitRejected'>,
): GatewayServer {
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use((req, res) => handler(req, res));
  // A request without Host is refused here, in JSON, as are those that Node would answer by itself.
  const options = { connectionsCheckingInterval: CHECK_EVERY_MS, requireHostHeader: false };
  const serve = (req: IncomingMessage, res: ServerResponse): void => {
    connections.owe(res);
    if (refusedAtOnce(req, res, connections)) return;
    const target = req.url ?? '';
    // What is no path Express cannot route: it would answer in HTML that quotes it.
    if (isEndpoint(target) || !target.startsWith('/')) handler(req, res);
    else app(req, res);
  };
  const server = createServer(options, serve);
  // Fields past a number would go unseen: their bytes are what is limited.
  server.maxHeadersCount = 0;
  const connections = new Connections(server, observer, shareOf(plan));
  const apply = (next: ListenerPlan): void => {
    const { requestMs, keepAliveTimeoutMs } = next.timeouts;
    Object.assign(server, { requestTimeout: requestMs, headersTimeout: requestMs });
    Object.assign(server, { maxHeaderSize: next.limits.headerBytes });
    server.keepAliveTimeout = keepAliveTimeoutMs;
    connections.share = shareOf(next);
  };
  apply(plan);
  server.on('checkExpectation', (_: IncomingMessage, res: ServerResponse) =>
    writeRefusal(res, plainRefusal('expectationFailed', 'the expectation cannot be met'), undefined),
  );
  server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => {
    askWhenRead(req, res);
    serve(req, res);
  });
  server.on('connect', (_: IncomingMessage, socket: Socket) => refuseRaw(socket, 'notFound', 'not found'));
  server.on('clientError', (error: Error & { code?: string }, socket: Socket) => {
    const [key, message] = PARSER_REFUSALS.get(error.code ?? '') ?? [
      'invalidRequest',
      'the request is not valid HTTP',
    ];
    if (key === 'headersTooLarge') observer.limitRejected('headerBytes');
    // Who leaves in the middle of a request is owed no answer.
    if (error.code !== 'HPE_INVALID_EOF_STATE' && connections.isFree(socket)) refuseRaw(socket, key, message);
    else socket.destroy();
  });
  return { server, connections, apply };
}

function shareOf({ limits, trustsProxy }: ListenerPlan): Share {
  return { limit: limits.socketsPerClient, trustsProxy };
}

/** What is no request for anybody: one on a connection too many, or one that does not say to which host. */
function refusedAtOnce(req: IncomingMessage, res: ServerResponse, connections: Connections): boolean {
  if (connections.isExcess(req.socket)) {
    // A connection that is closed before its request was read may take the answer with it.
    req.once('close', () => req.socket.destroySoon());
    writeRefusal(res, TOO_MANY, undefined);
    return true;
  }
  if (req.headers.host !== undefined || req.httpVersion !== '1.1') return false;
  writeRefusal(res, HOSTLESS, undefined);
  return true;
}

/** A client that waits to be asked for its body is asked when it is read: what is refused by its head never is (RFC 9110, 10.1.1). */
function askWhenRead(req: IncomingMessage, res: ServerResponse): void {
  let asked = false;
  const ask = () => {
    if (asked || res.headersSent) return;
    asked = true;
    res.writeContinue();
  };
  req.once('resume', ask).once('end', ask);
}

/** Starts listening; resolves to the address, rejects when it cannot be had. */
export function listen(server: Server, { host, port }: { host: string; port: number }): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: WAITING_CONNECTIONS }, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}
