import type { Rule } from '../../engine/rule.js';
import { isInputRequired } from '../../protocol/results.js';

export const inputRequestsWithinLimit: Rule<'outbound'> = {
  id: 'input-requests-within-limit',
  stage: 'outbound',
  guarantees: 'An input_required result asks for at most as many inputs as the route allows.',
  clause: {
    source: 'Ze',
    keyword: 'MUST',
    quote: 'ze_execute asks for one value, so exactly one inputRequests entry is ever emitted.',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  remedy: { refuse: 'serverViolation' },
  check: (input) => {
    if (!isInputRequired(input) || input.asked.length <= input.exchange.policy.inputRequests.max)
      return undefined;
    return {
      at: '/result/inputRequests',
      message: 'a result asks for more inputs at once than this route allows',
    };
  },
};
