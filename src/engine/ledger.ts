import type { TraceContext } from '../protocol/trace.js';
import type { ExchangeCapture } from './capture.js';
import type { Exchange } from './exchange.js';
import type { ExchangeSummary, Observer, Outcome, StagedDecision, UpstreamFailure } from './observer.js';
import type { RoutePolicy } from './policy.js';
import type { Decision, Stage } from './rule.js';

/** A stream may find fault for as long as it lasts: of so many decisions, and of the last one, the account says more than their number. */
const MAX_DECISIONS = 50;

/** The account of one exchange while it runs: what was decided, how it ended, what it cost. Told to the observer once. */
export class Ledger {
  exchange: Exchange | undefined;
  outcome: Outcome = 'client_gone';
  status = 0;
  stream = false;
  /** The trace that the exchange belongs to: the caller's, or else one of the gateway's own. */
  trace: TraceContext | undefined;
  /** Code of the JSON-RPC error that the upstream answered with. */
  errorCode: number | undefined;
  /** Why the upstream could not be had. */
  failure: UpstreamFailure | undefined;
  /** Undefined where nobody captures. */
  capture: ExchangeCapture | undefined;
  readonly #decisions: StagedDecision[] = [];
  #findingsOmitted = 0;
  readonly #began = performance.now();
  #policyMs = 0;
  #upstreamBegan: number | undefined;
  #upstreamMs: number | undefined;
  #closed = false;

  constructor(
    readonly route: RoutePolicy,
    readonly observer: Observer,
  ) {}

  record(stage: Stage, decision: Decision): void {
    if (decision.findings.length === 0) return;
    const ends = decision.refusal !== undefined && decision.dropped !== true;
    if (ends || this.#decisions.length < MAX_DECISIONS) this.#decisions.push({ stage, decision });
    else this.#findingsOmitted += decision.findings.length;
    this.observer.decided(this.route, this.exchange, stage, decision);
  }

  /** Adds the time since `began` (a performance.now() reading) to the exchange's policy time. */
  judgedSince(began: number): void {
    this.#policyMs += performance.now() - began;
  }

  upstreamFailed(reason: UpstreamFailure): void {
    this.failure = reason;
    this.observer.upstreamFailed(this.route, reason);
  }

  upstreamBegan(): void {
    this.#upstreamBegan = performance.now();
  }

  upstreamEnded(): void {
    if (this.#upstreamBegan === undefined || this.#upstreamMs !== undefined) return;
    this.#upstreamMs = performance.now() - this.#upstreamBegan;
  }

  get elapsedMs(): number {
    return performance.now() - this.#began;
  }

  /** The summary, for whoever closes it first. */
  close(): ExchangeSummary | undefined {
    if (this.#closed) return undefined;
    this.#closed = true;
    this.upstreamEnded();
    const summary = this.#summary();
    this.observer.ended(summary);
    this.capture?.ended(summary);
    return summary;
  }

  #summary(): ExchangeSummary {
    return {
      route: this.route,
      exchange: this.exchange,
      outcome: this.outcome,
      status: this.status,
      durationMs: this.elapsedMs,
      upstreamMs: this.#upstreamMs,
      policyMs: this.#policyMs,
      traceparent: this.trace?.traceparent,
      errorCode: this.errorCode,
      failure: this.failure,
      decisions: this.#decisions,
      findingsOmitted: this.#findingsOmitted,
      stream: this.stream,
    };
  }
}
