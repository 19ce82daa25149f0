/** Replies that wait behind others on their connection, since their client sent its requests without waiting (pipelining). */
import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Node tells a reply that its connection is gone only when the reply has its turn on it. Those that still wait would never
 * be told, and would wait for ever.
 */
export function tellWhenGone(req: IncomingMessage, res: ServerResponse): void {
  if (res.socket !== null) return;
  const { socket } = req;
  const gone = () => {
    if (res.socket !== null) return;
    res.destroy();
    res.emit('close');
  };
  socket.setMaxListeners(0).once('close', gone);
  res.once('close', () => socket.off('close', gone));
}
