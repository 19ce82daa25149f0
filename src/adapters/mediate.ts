/** One POST on an MCP path, from its head to the end of its reply: the rim that the straight line runs in. */
import type { ServerResponse } from 'node:http';
import type { AdmitInput, Exchange } from '../engine/exchange.js';
import type { Identified, Identity } from '../engine/identity.js';
import { Ledger } from '../engine/ledger.js';
import type { RoutePlan } from '../engine/plan.js';
import { plainRefusal, type Refusal } from '../engine/refusal.js';
import { type Call, legacyLine, straightLine } from '../gateway.js';
import type { HeaderFields } from '../protocol/headers.js';
import { isLegacyHead } from '../protocol/legacy.js';
import { closingResult } from '../protocol/listen.js';
import { parseMediaType } from '../protocol/media-type.js';
import type { Reading } from '../protocol/reading.js';
import { NO_MESSAGE } from '../protocol/received.js';
import { traceContextOf } from '../protocol/trace.js';
import type { Answer } from './answer.js';
import { ClientGone, type ParsedRequest, readBody } from './body.js';
import { Budget } from './budget.js';
import { denial, refuseChallenge } from './identify.js';
import { learnExchange } from './learn.js';
import { outgoingRequest } from './outgoing.js';
import { accountStatus } from './raw-refusal.js';
import { Refused } from './refused.js';
import {
  EVENT_STREAM_TYPE,
  expectationOf,
  type ReplyContext,
  troubleRefusal,
  writeJson,
  writeRefusal,
} from './reply.js';
import { replyJson } from './reply-json.js';
import { EventStreamReply } from './reply-sse.js';
import { type Service, Slot } from './service.js';
import { UpstreamTrouble } from './upstream-trouble.js';

const NOBODY_KNOWN: Identity = { binding: '' };

export class Mediation implements Call {
  readonly ledger: Ledger;
  readonly head: AdmitInput;
  readonly legacy: boolean;
  readonly #budget: Budget;
  #answer: Answer | undefined;
  #stream: EventStreamReply | undefined;
  readonly #slot: Slot;
  #place = -1;
  #closing = false;
  #answered = false;
  #flushed = false;
  #identity: Identity = NOBODY_KNOWN;
  #left = false;

  constructor(
    readonly service: Service,
    readonly route: RoutePlan,
    readonly req: ParsedRequest,
    readonly res: ServerResponse,
    readonly headers: HeaderFields,
  ) {
    this.ledger = new Ledger(route.policy, service.observer);
    this.ledger.trace = traceContextOf(headers);
    this.ledger.capture = service.capture?.(route.policy, { httpMethod: req.method ?? '', headers });
    this.#budget = new Budget(service.budget);
    this.#slot = new Slot(service, route.policy);
    this.legacy = route.policy.legacy === 'pass' && isLegacyHead(headers);
    const carriesMessage = req.method === 'POST';
    this.head = { httpMethod: req.method ?? '', headers, origins: service.plan.origins, carriesMessage };
  }

