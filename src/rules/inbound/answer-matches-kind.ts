import { findAnswerViolation } from '../../engine/answered.js';
import type { Rule } from '../../engine/rule.js';
import { findKindFault } from '../../protocol/answers.js';

export const answerMatchesKind: Rule<'inbound'> = {
  id: 'answer-matches-kind',
  stage: 'inbound',
  guarantees:
    'Under a sealed state, an answer is the result of the kind of request that it answers: elicitation, sampling or roots.',
  clause: {
    page: 'basic/patterns/mrtr',
    anchor: 'error-handling',
    keyword: 'SHOULD',
    quote:
      'Servers SHOULD validate that the data provided by the client is a valid `InputResponses` object and that the information inside can be correctly parsed.',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  remedy: { refuse: 'invalidParams' },
  check: (exchange) => findAnswerViolation(exchange, findKindFault),
};
