import { passesAsLegacy } from '../../engine/exchange.js';
import type { Rule } from '../../engine/rule.js';
import { has } from '../../protocol/messages.js';
import { resultOf } from '../../protocol/results.js';

export const resultTypePresent: Rule<'outbound'> = {
  id: 'result-type-present',
  stage: 'outbound',
  guarantees: 'Every result says its type.',
  clause: {
    page: 'basic/index',
    anchor: 'result-responses',
    keyword: 'MUST',
    quote: 'The `result` MUST include a `resultType` field to indicate the type of the result.',
  },
  severity: { spec: 'report', ze: 'report' },
  remedy: { refuse: 'serverViolation' },
  check: ({ exchange, message }) => {
    const result = resultOf(message);
    if (passesAsLegacy(exchange) || result === undefined || has(result, 'resultType')) return undefined;
    return { at: '/result', message: 'the result has no resultType' };
  },
};
