/** A client that sends a request and then reads only when it is told to. */
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface SlowClient {
  /** Reads until the other side closes, and returns every byte. */
  readonly rest: () => Promise<Buffer>;
  /** Goes away without having read. */
  readonly leave: () => void;
  readonly socket: Socket;
}

export async function sendUnread(port: number, request: Uint8Array): Promise<SlowClient> {
  const socket = connect(port, '127.0.0.1');
  socket.pause();
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  socket.write(request);
  return {
    socket,
    leave: () => void socket.resetAndDestroy(),
    rest: async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of socket) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks);
    },
  };
}

/** Resolves to the value once it has stopped growing for a while. Looking too early only makes it smaller. */
export async function atRest(value: () => number): Promise<number> {
  let last = value();
  for (let same = 0; same < 10; ) {
    await delay(20);
    const now = value();
    same = now > 0 && now === last ? same + 1 : 0;
    last = now;
  }
  return last;
}
