import { passesAsLegacy } from '../../engine/exchange.js';
import type { Rule, Violation } from '../../engine/rule.js';
import { RESULT_INPUT_REQUIRED } from '../../protocol/constants.js';
import { has } from '../../protocol/messages.js';
import { resultTypeOf, storedResultOf, taskOf } from '../../protocol/results.js';

export const taskResultComplete: Rule<'outbound'> = {
  id: 'task-result-complete',
  stage: 'outbound',
  guarantees:
    "A completed task's stored result is final: it does not ask for input that nobody could give any more.",
  clause: {
    page: 'seps/2663-tasks-extension',
    anchor: 'task-polling',
    keyword: 'MUST',
    quote:
      'If the status is `completed`, the server MUST return a `Task` object with status `completed` and a `result` field containing the final result of the task.',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  remedy: { refuse: 'serverViolation' },
  check: (input) => {
    const carried = passesAsLegacy(input.exchange) ? undefined : taskOf(input);
    const stored = carried && storedResultOf(carried.task);
    if (stored === undefined) return undefined;
    const says = resultTypeOf(stored) === RESULT_INPUT_REQUIRED;
    if (!says && !has(stored, 'inputRequests')) return undefined;
    const violation: Violation = {
      at: `/${carried?.step}/result/${says ? 'resultType' : 'inputRequests'}`,
      message: "a task's stored result asks for input",
    };
    return carried?.step === 'params' ? { ...violation, remedy: 'drop' } : violation;
  },
};
