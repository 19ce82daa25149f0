/** Sees every byte on a connection, as the HTTP library writes and reads it: inside TLS, heads and framing included. */
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

export interface Tap {
  readonly sent: Buffer[];
  readonly received: Buffer[];
  receivedBytes: number;
  readonly told: (direction: 'sent' | 'received', bytes: Buffer) => void;
}

export function tapped(connector: buildConnector.connector, tap: Tap): buildConnector.connector {
  return (options, callback) =>
    connector(options, (...result) => {
      if (result[1]) listenIn(result[1], tap);
      callback(...result);
    });
}

function listenIn(socket: Socket, tap: Tap): void {
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  socket.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    const encoding = typeof rest[0] === 'string' ? (rest[0] as BufferEncoding) : 'utf8';
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : Buffer.from(chunk);
    tap.sent.push(bytes);
    tap.told('sent', bytes);
    return write(chunk, ...rest);
  }) as Socket['write'];
  const read = socket.read.bind(socket);
  socket.read = (size?: number) => {
    const chunk = read(size) as Buffer | null;
    if (chunk !== null) {
      const bytes = Buffer.from(chunk);
      tap.received.push(bytes);
      tap.receivedBytes += bytes.length;
      tap.told('received', bytes);
    }
    return chunk;
  };
}
