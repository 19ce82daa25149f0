/** One POST on a connection of its own: bounded in time and bytes, every byte kept, the answer heard as it comes. */
import { buildConnector, Client as HttpClient } from 'undici';
import { NOTIFICATION_ACKNOWLEDGED } from '../protocol/constants.js';
import { HeaderFields } from '../protocol/headers.js';
import { type MessageId, sameId } from '../protocol/messages.js';
import { type Reading, readResponse } from '../protocol/reading.js';
import { faultReading, serverMessageOf } from '../protocol/received.js';
import { SseDecoder, type SseItem } from '../protocol/sse.js';
import { type Head, isEventStream, readBody } from './reading.js';
import type { Heard, RecordedExchange, ServerResponse, Trouble } from './record.js';
import type { Outgoing } from './request.js';
import { type Tap, tapped } from './tap.js';
import { Ended, STOPPED, tooSlow, trouble, troubleOf } from './trouble.js';

/** What bounds an exchange. */
export interface Bounds {
  readonly connectMs: number;
  /** Until the answer's head is there. */
  readonly headMs: number;
  /** Until the answer is whole. */
  readonly totalMs: number;
  /** Most bytes of the answer, heads and framing among them. */
  readonly maxBytes: number;
}

/** Told while it happens; the record has all of it at the end. */
export interface Watcher {
  readonly request?: (outgoing: Outgoing) => void;
  readonly wire?: (direction: 'sent' | 'received', bytes: Buffer) => void;
  readonly head?: (head: Head) => void;
  readonly heard?: (message: Heard) => void;
}

export interface SendOptions {
  readonly bounds: Bounds;
  readonly signal?: AbortSignal | undefined;
  /** Ends the exchange after so long without calling it slow: how a subscription is left. */
  readonly stopAfterMs?: number | undefined;
  readonly watcher?: Watcher | undefined;
}

/** How long a server may take to end a stream after the response that should have ended it. */
const FAREWELL_MS = 500;

/** Never rejects, never hangs: what went wrong is in the record. */
export async function send(url: URL, outgoing: Outgoing, options: SendOptions): Promise<RecordedExchange> {
  return new Exchanging(url, outgoing, options).run();
}

class Exchanging {
  readonly #startedAt = Date.now();
  readonly #began = performance.now();
  readonly #end = new AbortController();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #tap: Tap;
  readonly #id: MessageId | undefined;
  readonly #heard: Heard[] = [];
  readonly #pieces: Buffer[] = [];
  #head: Head | undefined;
  #headMs: number | undefined;
  #stream = false;
  #acknowledged = false;
  #response: ServerResponse | undefined;
  #leftOpen = false;
  #trouble: Trouble | undefined;

  constructor(
    readonly url: URL,
    readonly outgoing: Outgoing,
    readonly options: SendOptions,
  ) {
    const { id } = outgoing;
    this.#id = id === undefined ? undefined : { value: id, text: JSON.stringify(id) };
    this.#tap = { sent: [], received: [], receivedBytes: 0, ...this.#taps() };
  }

  #taps(): Pick<Tap, 'told'> {
    const { bounds, watcher } = this.options;
    return {
      told: (direction, bytes) => {
        watcher?.wire?.(direction, bytes);
        if (this.#tap.receivedBytes > bounds.maxBytes)
          this.#stop(trouble('too-large', `the answer is larger than ${bounds.maxBytes} bytes`));
      },
    };
  }

