import type { ServerResponse } from 'node:http';

/**
 * A client that is still sending would lose its answer along with the connection. So that is closed when the rest of its
 * request has been read, or when the time for requests is up (RFC 9112, 9.6).
 */
export function linger({ req }: ServerResponse): void {
  const { socket } = req;
  if (req.complete) return;
  // What node:http calls once an answer is written that is the last on its connection.
  socket.destroySoon = () => {
    socket.end();
    req.once('close', () => socket.destroy());
  };
  req.once('close', () => Reflect.deleteProperty(socket, 'destroySoon'));
}
