/** HTTP as bytes on a socket, for what an HTTP client would tidy up before sending or after receiving. */
import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  /** Status codes of the interim (1xx) answers before it. */
  readonly interim: readonly number[];
  /** Names in lower case and values, as received. */
  readonly fields: readonly (readonly [string, string])[];
  readonly all: (name: string) => readonly string[];
  readonly one: (name: string) => string | undefined;
  readonly body: Buffer;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read freely into what they assert
  readonly json: () => any;
}

/** Sends the bytes and reads until the other side closes, so the request asks for that. */
export function sendRaw(port: number, ...pieces: readonly (string | Uint8Array)[]): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('end', () => {
      socket.end();
      const bytes = Buffer.concat(chunks);
      if (bytes.length === 0) reject(new Error('closed without an answer'));
      else resolve(parseAnswer(bytes));
    });
    for (const piece of pieces)
      socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece);
  });
}

/** A request as text: `line` is the request line without its version. Host and Connection are added unless given. */
export function rawRequest(
  line: string,
  fields: readonly string[] = [],
  body: string | Uint8Array = '',
): Buffer {
  const given = new Set(fields.map((field) => field.split(':', 1)[0]?.toLowerCase()));
  const head = [`${line} HTTP/1.1`, ...fields];
  if (!given.has('host')) head.push('Host: 127.0.0.1');
  if (!given.has('connection')) head.push('Connection: close');
  if (body.length > 0 && !given.has('content-length') && !given.has('transfer-encoding'))
    head.push(`Content-Length: ${Buffer.byteLength(body)}`);
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body as string)]);
}

export function parseAnswer(bytes: Buffer, interim: readonly number[] = []): RawAnswer {
  const end = bytes.indexOf('\r\n\r\n');
  const [line = '', ...rest] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(line.split(' ')[1]);
  const after = bytes.subarray(end + 4);
  if (status < 200) return parseAnswer(after, [...interim, status]);
  const fields = rest.map((field): readonly [string, string] => {
    const colon = field.indexOf(':');
    return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
  });
  const all = (name: string) => fields.filter(([one]) => one === name).map(([, value]) => value);
  const body = all('transfer-encoding').includes('chunked') ? unchunked(after) : after;
  return {
    status,
    interim,
    fields,
    all,
    one: (name) => all(name)[0],
    body,
    text: body.toString('utf8'),
    json: () => JSON.parse(body.toString('utf8')),
  };
}

function unchunked(bytes: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    if (!(size > 0)) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}
