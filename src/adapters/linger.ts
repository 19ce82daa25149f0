import type { ServerResponse } from 'node:http';

/**
 * A client that is still sending would lose its answer along with the connection. So where that is to be closed, it is
 * once the rest of the request has been read, or when the time for requests is up (RFC 9112, 9.6).
 */
export function linger({ req, shouldKeepAlive }: ServerResponse): void {
  if (req.complete || shouldKeepAlive) return;
  const { socket } = req;
  const { destroySoon } = socket;
  // What node:http calls once an answer is written that is the last on its connection.
  socket.destroySoon = () => {
    if (req.closed) return destroySoon.call(socket);
    socket.end();
    req.once('close', () => socket.destroy());
  };
}
