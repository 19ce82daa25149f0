/** What the observer is told of messages that were let through: answers given, questions asked, states seen, the outcome. */
import { askedKind } from '../protocol/asked.js';
import { MRTR_METHODS, RESULT_INPUT_REQUIRED } from '../protocol/constants.js';
import { has, isObject, type JsonValue, member, objectMember, stringMember } from '../protocol/messages.js';
import { answeredInputs } from './answered.js';
import type { Exchange, OutboundInput } from './exchange.js';
import { issuedState } from './issued.js';
import type { Ledger } from './ledger.js';
import type { AnswerAction, Outcome } from './observer.js';

const ACTIONS = new Map([
  ['accept', 'accept'],
  ['decline', 'decline'],
  ['cancel', 'cancel'],
] as const);

export function tallyRequest({ observer, route }: Ledger, exchange: Exchange): void {
  const { message, facts } = exchange;
  if (has(message.params, 'requestState'))
    observer.stateReceived(route, route.requestState === 'seal' ? 'accepted' : 'relayed');
  if (!MRTR_METHODS.has(message.method)) return;
  const answers = objectMember(message.params, 'inputResponses');
  if (answers === undefined) return;
  const keys = Object.keys(answers);
  if (keys.length === 0) observer.inputAnswered(route, 'omitted');
  for (const key of keys) observer.inputAnswered(route, actionOf(answers[key]));
  if (facts.state?.verdict !== 'accepted') return;
  // A gateway whose clock runs behind may see an answer before its question.
  const seconds = Math.max(0, facts.now - facts.state.token.issuedAt) / 1000;
  for (const { asked, answer } of answeredInputs(exchange))
    observer.answeredAfter(route, asked.kind, actionOf(answer), seconds);
}

export function tallyAnswer(ledger: Ledger, input: OutboundInput): void {
  const { observer, route } = ledger;
  for (const request of input.asked) observer.inputRequested(route, askedKind(request) ?? 'elicitation_form');
  if (issuedState(input) !== undefined) observer.stateIssued(route);
  if (input.position === 'event') return;
  ledger.outcome = outcomeOf(input);
  ledger.errorCode = errorCodeOf(input);
  const { state } = input.exchange.facts;
  if (state?.verdict === 'accepted' && ledger.outcome !== 'input_required')
    observer.operationEnded(route, state.token.round);
}

function actionOf(answer: JsonValue | undefined): AnswerAction {
  const action = isObject(answer) ? stringMember(answer, 'action') : undefined;
  return ACTIONS.get(action as 'accept') ?? 'other';
}

function errorCodeOf({ message }: OutboundInput): number | undefined {
  const code = message?.kind === 'response' ? message.error?.code : undefined;
  return Number.isSafeInteger(code) ? (code as number) : undefined;
}

function outcomeOf({ message, exchange, status, asked }: OutboundInput): Outcome {
  if (exchange.message.id === undefined) return status < 300 ? 'ok' : 'rpc_error';
  if (message?.kind !== 'response' || message.result === undefined) return 'rpc_error';
  if (member(message.result, 'resultType') === RESULT_INPUT_REQUIRED) return 'input_required';
  if (asked.length > 0 && MRTR_METHODS.has(exchange.message.method)) return 'input_required';
  return member(message.result, 'isError') === true ? 'tool_error' : 'ok';
}
