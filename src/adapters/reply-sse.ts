/** The reply to a request whose answer is an event stream: each event is judged, and leaves written anew or not at all. */
import { passesAsLegacy } from '../engine/exchange.js';
import type { Refusal } from '../engine/refusal.js';
import { outbound, type Passage } from '../gateway.js';
import { NOTIFICATION_ACKNOWLEDGED } from '../protocol/constants.js';
import { closingResult } from '../protocol/listen.js';
import { type Reading, readResponse } from '../protocol/reading.js';
import { faultReading } from '../protocol/received.js';
import { COMMENT_PING, encodeComment, encodeEvent, SseDecoder, type SseItem } from '../protocol/sse.js';
import type { Answer } from './answer.js';
import { codingOf } from './collect.js';
import { Decompression, type PlainSink } from './decompress.js';
import { replyFields } from './fields.js';
import { EVENT_STREAM_TYPE, overBudget, type ReplyContext, troubleRefusal, writeRefusal } from './reply.js';
import { UpstreamTrouble } from './upstream-trouble.js';

/** How long an upstream may take to end its stream after the response that should have ended it. */
const FAREWELL_MS = 1_000;
/** Comments that come before the first judged message wait for it up to this size; further ones are left out. */
const MAX_WAITING_BYTES = 16_384;
const RESTATED: ReadonlySet<string> = new Set(['content-type', 'cache-control', 'x-accel-buffering']);

export class EventStreamReply implements PlainSink {
  readonly #decoder: SseDecoder;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #heldBytes = 0;
  #begun = false;
  #done = false;
  #acknowledged = false;
  #ping: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #farewell: NodeJS.Timeout | undefined;
  #decompression: Decompression | undefined;
  #resolve: () => void = () => {};
  #reject: (error: unknown) => void = () => {};
  /** Resolves when the last byte was written, or the client left. Rejects with an unexpected error. */
  readonly finished: Promise<void>;

