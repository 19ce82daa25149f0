/** The reply to a request whose answer is an event stream: each event is judged, and leaves written anew or not at all. */

import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { passesAsLegacy } from '../engine/exchange.js';
import { plainRefusal, type Refusal } from '../engine/refusal.js';
import { outbound, type Passage } from '../gateway.js';
import { METHOD_LISTEN, NOTIFICATION_ACKNOWLEDGED } from '../protocol/constants.js';
import { closingResult } from '../protocol/listen.js';
import { readResponse } from '../protocol/reading.js';
import { faultReading } from '../protocol/received.js';
import { COMMENT_PING, encodeComment, encodeEvent, SseDecoder, type SseItem } from '../protocol/sse.js';
import { codingOf } from './collect.js';
import { replyFields } from './fields.js';
import { type Answer, type BodySink, UpstreamTrouble } from './forward.js';
import { EVENT_STREAM_TYPE, type ReplyContext, troubleRefusal, writeRefusal } from './reply.js';

/** How long an upstream may take to end its stream after the response that should have ended it. */
const FAREWELL_MS = 1_000;

export class EventStreamReply implements BodySink {
  readonly #decoder: SseDecoder;
  readonly #waiting: Buffer[] = [];
  #begun = false;
  #done = false;
  #acknowledged = false;
  #ping: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #plain: Transform | undefined;
  #resolve: () => void = () => {};
  /** Resolves when the reply has ended, however. */
  readonly finished: Promise<void>;

  constructor(
    readonly answer: Answer,
    readonly context: ReplyContext,
  ) {
    this.#decoder = new SseDecoder(context.limits.eventBytes);
    this.finished = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  start(): void {
    const { res, ledger, timeouts } = this.context;
    ledger.stream = true;
    res.on('drain', () => this.#resume());
    if (timeouts.ssePingMs > 0) this.#ping = setTimeout(() => this.#keepAlive(), timeouts.ssePingMs);
    if (timeouts.streamIdleMs > 0) this.#idle = setTimeout(() => this.#stalled(), timeouts.streamIdleMs);
    const coding = codingOf(this.answer);
    if (coding === undefined) return this.#judge(faultReading('coding'));
    if (coding !== 'identity') this.#plain = this.#decompress(coding);
    this.answer.take(this);
  }

  chunk(bytes: Buffer): boolean {
    this.#idle?.refresh();
    if (this.#plain !== undefined) return this.#plain.write(bytes) && !this.context.res.writableNeedDrain;
    return this.#decode(bytes);
  }

  end(): void {
    if (this.#plain !== undefined) this.#plain.end();
    else this.#upstreamEnded();
  }

  failed(trouble: UpstreamTrouble): void {
    if (this.#done) return;
    if (this.#isListen && trouble.reason === 'reset') return this.#upstreamEnded();
    this.#refuse(troubleRefusal(trouble, this.context));
  }

  /** Shutdown: a listen stream ends with its closing result (basic/patterns/subscriptions#graceful-closure). */
  closeGracefully(): void {
    const { exchange, ledger } = this.context;
    if (this.#done || !this.#isListen) return;
    ledger.outcome = 'stream_closed';
    this.#write(encodeEvent(closingResult(exchange.message.id)));
    this.#finish();
  }

  /** The client has left. */
  abandon(): void {
    this.#settle();
  }

  get #isListen(): boolean {
    const { exchange } = this.context;
    return exchange.message.method === METHOD_LISTEN || exchange.message.id === undefined;
  }

  #resume(): void {
    this.#plain?.resume();
    if (this.#plain === undefined || !this.#plain.writableNeedDrain) this.answer.resume();
  }

  #decode(bytes: Buffer): boolean {
    let flowing = true;
    for (const item of this.#decoder.push(bytes)) {
      if (this.#done) break;
      flowing = this.#takeItem(item);
    }
    return flowing;
  }

  #takeItem(item: SseItem): boolean {
    if (item.kind === 'event') this.#judge(readResponse(item.data));
    else if (item.kind === 'too-large') this.#judge(faultReading('too-large'));
    else this.#comment(encodeComment(item.text));
    return !this.context.res.writableNeedDrain;
  }

  #judge(reading: Parameters<typeof outbound>[2]['reading']): void {
    const { ledger, exchange } = this.context;
    const received = { reading, status: this.answer.status, stream: true, acknowledged: this.#acknowledged };
    const passage = outbound(ledger, exchange, received);
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
    if (this.#begun) this.context.res.write(comment);
    else if (this.#waiting.length < 64) this.#waiting.push(comment);
  }

  #write(bytes: Buffer): void {
    this.#begin();
    this.context.res.write(bytes);
    this.#ping?.refresh();
  }

  #begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    const { res, ledger, exchange, origin } = this.context;
    const fields = replyFields(this.answer.headers, passesAsLegacy(exchange), origin).filter(keepsField);
    fields.push('content-type', EVENT_STREAM_TYPE, 'cache-control', 'no-cache', 'x-accel-buffering', 'no');
    ledger.status = this.answer.status;
    res.writeHead(this.answer.status, fields);
    for (const comment of this.#waiting.splice(0)) res.write(comment);
  }

  #keepAlive(): void {
    if (this.#done) return;
    this.#write(COMMENT_PING);
  }

  #stalled(): void {
    this.answer.abort();
    this.failed(new UpstreamTrouble('timeout', 'upstreamTooSlow', 'the upstream stream fell silent'));
  }

  #upstreamEnded(): void {
    if (this.#done) return;
    if (this.#isListen) {
      this.context.ledger.outcome = 'stream_closed';
      this.#begin();
      return this.#finish();
    }
    this.failed(
      new UpstreamTrouble('reset', 'upstreamUnreachable', 'the upstream ended its stream without a response'),
    );
  }

  /** Before the first judged message a refusal is a reply of its own; later it is the stream's last event. */
  #refuse(refusal: Refusal): void {
    this.answer.abort();
    const { res, origin } = this.context;
    if (!this.#begun) writeRefusal(res, refusal, origin);
    else res.end(encodeEvent(refusal.body));
    this.#settle();
  }

  #finish(): void {
    this.context.ledger.upstreamEnded();
    this.context.res.end();
    if (!this.answer.ended) setTimeout(() => this.answer.abort(), FAREWELL_MS).unref();
    this.#settle();
  }

  #settle(): void {
    if (this.#done) return;
    this.#done = true;
    clearTimeout(this.#ping);
    clearTimeout(this.#idle);
    this.#plain?.destroy();
    this.#resolve();
  }

  #decompress(coding: 'gzip' | 'deflate' | 'br'): Transform {
    const flush = { flush: constants.Z_SYNC_FLUSH };
    const make = {
      gzip: () => createGunzip(flush),
      deflate: () => createInflate(flush),
      br: () => createBrotliDecompress(),
    };
    const plain = make[coding]();
    plain.on('data', (bytes: Buffer) => {
      if (!this.#decode(bytes)) plain.pause();
    });
    plain.on('drain', () => this.answer.resume());
    plain.on('end', () => this.#upstreamEnded());
    plain.on('error', () => this.#judge(faultReading('coding')));
    return plain;
  }
}

function keepsField(_: string, index: number, all: readonly string[]): boolean {
  const name = all[index & ~1] as string;
  return name !== 'content-type' && name !== 'cache-control' && name !== 'x-accel-buffering';
}

export function overStreams(context: ReplyContext): Refusal {
  context.ledger.outcome = 'upstream_failed';
  context.ledger.observer.limitRejected('streams');
  return plainRefusal('overLimit', 'the gateway has too many streams open', context.exchange.message.id);
}
