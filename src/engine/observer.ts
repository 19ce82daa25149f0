import type { Exchange } from './exchange.js';
import type { DenialReason } from './identity.js';
import type { RewriteId, RoutePolicy } from './policy.js';
import type { Decision, Stage, StateVerdict } from './rule.js';

export type Outcome =
  | 'ok'
  | 'tool_error'
  | 'input_required'
  | 'rpc_error'
  | 'refused_inbound'
  | 'refused_outbound'
  | 'upstream_failed'
  | 'client_gone'
  | 'stream_closed';

export type UpstreamFailure = 'connect' | 'timeout' | 'reset' | 'invalid';
export type LimitName = 'exchanges' | 'streams' | 'bufferedBytes' | 'socketsPerClient' | 'headerBytes';
export type InputRequestLabel = 'elicitation_form' | 'elicitation_url' | 'sampling' | 'roots';

export type AnswerAction = 'accept' | 'decline' | 'cancel' | 'other';

/** What one exchange became: told once, at its very end. Durations in milliseconds. */
export interface ExchangeSummary {
  readonly route: RoutePolicy;
  /** Undefined when the message could not be read. */
  readonly exchange: Exchange | undefined;
  readonly outcome: Outcome;
  /** HTTP status written to the client; 0 when the client left before one was. */
  readonly status: number;
  readonly durationMs: number;
  /** From the upstream request's start to the end of its answer; undefined when none was made. */
  readonly upstreamMs: number | undefined;
  /** Time spent judging and rewriting, all stages together. */
  readonly policyMs: number;
  readonly traceparent: string | undefined;
  /** Code of the JSON-RPC error that the upstream answered with, when it is an integer. */
  readonly errorCode?: number | undefined;
  /** Why the upstream could not be had. */
  readonly failure?: UpstreamFailure | undefined;
  /** Decisions of the exchange that found something, in order: the first ones, and the one that ended it. */
  readonly decisions: readonly StagedDecision[];
  /** How many findings the decisions that are left out had. */
  readonly findingsOmitted?: number;
  readonly stream: boolean;
}

export interface StagedDecision {
  readonly stage: Stage;
  readonly decision: Decision;
}

/** The port through which the gateway tells what it did. Metrics, audit log and status page implement it; rules never see it. */
export interface Observer {
  /** One call a stage (outbound: one a message), only when it found something. */
  decided(route: RoutePolicy, exchange: Exchange | undefined, stage: Stage, decision: Decision): void;
  /** An exchange's body is read and it now counts as in flight; pairs with `ended`. */
  began(route: RoutePolicy): void;
  ended(summary: ExchangeSummary): void;
  rewrote(route: RoutePolicy, rewrite: RewriteId): void;
  /** Input requests that were let through to the client, by label. */
  inputRequested(route: RoutePolicy, kind: InputRequestLabel): void;
  /** One answer in a retry that was let through; `omitted` for a retry with an empty map. */
  inputAnswered(route: RoutePolicy, action: AnswerAction | 'omitted'): void;
  stateIssued(route: RoutePolicy): void;
  stateReceived(route: RoutePolicy, verdict: StateVerdict): void;
  /** How long an answer to a sealed question took. */
  answeredAfter(route: RoutePolicy, kind: InputRequestLabel, action: AnswerAction, seconds: number): void;
  /** An operation with sealed states came to its end, after so many rounds. */
  operationEnded(route: RoutePolicy, rounds: number): void;
  /** A caller was not let in. */
  callerDenied(route: RoutePolicy, reason: DenialReason): void;
  streamOpened(route: RoutePolicy): void;
  streamClosed(route: RoutePolicy): void;
  upstreamFailed(route: RoutePolicy, reason: UpstreamFailure): void;
  /** An exchange with the upstream got an HTTP answer: it is up. */
  upstreamAnswered(route: RoutePolicy): void;
  limitRejected(limit: LimitName): void;
  /** Change of bytes held for judging, all exchanges together. */
  buffered(delta: number): void;
}
