/** The answers of a retry, each beside what was asked: known where the state was sealed. */
import { type AnsweredInput, type AnswerFault, answersTo, takenForAnswers } from '../protocol/answers.js';
import type { AskedInput } from '../protocol/asked.js';
import { type JsonObject, pointer } from '../protocol/messages.js';
import type { Exchange } from './exchange.js';
import type { Violation } from './rule.js';

const NONE: readonly AnsweredInput[] = Object.freeze([]);

/** Answers to nothing that was asked are not among them. */
export function answeredInputs({ facts, message }: Exchange): readonly AnsweredInput[] {
  const { state } = facts;
  return state?.verdict === 'accepted' ? answersTo(state.token.asked, message.params) : NONE;
}

/** The first answer, or what the server may take for one, in which `find` finds a fault. */
export function findAnswerViolation(
  exchange: Exchange,
  find: (asked: AskedInput, answer: JsonObject) => AnswerFault | undefined,
): Violation | undefined {
  const { state } = exchange.facts;
  if (state?.verdict !== 'accepted') return undefined;
  for (const { asked, answer } of takenForAnswers(state.token.asked, exchange.message.params)) {
    const fault = find(asked, answer);
    if (fault === undefined) continue;
    const at = pointer('params', 'inputResponses', asked.key, ...fault.path);
    return { at, message: `invalid params: ${fault.sentence}` };
  }
  return undefined;
}
