/** One exchange read in full, to know what the many have to look like. */
import { connect } from 'node:net';
import { AnswerReader } from '../parts/answer-reader.js';

export interface Answer {
  readonly status: number;
  readonly body: string;
  /** Bytes of the body, without what frames it. */
  readonly bodyBytes: number;
}

export function probe(port: number, request: Uint8Array): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const reader = new AnswerReader();
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    socket.setTimeout(60_000, () => socket.destroy(new Error('no answer')));
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`closed after ${Buffer.concat(chunks)}`)));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (!reader.take(chunk)) return;
      socket.destroy();
      resolve({ status: reader.status, bodyBytes: reader.bodyBytes, body: bodyOf(Buffer.concat(chunks)) });
    });
  });
}

function bodyOf(raw: Buffer): string {
  const end = raw.indexOf('\r\n\r\n');
  const head = raw.toString('latin1', 0, end);
  const body = raw.subarray(end + 4);
  return /\r\ntransfer-encoding: *chunked/i.test(head) ? unchunk(body).toString() : body.toString();
}

function unchunk(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.toString('latin1', at, lineEnd), 16);
    if (!(size > 0)) return Buffer.concat(parts);
    parts.push(body.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}
