/** What the status page shows, as JSON: the contract between the gateway and the page. */
import type { UpstreamFailure } from '../engine/observer.js';
import type { Severity, Stage } from '../engine/rule.js';

export interface Snapshot {
  readonly build: { readonly version: string; readonly revision: string };
  /** ISO time. */
  readonly startedAt: string;
  readonly routes: readonly RouteFacts[];
  /** In order of evaluation. */
  readonly rules: readonly RuleFacts[];
  /** Every value that `method` of a decision can have, `''` aside. */
  readonly methods: readonly string[];
  readonly live: Live;
  /** Newest first. */
  readonly decisions: readonly DecisionRow[];
}

/** What changes with traffic; counts are since the start. */
export interface Live {
  readonly at: string;
  readonly state: 'starting' | 'ready' | 'draining';
  readonly totals: Totals;
  /** Per minute, the current one last. */
  readonly minutes: { readonly exchanges: readonly number[]; readonly refused: readonly number[] };
  readonly routes: readonly RouteLive[];
  /** Rules that found something. */
  readonly counts: readonly RuleCounts[];
}

/** What arrives on the event stream. */
export interface Update {
  readonly live: Live;
  /** Those since the last update, newest first. */
  readonly decisions: readonly DecisionRow[];
}

export interface Totals extends Counts {
  readonly exchanges: number;
  readonly inFlight: number;
}

export interface Counts {
  readonly refused: number;
  readonly dropped: number;
  readonly reported: number;
}

export interface RuleCounts extends Counts {
  readonly rule: string;
}

export interface RouteFacts {
  readonly name: string;
  readonly path: string;
  /** Origin and path, without what may be secret. */
  readonly upstream: string;
  readonly profile: string;
  readonly mode: 'enforce' | 'report';
  readonly requestState: string;
}

export interface RouteLive {
  readonly name: string;
  readonly upstream: 'up' | 'down' | 'unknown';
  readonly exchanges: number;
  readonly inFlight: number;
  readonly streams: number;
  readonly refused: number;
  readonly failures: number;
  readonly lastFailure: { readonly reason: UpstreamFailure; readonly at: string } | undefined;
}

export interface RuleFacts {
  readonly id: string;
  readonly stage: Stage;
  readonly guarantees: string;
  readonly clause: ClauseFacts;
  readonly locked: boolean;
  /** By route. */
  readonly severities: readonly { readonly route: string; readonly severity: Severity }[];
}

export interface ClauseFacts {
  /** A page of the specification, or where else the rule comes from. */
  readonly source: string;
  readonly keyword: string;
  readonly quote: string;
  /** Undefined where there is no page to go to. */
  readonly url: string | undefined;
}

export type What = 'refused' | 'dropped' | 'reported';

/** One finding. Nothing in it is a value that a peer sent; the target is bounded and escaped, as is the place. */
export interface DecisionRow {
  /** Counts up from 1. */
  readonly seq: number;
  readonly at: string;
  readonly what: What;
  readonly rule: string;
  readonly stage: Stage;
  readonly route: string;
  /** Of a closed set; empty where no message was read. */
  readonly method: string;
  /** The tool, prompt or resource that the message names; empty when it names none. */
  readonly target: string;
  /** JSON Pointer, or a field's name; empty for the message as a whole. */
  readonly where: string;
  readonly why: string;
  /** URL or URN of the clause, as in the refusal. */
  readonly spec: string;
}
