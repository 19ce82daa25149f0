import { findAnswerViolation } from '../../engine/answered.js';
import type { Rule } from '../../engine/rule.js';
import { findSchemaFault } from '../../protocol/answers.js';

export const answerMatchesSchema: Rule<'inbound'> = {
  id: 'answer-matches-schema',
  stage: 'inbound',
  guarantees:
    'Under a sealed state, accepted content matches the requested schema: required fields, types, options, bounds and formats.',
  clause: {
    page: 'client/elicitation',
    anchor: 'form-mode-security',
    keyword: 'SHOULD',
    quote: 'Servers SHOULD validate received data matches the requested schema',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  remedy: { refuse: 'invalidParams' },
  check: (exchange) => findAnswerViolation(exchange, findSchemaFault),
};
