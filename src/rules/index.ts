/** THE register: every rule, in the order in which it is evaluated. Array order is precedence. */
import type { Rule } from '../engine/rule.js';
import { connectionNamesNone } from './admit/connection-names-none.js';
import { contentTypeJson } from './admit/content-type-json.js';
import { originAllowed } from './admit/origin-allowed.js';
import { headersMatchBody } from './inbound/headers-match-body.js';
import { inputResponsesShape } from './inbound/input-responses-shape.js';
import { paramHeadersLegal } from './inbound/param-headers-legal.js';
import { protocolVersionSupported } from './inbound/protocol-version-supported.js';
import { requestMetaPresent } from './inbound/request-meta-present.js';
import { requestStateAccepted } from './inbound/request-state-accepted.js';
import { tasksRequestDeclared } from './inbound/tasks-request-declared.js';
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
  tasksRequestDeclared,
  paramHeadersLegal,
];

export const OUTBOUND: readonly Rule<'outbound'>[] = [];
