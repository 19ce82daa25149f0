/** The binary's listeners: node:http in front, the MCP path served before Express's router, everything else by Express. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import express from 'express';
import type { Timeouts } from '../engine/plan.js';
import { plainRefusal } from '../engine/refusal.js';
import type { RefusalKey } from '../protocol/errors.js';
import { Connections } from './connections.js';
import type { Handler } from './express.js';
import { writeRefusal } from './reply.js';

const MAX_HEADER_BYTES = 32_768;
const CHECK_EVERY_MS = 1_000;

/** What Node's parser could not take: the refusal for each of its codes; 400 for any other. */
const PARSER_REFUSALS: ReadonlyMap<string, readonly [RefusalKey, string]> = new Map([
  ['HPE_HEADER_OVERFLOW', ['headersTooLarge', 'the request head is too large']],
  ['ERR_HTTP_REQUEST_TIMEOUT', ['requestTimeout', 'the request was not complete in time']],
] as const);

export interface GatewayServer {
  readonly server: Server;
  readonly connections: Connections;
  applyTimeouts(timeouts: Timeouts): void;
}

export function createGatewayServer(
  handler: Handler,
  isEndpoint: (target: string) => boolean,
  timeouts: Timeouts,
): GatewayServer {
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use((req, res) => handler(req, res));
  const limits = { maxHeaderSize: MAX_HEADER_BYTES, connectionsCheckingInterval: CHECK_EVERY_MS };
  const server = createServer(limits, (req, res) => {
    connections.owe(res);
    const target = req.url ?? '';
    // What is no path Express cannot route: it would answer in HTML that quotes it.
    if (isEndpoint(target) || !target.startsWith('/')) handler(req, res);
    else app(req, res);
  });
  const connections = new Connections(server);
  const applyTimeouts = ({ requestMs, keepAliveTimeoutMs }: Timeouts): void => {
    Object.assign(server, { requestTimeout: requestMs, headersTimeout: requestMs });
    server.keepAliveTimeout = keepAliveTimeoutMs;
  };
  applyTimeouts(timeouts);
  server.on('checkExpectation', (_: IncomingMessage, res: ServerResponse) =>
    writeRefusal(res, plainRefusal('expectationFailed', 'the expectation cannot be met'), undefined),
  );
  server.on('connect', (_: IncomingMessage, socket: Socket) => refuseRaw(socket, 'notFound', 'not found'));
  server.on('clientError', (error: Error & { code?: string }, socket: Socket) => {
    const [key, message] = PARSER_REFUSALS.get(error.code ?? '') ?? [
      'invalidRequest',
      'the request is not valid HTTP',
    ];
    refuseRaw(socket, key, message);
  });
  return { server, connections, applyTimeouts };
}

/** Answers on a socket that has no response object, and closes it. */
function refuseRaw(socket: Socket, key: RefusalKey, message: string): void {
  if (!socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const { status, body } = plainRefusal(key, message);
  const head = `HTTP/1.1 ${status} ${REASONS.get(status) ?? 'Bad Request'}\r\ncontent-type: application/json\r\n`;
  socket.end(`${head}content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`);
}

const REASONS: ReadonlyMap<number, string> = new Map([
  [404, 'Not Found'],
  [408, 'Request Timeout'],
  [431, 'Request Header Fields Too Large'],
]);

/** Starts listening; resolves to the address, rejects when it cannot be had. */
export function listen(server: Server, { host, port }: { host: string; port: number }): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}
