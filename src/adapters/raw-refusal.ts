/** Refusals on a bare socket: of what never became a request, or stopped being one before it was whole. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Ledger } from '../engine/ledger.js';
import { plainRefusal } from '../engine/refusal.js';
import type { RefusalKey } from '../protocol/errors.js';

const REASONS: ReadonlyMap<number, string> = new Map([
  [404, 'Not Found'],
  [408, 'Request Timeout'],
  [431, 'Request Header Fields Too Large'],
]);
const refused = new WeakMap<Socket, number>();

/** Answers, and closes the connection. */
export function refuseRaw(socket: Socket, key: RefusalKey, message: string): void {
  const { status, body } = plainRefusal(key, message);
  refused.set(socket, status);
  const head = `HTTP/1.1 ${status} ${REASONS.get(status) ?? 'Bad Request'}\r\ncontent-type: application/json\r\n`;
  socket.end(`${head}content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`);
}

/** What the client was told at last: by the reply, or on the bare socket while its request was still on its way. */
export function accountStatus(ledger: Ledger, { headersSent, statusCode, req }: ServerResponse): void {
  const raw = refused.get(req.socket);
  if (headersSent) ledger.status = statusCode;
  else if (raw !== undefined) {
    ledger.outcome = 'refused_inbound';
    ledger.status = raw;
  }
}
