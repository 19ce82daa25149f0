/** Every label value that a metric can ever have: no series comes from a string that a peer chose. */

import type { DenialReason } from '../engine/identity.js';
import type { InputRequestLabel, LimitName, Outcome, UpstreamFailure } from '../engine/observer.js';
import type { RewriteId } from '../engine/policy.js';
import type { Stage, StateVerdict } from '../engine/rule.js';
import { CLIENT_METHODS, METHOD_SAMPLE } from '../protocol/constants.js';
import { OTHER_METHOD } from '../protocol/method-label.js';

export const METHOD_LABELS: readonly string[] = [...CLIENT_METHODS, OTHER_METHOD];

export type AnswerLabel = 'accept' | 'decline' | 'cancel' | 'other' | 'omitted';
type ReportedSeverity = 'enforce' | 'report';

export const OUTCOMES: Readonly<Record<Outcome, string>> = {
  ok: 'the upstream answered, and nothing below describes the answer better',
  tool_error: 'a tool result with `isError: true` came from the upstream',
  input_required: 'the upstream asked for input, and the client was asked',
  rpc_error: 'the upstream answered with a JSON-RPC error',
  refused_inbound: "a rule refused the client's message; the upstream was not reached",
  refused_outbound: "a rule refused the upstream's answer, or the client cannot be asked what it asks",
  upstream_failed: 'the upstream could not be reached, was too slow, broke off, or sent something unreadable',
  client_gone: 'the client left before the answer was complete',
  stream_closed: 'a `subscriptions/listen` stream ended without the result that a server closes one with',
};

export const STAGES: Readonly<Record<Stage, string>> = {
  admit: 'request line and headers',
  parse: 'the body as one JSON-RPC message',
  inbound: "the client's message",
  outbound: "the upstream's messages",
};

export const SEVERITIES: Readonly<Record<ReportedSeverity, string>> = {
  enforce: 'the message was refused or dropped',
  report: 'the message passed unchanged',
};

export const REWRITES: Readonly<Record<RewriteId, string>> = {
  'tools-list-required': '`required` of elicitable arguments follows what the client can be asked',
  'list-scope-private': 'a tools/list that depends on the caller says `cacheScope: "private"`',
  'discover-versions': 'only versions that the route lets through are offered',
  'open-request-state': "a sealed token reached the upstream as the upstream's own string",
  'seal-request-state': "the upstream's `requestState` left as a sealed token",
};

export const INPUT_KINDS: Readonly<Record<InputRequestLabel, string>> = {
  elicitation_form: 'elicitation/create, form mode',
  elicitation_url: 'elicitation/create, url mode',
  sampling: METHOD_SAMPLE,
  roots: 'roots/list',
};

export const ANSWERS: Readonly<Record<AnswerLabel, string>> = {
  accept: 'the user answered',
  decline: 'the user said no',
  cancel: 'the user closed the question',
  other: 'an answer without an elicitation action (sampling, roots)',
  omitted: 'a retry with an empty `inputResponses`',
};

export const VERDICTS: Readonly<Record<StateVerdict, string>> = {
  forbidden: 'the route forbids request states',
  relayed: 'passed on unread (`requestState: relay`)',
  accepted: 'a sealed token of this gateway, for this caller and call',
  expired: 'a sealed token past its time',
  foreign: 'not a token of this gateway, or of another principal',
  moved: 'a sealed token of another route, method, target or arguments',
  reused: 'a sealed token that was used before, or came with the id of the request that it answered',
  exhausted: 'a sealed token of an operation that has had too many rounds',
  absent: 'answers without the sealed token that belongs to them (`seal.always`)',
  unavailable: 'whether a sealed token was used before could not be found out',
  invalid: 'not a string, or where no request state may stand',
};

export const FAILURES: Readonly<Record<UpstreamFailure, string>> = {
  connect: 'no connection',
  timeout: 'no answer, or no more of it, within the configured time',
  reset: 'the connection broke before the answer was complete',
  invalid: 'an answer that is not readable as MCP over HTTP',
};

export const DENIALS: Readonly<Record<DenialReason, string>> = {
  missing: 'no access token came along',
  invalid: 'an access token that is not valid',
  insufficient_scope: 'an access token without a scope that is required',
  unavailable: "the authorization server's keys could not be had",
};

export const LIMITS: Readonly<Record<LimitName, string>> = {
  exchanges: 'exchanges in flight',
  streams: 'open event streams',
  bufferedBytes: 'bytes held for judging, and what they become while they are read',
  socketsPerClient: 'connections from one client address',
  headerBytes: 'bytes of a request head',
};

/** Label values: a sentence for those that the operator or the build names, else the closed set. */
export const LABELS = {
  route: 'the configured name of the route',
  method: METHOD_LABELS,
  outcome: OUTCOMES,
  stage: STAGES,
  rule: 'the id of a rule ([all rules](rules.md))',
  severity: SEVERITIES,
  rewrite: REWRITES,
  kind: INPUT_KINDS,
  action: ANSWERS,
  verdict: VERDICTS,
  limit: LIMITS,
  denial: DENIALS,
  reason: FAILURES,
  version: "the gateway's version",
  revision: 'the source revision it was built from',
} as const satisfies Record<string, string | readonly string[] | Readonly<Record<string, string>>>;

export type LabelName = keyof typeof LABELS;
