import { findAnswerViolation } from '../../engine/answered.js';
import type { Rule } from '../../engine/rule.js';
import { findModeFault } from '../../protocol/answers.js';

export const answerMatchesMode: Rule<'inbound'> = {
  id: 'answer-matches-mode',
  stage: 'inbound',
  guarantees: 'Under a sealed state, the answer to a URL elicitation carries no content.',
  clause: {
    page: 'client/elicitation',
    anchor: 'response-actions',
    keyword: 'MUST',
    quote: 'For URL mode: The `content` field is omitted',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  remedy: { refuse: 'invalidParams' },
  check: (exchange) => findAnswerViolation(exchange, findModeFault),
};
