/** A process that does nothing but decode bodies and JSON.parse them. */
import type { ChildProcess } from 'node:child_process';
import type { ParseOrder } from '../parts/parse.js';
import { end, launchPart, nextMessage } from './processes.js';

export class Reader {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async start(): Promise<Reader> {
    return new Reader((await launchPart('subject', 'parse')).child);
  }

  /** CPU time of reading it once, as the mean of so many times. */
  async nanoseconds(body: string, { warm, measured }: { warm: number; measured: number }): Promise<number> {
    const answer = nextMessage<number>(this.#child);
    const order: ParseOrder = { bytes: Buffer.from(body), warm, times: measured };
    this.#child.send(order);
    return answer;
  }

  stop(): Promise<void> {
    return end(this.#child);
  }
}
