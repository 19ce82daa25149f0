/** THE register: every rule, in the order in which it is evaluated. Array order is precedence. */
import type { Rule } from '../engine/rule.js';
import { connectionNamesNone } from './admit/connection-names-none.js';
import { contentTypeJson } from './admit/content-type-json.js';
import { originAllowed } from './admit/origin-allowed.js';
import { answerMatchesKind } from './inbound/answer-matches-kind.js';
import { answerMatchesMode } from './inbound/answer-matches-mode.js';
import { answerMatchesSchema } from './inbound/answer-matches-schema.js';
import { headersMatchBody } from './inbound/headers-match-body.js';
import { inputResponsesShape } from './inbound/input-responses-shape.js';
import { paramHeadersLegal } from './inbound/param-headers-legal.js';
import { protocolVersionSupported } from './inbound/protocol-version-supported.js';
import { requestMetaPresent } from './inbound/request-meta-present.js';
import { requestStateAccepted } from './inbound/request-state-accepted.js';
import { tasksRequestDeclared } from './inbound/tasks-request-declared.js';
import { cacheHintsPresent } from './outbound/cache-hints-present.js';
import { elicitationWellFormed } from './outbound/elicitation-well-formed.js';
import { formAsksNoCredential } from './outbound/form-asks-no-credential.js';
import { formHasNoLink } from './outbound/form-has-no-link.js';
import { formSchemaFlat } from './outbound/form-schema-flat.js';
import { inputRequestDeclared } from './outbound/input-request-declared.js';
import { inputRequestKindAllowed } from './outbound/input-request-kind-allowed.js';
import { inputRequestsWithinLimit } from './outbound/input-requests-within-limit.js';
import { inputRequiredContentPresent } from './outbound/input-required-content-present.js';
import { inputRequiredMethodAllowed } from './outbound/input-required-method-allowed.js';
import { listenAcknowledgedFirst } from './outbound/listen-acknowledged-first.js';
import { listenFiltered } from './outbound/listen-filtered.js';
import { listenTagged } from './outbound/listen-tagged.js';
import { logLevelRequested } from './outbound/log-level-requested.js';
import { noRemovedMessage } from './outbound/no-removed-message.js';
import { noServerRequest } from './outbound/no-server-request.js';
import { progressRequested } from './outbound/progress-requested.js';
import { requestStateIssuedNone } from './outbound/request-state-issued-none.js';
import { requestStateWithinLimit } from './outbound/request-state-within-limit.js';
import { responseAnswersRequest } from './outbound/response-answers-request.js';
import { responseReadable } from './outbound/response-readable.js';
import { resultTypeKnown } from './outbound/result-type-known.js';
import { resultTypePresent } from './outbound/result-type-present.js';
import { taskNotInputRequired } from './outbound/task-not-input-required.js';
import { taskResultComplete } from './outbound/task-result-complete.js';
import { taskResultDeclared } from './outbound/task-result-declared.js';
import { taskResultMethodAllowed } from './outbound/task-result-method-allowed.js';
import { urlHttps } from './outbound/url-https.js';
import { urlValid } from './outbound/url-valid.js';
import { bodyWithinLimit } from './parse/body-within-limit.js';
import { jsonUnambiguous } from './parse/json-unambiguous.js';
import { singleMessage } from './parse/single-message.js';

export const ADMIT: readonly Rule<'admit'>[] = [originAllowed, contentTypeJson, connectionNamesNone];

export const PARSE: readonly Rule<'parse'>[] = [bodyWithinLimit, jsonUnambiguous, singleMessage];

export const INBOUND: readonly Rule<'inbound'>[] = [
  headersMatchBody,
  protocolVersionSupported,
  requestMetaPresent,
  requestStateAccepted,
  inputResponsesShape,
  answerMatchesKind,
  answerMatchesMode,
  answerMatchesSchema,
  tasksRequestDeclared,
  paramHeadersLegal,
];

export const OUTBOUND: readonly Rule<'outbound'>[] = [
  responseReadable,
  responseAnswersRequest,
  noServerRequest,
  noRemovedMessage,
  resultTypeKnown,
  resultTypePresent,
  taskResultMethodAllowed,
  taskResultDeclared,
  taskNotInputRequired,
  taskResultComplete,
  inputRequiredMethodAllowed,
  inputRequiredContentPresent,
  requestStateIssuedNone,
  requestStateWithinLimit,
  inputRequestsWithinLimit,
  inputRequestKindAllowed,
  inputRequestDeclared,
  elicitationWellFormed,
  formAsksNoCredential,
  formSchemaFlat,
  formHasNoLink,
  urlValid,
  urlHttps,
  cacheHintsPresent,
  logLevelRequested,
  progressRequested,
  listenAcknowledgedFirst,
  listenTagged,
  listenFiltered,
];
