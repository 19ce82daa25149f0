/** What the gateway measures. docs/metrics.md is generated from here. */
import type { LabelName } from './metrics-labels.js';

export const PREFIX = 'mrtr_gateway_';

export interface Declaration<L extends LabelName = LabelName> {
  readonly type: 'counter' | 'histogram' | 'gauge';
  /** Without the prefix. */
  readonly name: string;
  readonly help: string;
  readonly labels: readonly L[];
  /** Seconds; histograms only. */
  readonly buckets?: readonly number[];
}

const EXCHANGE_SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900,
];
const POLICY_SECONDS = [
  0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
];

const ANSWER_SECONDS = [1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];
const ROUNDS = [1, 2, 3, 5, 8, 13, 21, 50, 100, 1000];

export const METRICS = {
  exchanges: {
    type: 'counter',
    name: 'exchanges_total',
    help: 'Exchanges (one POST and its reply) by what they became.',
    labels: ['route', 'method', 'outcome'],
  },
  exchangeDuration: {
    type: 'histogram',
    name: 'exchange_duration_seconds',
    help: 'Time from the request to the end of the reply, subscriptions/listen left out.',
    labels: ['route', 'method'],
    buckets: EXCHANGE_SECONDS,
  },
  upstreamDuration: {
    type: 'histogram',
    name: 'upstream_duration_seconds',
    help: 'Time from the request to the upstream to the end of its answer, subscriptions/listen left out.',
    labels: ['route', 'method'],
    buckets: EXCHANGE_SECONDS,
  },
  policyDuration: {
    type: 'histogram',
    name: 'policy_duration_seconds',
    help: 'Time spent judging and rewriting in one exchange, all stages together.',
    labels: ['route'],
    buckets: POLICY_SECONDS,
  },
  findings: {
    type: 'counter',
    name: 'findings_total',
    help: 'Violations found, by rule.',
    labels: ['route', 'stage', 'rule', 'severity'],
  },
  rewrites: {
    type: 'counter',
    name: 'rewrites_total',
    help: 'Messages changed, by rewrite.',
    labels: ['route', 'rewrite'],
  },
  inputRequests: {
    type: 'counter',
    name: 'input_requests_total',
    help: 'Input requests that were let through to the client.',
    labels: ['route', 'kind'],
  },
  inputResponses: {
    type: 'counter',
    name: 'input_responses_total',
    help: 'Answers to input requests that were let through to the upstream.',
    labels: ['route', 'action'],
  },
  statesIssued: {
    type: 'counter',
    name: 'request_states_issued_total',
    help: 'Request states that left for a client.',
    labels: ['route'],
  },
  statesReceived: {
    type: 'counter',
    name: 'request_states_received_total',
    help: 'Request states that came from clients, by what was made of them.',
    labels: ['route', 'verdict'],
  },
  operationRounds: {
    type: 'histogram',
    name: 'operation_rounds',
    help: 'Rounds of operations that came to their end, where states are sealed.',
    labels: ['route'],
    buckets: ROUNDS,
  },
  answerDelay: {
    type: 'histogram',
    name: 'input_response_delay_seconds',
    help: 'Time from a question to its answer, where states are sealed.',
    labels: ['route', 'kind', 'action'],
    buckets: ANSWER_SECONDS,
  },
  callersDenied: {
    type: 'counter',
    name: 'callers_denied_total',
    help: 'Requests of callers who were not let in, on routes that authenticate.',
    labels: ['route', 'denial'],
  },
  sealKeyEphemeral: {
    type: 'gauge',
    name: 'seal_key_ephemeral',
    help: "Whether states are sealed with a key of the process's own, which no other gateway has and a restart loses.",
    labels: [],
  },
  exchangesInFlight: {
    type: 'gauge',
    name: 'exchanges_in_flight',
    help: 'Exchanges that have begun and not ended.',
    labels: ['route'],
  },
  streamsOpen: {
    type: 'gauge',
    name: 'streams_open',
    help: 'Event streams open to clients.',
    labels: ['route'],
  },
  bufferedBytes: {
    type: 'gauge',
    name: 'buffered_bytes',
    help: 'Bytes held for judging, and what they become while they are read, all exchanges together.',
    labels: [],
  },
  limit: {
    type: 'gauge',
    name: 'limit',
    help: 'Configured limits.',
    labels: ['limit'],
  },
  limitRejections: {
    type: 'counter',
    name: 'limit_rejections_total',
    help: 'Refusals because a limit was reached.',
    labels: ['limit'],
  },
  upstreamUp: {
    type: 'gauge',
    name: 'upstream_up',
    help: 'Whether the last exchange with the upstream reached it; absent before the first.',
    labels: ['route'],
  },
  upstreamErrors: {
    type: 'counter',
    name: 'upstream_errors_total',
    help: 'Exchanges with the upstream that failed, by reason.',
    labels: ['route', 'reason'],
  },
  ready: {
    type: 'gauge',
    name: 'ready',
    help: 'Whether the gateway takes new traffic: 0 while starting and draining.',
    labels: [],
  },
  reloadSuccessful: {
    type: 'gauge',
    name: 'config_last_reload_successful',
    help: 'Whether the last attempt to load the configuration succeeded.',
    labels: [],
  },
  reloadSuccessTimestamp: {
    type: 'gauge',
    name: 'config_last_reload_success_timestamp_seconds',
    help: 'When the configuration in use was loaded, in seconds since the epoch.',
    labels: [],
  },
  buildInfo: {
    type: 'gauge',
    name: 'build_info',
    help: 'Always 1; its labels say which build this is.',
    labels: ['version', 'revision'],
  },
} as const satisfies Record<string, Declaration>;
