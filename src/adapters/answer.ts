/** An upstream's answer as it comes: its head, then its body at the pace of whoever takes it. */
import type { Dispatcher } from 'undici';
import { HeaderFields } from '../protocol/headers.js';
import { Pieces } from './pieces.js';
import { troubleOf, UpstreamTrouble } from './upstream-trouble.js';

const NO_FIELDS = new HeaderFields([]);

/** Takes an answer's body. `chunk` returning false asks the upstream to pause. */
export interface BodySink {
  chunk(bytes: Buffer): boolean;
  end(): void;
  failed(trouble: UpstreamTrouble): void;
}

/**
 * Bytes that wait for the sink before the connection is paused. Each pause of undici's takes up to 64 KiB more into
 * memory, so that pausing for less would hold ever more of a long answer.
 */
const MAX_WAITING_BYTES = 131_072;
/** So long one answer is worked on before others have their turn: a single read brings megabytes of a flood. */
const TURN_MS = 10;

/**
 * The head of an upstream's answer; its body waits until it is taken, and while the sink asks for a pause. It listens to
 * undici in the older of its two ways, in which fields come as they were sent (docs/decisions/0009).
 */
export class Answer implements Dispatcher.DispatchHandler {
  status = 0;
  headers: HeaderFields = NO_FIELDS;
  #abortRequest: ((reason: Error) => void) | undefined;
  #resumeRequest: (() => void) | undefined;
  #paused = false;
  #sink: BodySink | undefined;
  readonly #waiting = new Pieces();
  #held = true;
  #workedMs = 0;
  #delivering = false;
  #ended = false;
  #trouble: UpstreamTrouble | undefined;
  #aborted = false;
  #givenUp: UpstreamTrouble | undefined;
  #patience: NodeJS.Timeout | undefined;
  #settleHead: (() => void) | undefined;

  constructor(readonly headersMs = 0) {}

  /** Resolves when the head has come, at once when it has; rejects with UpstreamTrouble. */
  head(): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        const trouble = this.#trouble ?? this.#givenUp;
        if (trouble === undefined) resolve();
        else reject(trouble);
      };
      if (this.status > 0 || this.ended || this.#aborted) settle();
      else this.#settleHead = settle;
    });
  }

  /** The upstream has nothing more to send; the sink may not have taken all of it. */
  get ended(): boolean {
    return this.#ended || this.#trouble !== undefined;
  }

  take(sink: BodySink): void {
    this.#sink = sink;
    this.resume();
  }

  /** The sink that asked for a pause takes more. */
  resume(): void {
    this.#held = false;
    if (!this.#delivering) this.#deliver();
  }

  /** Ends the upstream request at once. The sink is told that it failed, and gets nothing more. */
  abort(): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#waiting.take();
    const reason = new UpstreamTrouble('reset', 'upstreamUnreachable', 'the exchange was given up');
    if (!this.ended) this.#abortRequest?.(reason);
    this.#givenUp = reason;
    this.#headSettled();
    this.#conclude((sink) => sink.failed(reason));
  }

  onConnect(abort: (reason?: Error) => void): void {
    this.#abortRequest = abort;
    if (this.#aborted) abort(new Error('aborted before it was sent'));
    else if (this.headersMs > 0) this.#patience = setTimeout(Answer.#endPatience, this.headersMs, this);
  }

  onHeaders(status: number, raw: Buffer[], resume: () => void): boolean {
    if (status < 200) return true;
    this.status = status;
    this.#resumeRequest = resume;
    this.headers = new HeaderFields(raw.map((bytes) => bytes.toString('latin1')));
    this.#headSettled();
    return true;
  }

  onData(bytes: Buffer): boolean {
    if (this.#aborted) return true;
    if (!this.#held && this.#sink !== undefined) {
      this.#held = !this.#feed(this.#sink, bytes);
      return true;
    }
    this.#waiting.append(bytes);
    this.#paused = this.#waiting.length >= MAX_WAITING_BYTES;
    return !this.#paused;
  }

  onComplete(): void {
    this.#ended = true;
    if (!this.#held) this.#deliver();
  }

  onError(cause: Error): void {
    if (this.#aborted) return;
    this.#trouble =
      cause instanceof UpstreamTrouble ? cause : troubleOf(cause, this.#abortRequest !== undefined);
    this.#headSettled();
    if (!this.#held) this.#deliver();
  }

  /** False: the sink asks for a pause, or others have their turn first. */
  #feed(sink: BodySink, bytes: Buffer): boolean {
    const began = performance.now();
    const more = sink.chunk(bytes);
    this.#workedMs += performance.now() - began;
    if (!more || this.#workedMs < TURN_MS) return more;
    this.#workedMs = 0;
    setImmediate(() => this.resume());
    return false;
  }

  /** No final head has come in time; interim ones do not count. */
  static #endPatience(answer: Answer): void {
    answer.#abortRequest?.(
      new UpstreamTrouble('timeout', 'upstreamTooSlow', 'the upstream did not answer in time'),
    );
  }

  #headSettled(): void {
    clearTimeout(this.#patience);
    this.#settleHead?.();
  }

  #deliver(): void {
    this.#delivering = true;
    while (!this.#held && this.#sink !== undefined && this.#waiting.length > 0)
      this.#held = !this.#feed(this.#sink, this.#waiting.shift());
    this.#delivering = false;
    if (this.#held || this.#sink === undefined) return;
    const trouble = this.#trouble;
    if (trouble !== undefined) this.#conclude((sink) => sink.failed(trouble));
    else if (this.#ended) this.#conclude((sink) => sink.end());
    else this.#unpause();
  }

  #unpause(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#resumeRequest?.();
  }

  #conclude(tell: (sink: BodySink) => void): void {
    const sink = this.#sink;
    this.#sink = undefined;
    if (sink !== undefined) tell(sink);
  }
}