  constructor(
    readonly answer: Answer,
    readonly context: ReplyContext,
  ) {
    this.#decoder = new SseDecoder(context.limits.eventBytes);
    this.finished = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  start(): void {
    const { res, ledger, timeouts } = this.context;
    ledger.stream = true;
    res.on('drain', () => this.#resume());
    if (timeouts.ssePingMs > 0) this.#ping = setTimeout(() => this.#keepAlive(), timeouts.ssePingMs);
    if (timeouts.streamIdleMs > 0) this.#idle = setTimeout(() => this.#stalled(), timeouts.streamIdleMs);
    const coding = codingOf(this.answer);
    if (coding === undefined) return this.undecodable();
    if (coding !== 'identity') this.#decompression = new Decompression(coding, this.answer, this);
    this.answer.take(this.#decompression ?? this);
  }

  chunk(bytes: Buffer): boolean {
    if (this.#done) return true;
    this.#idle?.refresh();
    this.#attempt(() => this.#decode(bytes));
    return this.#done || !this.context.res.writableNeedDrain;
  }

  end(): void {
    clearTimeout(this.#farewell);
    if (!this.#done) this.#attempt(() => this.#upstreamEnded());
  }

  failed(trouble: UpstreamTrouble): void {
    clearTimeout(this.#farewell);
    if (!this.#done) this.#attempt(() => this.#upstreamFailed(trouble));
  }

  undecodable(): void {
    if (!this.#done) this.#attempt(() => this.#judge(faultReading('coding')));
  }

  /** Shutdown: a subscription ends with its closing result (basic/patterns/subscriptions#graceful-closure). */
  closeGracefully(): void {
    if (this.#done || !this.#isSubscription) return;
    const { exchange, ledger } = this.context;
    const { id } = exchange.message;
    ledger.outcome = 'stream_closed';
    this.#attempt(() => {
      if (id === undefined) this.#begin();
      else this.#write(encodeEvent(closingResult(id)));
      this.#finish();
    });
    this.answer.abort();
  }

  /** The client has left. */
  abandon(): void {
    this.#settle();
  }

  get #isSubscription(): boolean {
    return this.context.expects === 'subscription';
  }

  #resume(): void {
    this.#idle?.refresh();
    if (this.#decompression === undefined) this.answer.resume();
    else this.#decompression.resume();
  }

  #decode(bytes: Buffer): void {
    for (const item of this.#decoder.push(bytes)) {
      this.#takeItem(item);
      if (this.#done) return;
    }
    this.#account();
  }

  #takeItem(item: SseItem): void {
    if (item.kind === 'event') this.#judge(readResponse(item.data, this.context.budget));
    else if (item.kind === 'too-large') this.#judge(faultReading('too-large'));
    else this.#comment(encodeComment(item.text));
  }

  /** What the decoder holds back counts among the bytes that all exchanges together may hold. */
  #account(): void {
    const growth = this.#decoder.bufferedBytes - this.#heldBytes;
    if (growth === 0) return;
    const { budget } = this.context;
    this.#heldBytes += growth;
    if (growth < 0) budget.give(-growth);
    else if (!budget.take(growth)) this.#refuse(overBudget(this.context));
  }

  /** Undefined: it cannot be held. */
  #judge(reading: Reading | undefined): void {
    if (reading === undefined) return this.#refuse(overBudget(this.context));
    const { ledger, exchange, budget } = this.context;
    const received = { reading, status: this.answer.status, stream: true, acknowledged: this.#acknowledged };
    const passage = outbound(ledger, exchange, received);
    budget.giveValues();
    if (passage.kind === 'refuse') this.#refuse(passage.refusal);
    else if (passage.kind === 'send') this.#send(passage, reading.bytes);
  }

  #send({ message, text }: Passage & { kind: 'send' }, bytes: Buffer): void {
    if (message?.kind === 'notification' && message.method === NOTIFICATION_ACKNOWLEDGED)
      this.#acknowledged = true;
    this.#write(encodeEvent(text ?? bytes));
    if (message?.kind === 'response') this.#finish();
  }

  #comment(comment: Buffer): void {
    if (this.#begun) return this.#write(comment);
    this.#waitingBytes += comment.length;
    if (this.#waitingBytes <= MAX_WAITING_BYTES) this.#waiting.push(comment);
  }

  #write(bytes: Buffer): void {
    this.#begin();
    this.context.res.write(bytes);
    this.#ping?.refresh();
  }

  #begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    const { res, exchange, origin } = this.context;
    const fields = replyFields(this.answer.headers, passesAsLegacy(exchange), origin).filter(keepsField);
    fields.push('content-type', EVENT_STREAM_TYPE, 'cache-control', 'no-cache, no-transform');
    fields.push('x-accel-buffering', 'no');
    res.writeHead(this.answer.status, fields);
    for (const comment of this.#waiting) res.write(comment);
    this.#waiting = [];
  }

  /** A client that does not read needs no comment to keep its stream open. */
  #keepAlive(): void {
    if (this.context.res.writableNeedDrain) this.#ping?.refresh();
    else this.#attempt(() => this.#write(COMMENT_PING));
  }

  /** Silence that the client's own pause brought about is not the upstream's. */
  #stalled(): void {
    if (this.context.res.writableNeedDrain) this.#idle?.refresh();
    else this.failed(new UpstreamTrouble('timeout', 'upstreamTooSlow', 'the upstream stream fell silent'));
  }

  #upstreamFailed(trouble: UpstreamTrouble): void {
    if (this.#isSubscription && trouble.reason === 'reset') this.#upstreamEnded();
    else this.#refuse(troubleRefusal(trouble, this.context));
  }

  #upstreamEnded(): void {
    if (!this.#isSubscription)
      return this.#upstreamFailed(
        new UpstreamTrouble(
          'reset',
          'upstreamUnreachable',
          'the upstream ended its stream without a response',
        ),
      );
    this.context.ledger.outcome = 'stream_closed';
    this.#begin();
    this.#finish();
  }

  /** Before the first judged message a refusal is a reply of its own; later it is the stream's last event. */
  #refuse(refusal: Refusal): void {
    const { res, origin } = this.context;
    if (!this.#begun) writeRefusal(res, refusal, origin);
    else res.end(encodeEvent(refusal.body));
    this.#settle();
    this.answer.abort();
  }

  #finish(): void {
    this.context.ledger.upstreamEnded();
    this.context.res.end();
    this.#settle();
    if (this.answer.ended) return;
    this.#farewell = setTimeout(() => this.answer.abort(), FAREWELL_MS).unref();
    this.answer.resume();
  }

  /** Runs from timers and from the upstream's connection, where nobody else would catch what is thrown. */
  #attempt(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#reject(error);
      this.#settle();
    }
  }

  #settle(): void {
    if (this.#done) return;
    this.#done = true;
    clearTimeout(this.#ping);
    clearTimeout(this.#idle);
    this.#decompression?.stop();
    this.#resolve();
  }
}

function keepsField(_: string, index: number, all: readonly string[]): boolean {
  return !RESTATED.has(all[index & ~1] as string);
}
