import { passesAsLegacy } from '../../engine/exchange.js';
import type { Rule } from '../../engine/rule.js';
import { METHOD_TOOLS_CALL } from '../../protocol/constants.js';
import { isTaskResult } from '../../protocol/results.js';

export const taskResultMethodAllowed: Rule<'outbound'> = {
  id: 'task-result-method-allowed',
  stage: 'outbound',
  guarantees: 'Only tools/call is answered with a task.',
  clause: {
    page: 'seps/2663-tasks-extension',
    anchor: 'polymorphic-results',
    keyword: 'MUST NOT',
    quote: 'Servers MUST NOT set `resultType` to `"task"` on result types other than `CreateTaskResult`.',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  remedy: { refuse: 'serverViolation' },
  check: (input) => {
    const { exchange } = input;
    if (passesAsLegacy(exchange) || exchange.message.method === METHOD_TOOLS_CALL || !isTaskResult(input))
      return undefined;
    return { at: '/result/resultType', message: 'a task answers a request other than tools/call' };
  },
};
