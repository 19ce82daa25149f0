/** A client that opens streams and leaves them open. */
import { connect, type Socket } from 'node:net';

export interface StreamsOrder {
  readonly port: number;
  /** How many are to be open, with those that are. */
  readonly count: number;
  readonly request: Uint8Array;
  /** What comes of each once it is open. */
  readonly until: string;
}

/** How many open at the same time. */
const AT_ONCE = 100;

const open = new Set<Socket>();

function openOne({ port, request, until }: StreamsOrder): Promise<void> {
  return new Promise((resolve, reject) => {
    let came = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    open.add(socket);
    socket.on('error', reject);
    socket.on('close', () => {
      open.delete(socket);
      reject(new Error(`closed after ${came}`));
    });
    socket.on('data', (chunk) => {
      if (came.includes(until)) return;
      came += chunk.toString('latin1');
      if (came.includes(until)) resolve();
    });
  });
}

async function openAll(order: StreamsOrder): Promise<void> {
  const next = async (): Promise<void> => {
    while (open.size < order.count) await openOne(order);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

/** Answers with how many are open. */
process.on('message', async (order: StreamsOrder) => {
  if (order.count === 0) for (const socket of open) socket.removeAllListeners('close').destroy();
  if (order.count === 0) open.clear();
  else await openAll(order);
  process.send?.(open.size);
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
