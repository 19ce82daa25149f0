import { passesAsLegacy } from '../../engine/exchange.js';
import type { Rule, Violation } from '../../engine/rule.js';
import { awaitsInput, taskOf } from '../../protocol/results.js';

export const taskNotInputRequired: Rule<'outbound'> = {
  id: 'task-not-input-required',
  stage: 'outbound',
  guarantees: 'No task waits for input: a tool asks before it becomes a task, or not at all.',
  clause: {
    source: 'Ze',
    keyword: 'MUST',
    quote: 'No Ze task can raise inputRequests, and none can reach the input_required state.',
  },
  severity: { spec: 'off', ze: 'enforce' },
  remedy: { refuse: 'serverViolation' },
  check: (input) => {
    const carried = passesAsLegacy(input.exchange) ? undefined : taskOf(input);
    if (carried === undefined) return undefined;
    const awaits = awaitsInput(carried.task);
    if (!awaits && input.asked.length === 0) return undefined;
    const violation: Violation = {
      at: `/${carried.step}/${awaits ? 'status' : 'inputRequests'}`,
      message: 'a task waits for input',
    };
    return carried.step === 'params' ? { ...violation, remedy: 'drop' } : violation;
  },
};
