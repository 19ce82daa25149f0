/** The status page's event stream: what changed, gathered, to a bounded number of listeners. */
import type { ServerResponse } from 'node:http';
import type { Update } from '../status/snapshot.js';
import type { Status } from '../status/status.js';

const MAX_LISTENERS = 32;
/** What happens within this time goes out together, so that a flood costs a listener no more than its newest part. */
const GATHER_MS = 250;
/** Without traffic: minutes pass all the same, and a listener that is gone is noticed. */
const IDLE_MS = 15_000;
/** A listener that has not taken this much by the next update is too slow. */
const MAX_WAITING_BYTES = 1_048_576;

export class StatusStream {
  readonly #listeners = new Set<ServerResponse>();
  #sent: number;
  #timer: NodeJS.Timeout | undefined;
  #gathering = false;

  constructor(readonly status: Status) {
    this.#sent = status.seq;
    status.changed = (plan) => this.#changed(plan);
  }

  /** False when there are too many listeners already. */
  add(res: ServerResponse): boolean {
    if (this.#listeners.size >= MAX_LISTENERS) return false;
    res.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
    if (this.#listeners.size === 0) this.#sent = this.status.seq;
    this.#listeners.add(res);
    res.once('close', () => this.#remove(res));
    res.write('retry: 2000\n\n');
    this.#wake(IDLE_MS);
    return true;
  }

  #changed(plan: boolean): void {
    if (this.#listeners.size === 0) return;
    if (plan) this.#tell('event: plan\ndata: {}\n\n');
    if (this.#gathering) return;
    this.#gathering = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#wake(GATHER_MS);
  }

  #wake(afterMs: number): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => this.#flush(), afterMs);
    this.#timer.unref();
  }

  #flush(): void {
    this.#timer = undefined;
    this.#gathering = false;
    const update: Update = { live: this.status.live(), decisions: this.status.decisionsSince(this.#sent) };
    this.#sent = this.status.seq;
    this.#tell(`event: update\ndata: ${JSON.stringify(update)}\n\n`);
    if (this.#listeners.size > 0) this.#wake(IDLE_MS);
  }

  #tell(event: string): void {
    for (const res of this.#listeners) {
      if (res.writableLength > MAX_WAITING_BYTES) res.destroy();
      else res.write(event);
    }
  }

  #remove(res: ServerResponse): void {
    this.#listeners.delete(res);
    if (this.#listeners.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#gathering = false;
  }
}