  /** Runs the exchange until its reply is written; it ends when the client has taken the last byte. Never rejects. */
  async run(): Promise<void> {
    this.res.on('finish', () => this.#repliedWhole()).on('close', () => this.#clientClosed());
    this.#place = this.service.enter(this);
    this.ledger.observer.began(this.ledger.route);
    try {
      await (this.req.method === 'POST' ? straightLine(this) : legacyLine(this));
    } catch (error) {
      this.#fail(error);
    }
    this.#answered = true;
    if (this.#flushed || this.res.destroyed) this.#leave();
  }

  /** Admitted by its head, the exchange now counts against the limits. */
  read(): Promise<Reading> | Reading {
    const { service, route, req, headers } = this;
    if (!this.#slot.enterExchange())
      throw new Refused('overLimit', 'the gateway has too many exchanges in flight');
    const trusted = service.plan.trustsProxy(req.socket.remoteAddress);
    const found = service.identification.identify(route, { headers, trusted });
    return found instanceof Promise ? found.then((late) => this.#readAs(late)) : this.#readAs(found);
  }

  learn(reading: Reading): Exchange {
    const exchange = learnExchange(this.service.states, this.route.policy, {
      reading,
      headers: this.headers,
      identity: this.#identity,
    });
    this.ledger.trace ??= traceContextOf(this.headers, exchange.message.meta);
    this.service.tracing.begin(exchange, this.ledger);
    return exchange;
  }

  redeem(exchange: Exchange): Promise<Exchange> {
    return this.service.states.redeem(exchange);
  }

  async forward(exchange: Exchange, reading: Reading): Promise<void> {
    this.#stayed();
    if (this.#closing && expectationOf(exchange, this.req.method) === 'subscription')
      return this.#closeSubscription(exchange);
    const answer = this.#send(exchange, reading);
    this.#budget.settle(exchange, reading);
    const context = this.#context(exchange);
    try {
      await answer.head();
      refuseChallenge(answer, this.route);
      this.ledger.observer.upstreamAnswered(this.ledger.route);
      const replied = this.#reply(answer, context);
      if (replied !== undefined) await replied;
    } catch (error) {
      if (!(error instanceof UpstreamTrouble)) throw error;
      if (this.res.headersSent) return;
      if (this.res.destroyed) throw new ClientGone('the client left before its reply was whole');
      this.refuse(troubleRefusal(error, context));
    }
  }

  refuse(refusal: Refusal, fields: readonly string[] = []): void {
    writeRefusal(this.res, refusal, refusal.key === 'originForbidden' ? undefined : this.#origin, fields);
  }

  /** Shutdown: ends the exchange when it is a subscription; any other runs to its end. */
  closeGracefully(): void {
    this.#closing = true;
    const { exchange } = this.ledger;
    if (this.#stream !== undefined) this.#stream.closeGracefully();
    else if (
      this.#answer !== undefined &&
      exchange !== undefined &&
      expectationOf(exchange, this.req.method) === 'subscription'
    )
      this.#closeSubscription(exchange);
  }

  get #origin(): string | undefined {
    return this.headers.one('origin');
  }

  #readAs(found: Identified): Promise<Reading> | Reading {
    const { plan, observer, trustParsedBody } = this.service;
    if (found.kind === 'denied') {
      observer.callerDenied(this.route.policy, found.reason);
      throw denial(found);
    }
    this.#identity = found.identity;
    this.#stayed();
    if (this.req.method !== 'POST') return NO_MESSAGE;
    return readBody(this.req, plan.limits.requestBytes, this.#budget, trustParsedBody);
  }

  #send(exchange: Exchange, reading: Reading): Answer {
    const { service, route, req, ledger } = this;
    const request = outgoingRequest(service, route, { req, exchange, reading, ledger });
    ledger.upstreamBegan();
    this.#answer = service.forwarder(route).send(request);
    return this.#answer;
  }

  /** Undefined: the reply is written. */
  #reply(answer: Answer, context: ReplyContext): Promise<void> | undefined {
    context.ledger.capture?.answered(answer);
    const type = parseMediaType(answer.headers.one('content-type') ?? '');
    const streams = answer.status < 300 && type?.type === EVENT_STREAM_TYPE && context.expects !== 'nothing';
    if (!streams) return replyJson(answer, context);
    if (!this.#slot.becomeStream()) throw new Refused('overLimit', 'the gateway has too many streams open');
    this.#stream = new EventStreamReply(answer, context);
    this.#stream.start();
    return this.#stream.finished;
  }

  /** A subscription whose stream has not begun, or never will. */
  #closeSubscription({ message: { id } }: Exchange): void {
    if (this.res.headersSent) return;
    this.ledger.outcome = 'stream_closed';
    if (id === undefined) this.refuse(plainRefusal('overLimit', 'the gateway is shutting down'));
    else writeJson(this.res, 200, closingResult(id), this.#origin);
    this.#answer?.abort();
  }

  #context(exchange: Exchange): ReplyContext {
    const { req, res, ledger, service } = this;
    const { limits, timeouts } = service.plan;
    const expects = expectationOf(exchange, req.method);
    return { res, ledger, exchange, expects, limits, timeouts, budget: this.#budget, origin: this.#origin };
  }

  #fail(error: unknown): void {
    const { ledger } = this;
    this.#answer?.abort();
    if (error instanceof ClientGone || this.res.destroyed) {
      ledger.outcome = 'client_gone';
      return;
    }
    const id = ledger.exchange?.message.id;
    ledger.outcome = this.#answer === undefined ? 'refused_inbound' : 'upstream_failed';
    if (error instanceof Refused)
      return this.refuse(plainRefusal(error.key, error.message, id), error.fields);
    this.service.logError(error);
    if (this.res.headersSent) this.res.destroy();
    else this.refuse(plainRefusal('internal', 'the gateway failed', id));
  }

  /** A client that left while something was looked up is noticed only here. */
  #stayed(): void {
    if (this.res.destroyed) throw new ClientGone('the client left before its request was sent on');
  }

  /** A connection that was cut, or a write on it that failed, says so, too, when it throws away what it had still to send. */
  #repliedWhole(): void {
    const { socket } = this.req;
    if (socket.destroyed || socket.errored !== null) return;
    this.#flushed = true;
    if (this.#answered) this.#leave();
  }

  #clientClosed(): void {
    if (this.#left || this.#flushed) return;
    this.ledger.outcome = 'client_gone';
    this.#stream?.abandon();
    this.#answer?.abort();
    if (this.#answered) this.#leave();
  }

  #leave(): void {
    if (this.#left) return;
    this.#left = true;
    this.#slot.leave();
    this.#budget.giveAll();
    accountStatus(this.ledger, this.res);
    this.service.tracing.end(this.ledger.close(), this.ledger.trace);
    this.service.leave(this.#place, this);
  }
}
