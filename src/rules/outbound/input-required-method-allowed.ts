import type { Rule } from '../../engine/rule.js';
import { MRTR_METHODS, RESULT_INPUT_REQUIRED } from '../../protocol/constants.js';
import { isInputRequired, resultOf, resultTypeOf } from '../../protocol/results.js';

export const inputRequiredMethodAllowed: Rule<'outbound'> = {
  id: 'input-required-method-allowed',
  stage: 'outbound',
  guarantees: 'Only tools/call, prompts/get and resources/read are answered with a question.',
  clause: {
    page: 'basic/patterns/mrtr',
    anchor: 'supported-requests',
    keyword: 'MUST NOT',
    quote: 'Servers MUST NOT send `InputRequiredResult` responses on any other client requests.',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  remedy: { refuse: 'serverViolation' },
  check: (input) => {
    if (MRTR_METHODS.has(input.exchange.message.method) || !isInputRequired(input)) return undefined;
    const result = resultOf(input.message);
    const says = result !== undefined && resultTypeOf(result) === RESULT_INPUT_REQUIRED;
    return {
      at: says ? '/result/resultType' : '/result/inputRequests',
      message: 'an InputRequiredResult answers a request that allows none',
    };
  },
};
