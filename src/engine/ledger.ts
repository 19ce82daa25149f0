import type { Exchange } from './exchange.js';
import type { ExchangeSummary, Observer, Outcome, StagedDecision } from './observer.js';
import type { RoutePolicy } from './policy.js';
import type { Decision, Stage } from './rule.js';

/** The account of one exchange while it runs: what was decided, how it ended, what it cost. Told to the observer once. */
export class Ledger {
  exchange: Exchange | undefined;
  outcome: Outcome = 'client_gone';
  status = 0;
  stream = false;
  traceparent: string | undefined;
  readonly #decisions: StagedDecision[] = [];
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
    this.#decisions.push({ stage, decision });
    this.observer.decided(this.route, this.exchange, stage, decision);
  }

  /** Adds the time since `began` (a performance.now() reading) to the exchange's policy time. */
  judgedSince(began: number): void {
    this.#policyMs += performance.now() - began;
  }

  upstreamBegan(): void {
    this.#upstreamBegan = performance.now();
  }

  upstreamEnded(): void {
    if (this.#upstreamBegan === undefined || this.#upstreamMs !== undefined) return;
    this.#upstreamMs = performance.now() - this.#upstreamBegan;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.upstreamEnded();
    this.observer.ended(this.#summary());
  }

  #summary(): ExchangeSummary {
    return {
      route: this.route,
      exchange: this.exchange,
      outcome: this.outcome,
      status: this.status,
      durationMs: performance.now() - this.#began,
      upstreamMs: this.#upstreamMs,
      policyMs: this.#policyMs,
      traceparent: this.traceparent,
      decisions: this.#decisions,
      stream: this.stream,
    };
  }
}
