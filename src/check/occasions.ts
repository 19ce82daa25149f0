/** When a rule had something to judge: a rule without an occasion has neither been kept nor broken. */
import type { OutboundInput } from '../engine/exchange.js';
import {
  CACHEABLE_METHODS,
  METHOD_LISTEN,
  NOTIFICATION_MESSAGE,
  NOTIFICATION_PROGRESS,
} from '../protocol/constants.js';
import { elicitationMode } from '../protocol/elicitations.js';
import { isInputRequired, resultOf, storedResultOf, taskOf } from '../protocol/results.js';

type Occasion = (input: OutboundInput) => boolean;

const message: Occasion = (input) => input.message !== undefined || input.reading.fault !== undefined;
const response: Occasion = (input) => input.message?.kind === 'response';
const result: Occasion = (input) => resultOf(input.message) !== undefined;
const question: Occasion = (input) => isInputRequired(input);
const request: Occasion = (input) => input.asked.length > 0;
const elicitation: Occasion = (input) => input.asked.some((one) => elicitationMode(one) !== undefined);
const form: Occasion = (input) => input.asked.some((one) => elicitationMode(one) === 'form');
const url: Occasion = (input) => input.asked.some((one) => elicitationMode(one) === 'url');
const task: Occasion = (input) => taskOf(input) !== undefined;
const notification: Occasion = ({ exchange, message: heard }) =>
  exchange.message.method === METHOD_LISTEN && heard?.kind === 'notification';

/** One a rule of the register's outbound stage. */
export const OCCASIONS: ReadonlyMap<string, Occasion> = new Map<string, Occasion>([
  ['response-readable', message],
  ['response-answers-request', response],
  ['no-server-request', message],
  ['no-removed-message', message],
  ['result-type-known', result],
  ['result-type-present', result],
  ['task-result-method-allowed', result],
  ['task-result-declared', (input) => result(input) && !input.exchange.capabilities.tasks],
  ['task-not-input-required', task],
  ['task-result-complete', (input) => storedResultOf(taskOf(input)?.task ?? {}) !== undefined],
  ['input-required-method-allowed', result],
  ['input-required-content-present', question],
  ['request-state-issued-none', question],
  ['request-state-within-limit', question],
  ['input-requests-within-limit', question],
  ['input-request-kind-allowed', request],
  ['input-request-declared', request],
  ['elicitation-well-formed', elicitation],
  ['form-asks-no-credential', form],
  ['form-schema-flat', form],
  ['form-has-no-link', form],
  ['url-valid', url],
  ['url-https', url],
  ['cache-hints-present', (input) => question(input) || (result(input) && isCacheable(input))],
  ['log-level-requested', sends(NOTIFICATION_MESSAGE)],
  ['progress-requested', sends(NOTIFICATION_PROGRESS)],
  ['listen-acknowledged-first', notification],
  ['listen-tagged', notification],
  ['listen-filtered', notification],
]);

function isCacheable({ exchange }: OutboundInput): boolean {
  return CACHEABLE_METHODS.has(exchange.message.method);
}

function sends(method: string): Occasion {
  return (input) => input.message?.kind === 'notification' && input.message.method === method;
}
