/** What the observer is told of messages that were let through: answers given, questions asked, states seen, the outcome. */
import { METHOD_ROOTS, METHOD_SAMPLE, MRTR_METHODS, RESULT_INPUT_REQUIRED } from '../protocol/constants.js';
import type { InputRequest } from '../protocol/input-requests.js';
import { has, isObject, member, objectMember, stringMember } from '../protocol/messages.js';
import type { Exchange, OutboundInput } from './exchange.js';
import type { Ledger } from './ledger.js';
import type { InputRequestLabel, Outcome } from './observer.js';

const ACTIONS = new Map([
  ['accept', 'accept'],
  ['decline', 'decline'],
  ['cancel', 'cancel'],
] as const);

const KINDS: ReadonlyMap<string, InputRequestLabel> = new Map([
  [METHOD_SAMPLE, 'sampling'],
  [METHOD_ROOTS, 'roots'],
]);

export function tallyRequest({ observer, route }: Ledger, { message }: Exchange): void {
  if (has(message.params, 'requestState'))
    observer.stateReceived(route, route.requestState === 'seal' ? 'accepted' : 'relayed');
  if (!MRTR_METHODS.has(message.method)) return;
  const answers = objectMember(message.params, 'inputResponses');
  if (answers === undefined) return;
  const keys = Object.keys(answers);
  if (keys.length === 0) observer.inputAnswered(route, 'omitted');
  for (const key of keys) {
    const answer = answers[key];
    const action = isObject(answer) ? stringMember(answer, 'action') : undefined;
    observer.inputAnswered(route, ACTIONS.get(action as 'accept') ?? 'other');
  }
}

export function tallyAnswer(ledger: Ledger, input: OutboundInput): void {
  for (const request of input.asked) ledger.observer.inputRequested(ledger.route, labelOf(request));
  if (input.position !== 'event') ledger.outcome = outcomeOf(input);
}

function outcomeOf({ message, exchange, status, asked }: OutboundInput): Outcome {
  if (exchange.message.id === undefined) return status < 300 ? 'ok' : 'rpc_error';
  if (message?.kind !== 'response' || message.result === undefined) return 'rpc_error';
  if (member(message.result, 'resultType') === RESULT_INPUT_REQUIRED) return 'input_required';
  if (asked.length > 0 && MRTR_METHODS.has(exchange.message.method)) return 'input_required';
  return member(message.result, 'isError') === true ? 'tool_error' : 'ok';
}

function labelOf({ method, params }: InputRequest): InputRequestLabel {
  const kind = KINDS.get(method ?? '');
  if (kind !== undefined) return kind;
  return params !== undefined && stringMember(params, 'mode') === 'url'
    ? 'elicitation_url'
    : 'elicitation_form';
}
