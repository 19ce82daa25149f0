/** Counts of what passes, for all routes and for each. */
import type { UpstreamFailure } from '../engine/observer.js';
import type { RouteLive, RuleCounts, What } from './snapshot.js';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export class RouteTraffic {
  exchanges = 0;
  inFlight = 0;
  streams = 0;
  refused = 0;
  failures = 0;
  #lastFailure: { readonly reason: UpstreamFailure; readonly at: number } | undefined;

  began(): void {
    this.inFlight += 1;
  }

  ended(): void {
    this.inFlight -= 1;
    this.exchanges += 1;
  }

  streamOpened(): void {
    this.streams += 1;
  }

  streamClosed(): void {
    this.streams -= 1;
  }

  refusedOne(): void {
    this.refused += 1;
  }

  failed(reason: UpstreamFailure, at: number): void {
    this.failures += 1;
    this.#lastFailure = { reason, at };
  }

  read(name: string, upstream: RouteLive['upstream']): RouteLive {
    const { exchanges, inFlight, streams, refused, failures } = this;
    const last = this.#lastFailure;
    const lastFailure = last && { reason: last.reason, at: new Date(last.at).toISOString() };
    return { name, upstream, exchanges, inFlight, streams, refused, failures, lastFailure };
  }
}

/** Findings by rule. Rules are those of the register: a closed set. */
export class RuleTally {
  readonly #counts = new Map<string, Mutable<RuleCounts>>();

  add(rule: string, what: What): void {
    const known = this.#counts.get(rule) ?? { rule, refused: 0, dropped: 0, reported: 0 };
    known[what] += 1;
    this.#counts.set(rule, known);
  }

  read(): readonly RuleCounts[] {
    return [...this.#counts.values()].map((counts) => ({ ...counts }));
  }
}
