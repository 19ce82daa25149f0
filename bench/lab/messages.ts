/** Prepared HTTP messages: requests that conform to the revision, and a server's answers. */
import { requestHeaders, requestText } from '../../test/support/client.js';

export interface RequestOptions {
  readonly id?: number;
  readonly params?: Record<string, unknown>;
  readonly capabilities?: unknown;
  readonly meta?: Record<string, unknown>;
  readonly headers?: Record<string, string | undefined>;
  /** Which of the upstream's answers it gets. */
  readonly answer?: number;
}

export const FORM_AND_URL = { elicitation: { form: {}, url: {} } };

export function requestBytes(method: string, options: RequestOptions = {}): Uint8Array {
  const { answer, ...call } = { capabilities: FORM_AND_URL, ...options };
  const body = requestText(method, call);
  const fields = {
    host: '127.0.0.1',
    'user-agent': 'bench/1',
    authorization: 'Bearer 0123456789abcdef0123456789abcdef',
    ...requestHeaders(method, call),
    ...(answer !== undefined && { 'x-answer': String(answer) }),
    'content-length': String(Buffer.byteLength(body)),
  };
  return bytes('POST /mcp HTTP/1.1', fields, body);
}

export function answerBytes(body: string, status = 200): Uint8Array {
  const fields = {
    'content-type': 'application/json',
    date: new Date().toUTCString(),
    'content-length': String(Buffer.byteLength(body)),
  };
  return bytes(`HTTP/1.1 ${status} OK`, fields, body);
}

function bytes(first: string, fields: Readonly<Record<string, string>>, body: string): Uint8Array {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${first}\r\n${lines.join('')}\r\n${body}`);
}

export function resultText(result: unknown, id = 1): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}

const CHUNK_END = '\r\n';

/** The head, and each event, as a write of its own; `open` leaves the stream so. */
export function eventStream(events: readonly string[], after: 'end' | 'open' = 'end'): readonly Uint8Array[] {
  const fields = {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    'transfer-encoding': 'chunked',
  };
  const head = bytes('HTTP/1.1 200 OK', fields, '');
  const chunks = events.map((event) => chunk(`data: ${event}\n\n`));
  return [head, ...chunks, ...(after === 'end' ? [Buffer.from(`0${CHUNK_END}${CHUNK_END}`)] : [])];
}

function chunk(text: string): Uint8Array {
  return Buffer.from(`${Buffer.byteLength(text).toString(16)}${CHUNK_END}${text}${CHUNK_END}`);
}
