import { passesAsLegacy } from '../../engine/exchange.js';
import type { Rule } from '../../engine/rule.js';
import { TASKS_EXTENSION } from '../../protocol/constants.js';
import { isTaskResult } from '../../protocol/results.js';

export const taskResultDeclared: Rule<'outbound'> = {
  id: 'task-result-declared',
  stage: 'outbound',
  guarantees: 'Only a client that declared the Tasks extension on this very request is answered with a task.',
  clause: {
    page: 'seps/2663-tasks-extension',
    anchor: 'capability-negotiation',
    keyword: 'MUST NOT',
    quote:
      'A server MUST NOT return `CreateTaskResult` to a client that did not include the extension capability on its request, regardless of prior declarations.',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  remedy: { refuse: 'missingCapability' },
  check: (input) => {
    const { exchange } = input;
    if (passesAsLegacy(exchange) || exchange.capabilities.tasks || !isTaskResult(input)) return undefined;
    return {
      at: '/result/resultType',
      message: 'the server answered with a task and the client did not declare the Tasks extension',
      detail: {
        kind: 'capabilities',
        required: { extensions: { [TASKS_EXTENSION]: {} } },
        formMissing: false,
      },
    };
  },
};
