/** Open subscriptions, as many as the machine's limit on open files lets two sides of a proxy have. */
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { StreamsOrder } from '../parts/streams.js';
import { eventStream, requestBytes } from './messages.js';
import { end, launchPart, nextMessage } from './processes.js';

const ID = 1;
const WANTED = 10_000;
/** Files that a process has open besides. */
const OTHER_FILES = 400;
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

function requestFor(answer: number): Uint8Array {
  const params = { notifications: { toolsListChanged: true } };
  return requestBytes('subscriptions/listen', { id: ID, params, answer });
}

/** An answer that is acknowledged and says no more. */
export const STREAM_ANSWER = eventStream(
  [
    JSON.stringify({
      jsonrpc: '2.0',
      method: ACKNOWLEDGED,
      params: {
        _meta: { 'io.modelcontextprotocol/subscriptionId': ID },
        notifications: { toolsListChanged: true },
      },
    }),
  ],
  'open',
);

/** A proxy has two connections for each stream. */
export function mostStreams(): { count: number; files: number } {
  const files = Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1]);
  return { count: Math.min(WANTED, Math.floor((files - OTHER_FILES) / 2)), files };
}

export class Streams {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async start(): Promise<Streams> {
    return new Streams((await launchPart('client', 'streams')).child);
  }

  /** Opens so many in all, or closes every one; `answer` is the place of theirs among the upstream's. */
  async keep(port: number, count: number, answer = 0): Promise<void> {
    const opened = nextMessage<number>(this.#child, 120_000);
    const order: StreamsOrder = { port, count, request: requestFor(answer), until: ACKNOWLEDGED };
    this.#child.send(order);
    const open = await opened;
    if (open !== count) throw new Error(`${open} streams instead of ${count}`);
  }

  stop(): Promise<void> {
    return end(this.#child);
  }
}