  async run(): Promise<RecordedExchange> {
    const { bounds, signal, stopAfterMs, watcher } = this.options;
    watcher?.request?.(this.outgoing);
    const aborted = () => this.#stop(STOPPED);
    signal?.addEventListener('abort', aborted, { once: true });
    if (signal?.aborted === true) aborted();
    this.#after(bounds.totalMs, () => {
      const what = this.#head === undefined ? 'no answer began' : 'the answer was not whole';
      this.#stop(tooSlow(what, bounds.totalMs));
    });
    if (stopAfterMs !== undefined) this.#after(stopAfterMs, aborted);
    const client = this.#connect();
    try {
      await this.#exchange(client);
    } catch (error) {
      this.#trouble ??= troubleOf(error, this.#head !== undefined);
    } finally {
      for (const timer of this.#timers) clearTimeout(timer);
      signal?.removeEventListener('abort', aborted);
      void client.destroy().catch(() => undefined);
    }
    return this.#record();
  }

  #connect(): HttpClient {
    const { bounds } = this.options;
    const connector = buildConnector({ timeout: bounds.connectMs });
    return new HttpClient(this.url.origin, {
      connect: tapped(connector, this.#tap),
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: 65_536,
    });
  }

  async #exchange(client: HttpClient): Promise<void> {
    const { bounds, watcher } = this.options;
    const slow = this.#after(bounds.headMs, () => this.#stop(tooSlow('no answer began', bounds.headMs)));
    const answer = await client.request({
      path: `${this.url.pathname}${this.url.search}`,
      method: 'POST',
      headers: this.outgoing.headers.flat(),
      body: this.outgoing.body,
      signal: this.#end.signal,
      responseHeaders: 'raw',
    });
    clearTimeout(slow);
    this.#headMs = this.#elapsed();
    const headers = new HeaderFields(answer.headers as unknown as string[]);
    this.#head = { status: answer.statusCode, headers };
    this.#stream = isEventStream(this.#head);
    watcher?.head?.(this.#head);
    const decoder = this.#stream ? new SseDecoder(bounds.maxBytes) : undefined;
    for await (const chunk of answer.body) {
      this.#pieces.push(chunk as Buffer);
      for (const item of decoder?.push(Buffer.from(chunk as Buffer)) ?? []) this.#take(item);
    }
    if (!this.#stream) this.#hear(readBody(this.#head, Buffer.concat(this.#pieces), this.#id));
  }

  #take(item: SseItem): void {
    if (item.kind === 'event') this.#hear(readResponse(item.data));
    else if (item.kind === 'too-large') this.#hear(faultReading('too-large'));
  }

  #hear(reading: Reading): void {
    const { status = 0 } = this.#head ?? {};
    const message = reading.fault === undefined ? serverMessageOf(reading) : undefined;
    const heard: Heard = {
      reading,
      status,
      stream: this.#stream,
      acknowledged: this.#acknowledged,
      message,
      atMs: this.#elapsed(),
    };
    this.#heard.push(heard);
    if (message?.kind === 'notification' && message.method === NOTIFICATION_ACKNOWLEDGED)
      this.#acknowledged = true;
    if (message?.kind === 'response' && this.#response === undefined && sameId(message.id, this.#id)) {
      this.#response = message;
      if (this.#stream) this.#after(FAREWELL_MS, () => this.#leave());
    }
    this.options.watcher?.heard?.(heard);
  }

  /** The answer is there; that the stream stays open is the server's fault, and no trouble. */
  #leave(): void {
    this.#leftOpen = true;
    this.#stop(STOPPED);
  }

  #stop(reason: Trouble): void {
    if (this.#end.signal.aborted) return;
    if (!this.#leftOpen) this.#trouble = reason;
    this.#end.abort(new Ended(reason));
  }

  #after(ms: number, then: () => void): NodeJS.Timeout {
    const timer = setTimeout(then, ms);
    this.#timers.add(timer);
    return timer;
  }

  #elapsed(): number {
    return performance.now() - this.#began;
  }

  #record(): RecordedExchange {
    return {
      url: this.url,
      request: this.outgoing,
      status: this.#head?.status,
      headers: this.#head?.headers ?? new HeaderFields([]),
      stream: this.#stream,
      body: Buffer.concat(this.#pieces),
      heard: this.#heard,
      response: this.#response,
      trouble: this.#leftOpen ? undefined : this.#trouble,
      leftOpen: this.#leftOpen,
      sent: Buffer.concat(this.#tap.sent),
      received: Buffer.concat(this.#tap.received),
      timings: { startedAt: this.#startedAt, headMs: this.#headMs, totalMs: this.#elapsed() },
    };
  }
}
