import { type Exchange, passesAsLegacy } from '../../engine/exchange.js';
import type { Rule, ViolationDetail } from '../../engine/rule.js';
import {
  METHOD_LISTEN,
  METHOD_TASKS_CANCEL,
  METHOD_TASKS_GET,
  METHOD_TASKS_UPDATE,
  TASKS_EXTENSION,
} from '../../protocol/constants.js';
import { isArray, member, objectMember } from '../../protocol/messages.js';

const TASK_METHODS: ReadonlySet<string> = new Set([
  METHOD_TASKS_GET,
  METHOD_TASKS_UPDATE,
  METHOD_TASKS_CANCEL,
]);
const MESSAGE = `Missing required client capability: extensions["${TASKS_EXTENSION}"]`;
const TASKS_REQUIRED: ViolationDetail = {
  kind: 'capabilities',
  required: { extensions: { [TASKS_EXTENSION]: {} } },
  formMissing: false,
};

export const tasksRequestDeclared: Rule<'inbound'> = {
  id: 'tasks-request-declared',
  stage: 'inbound',
  guarantees: 'Requests about tasks come only from a client that declares the Tasks extension on them.',
  clause: {
    page: 'seps/2663-tasks-extension',
    anchor: 'protocol-errors',
    keyword: 'MUST',
    quote:
      'Servers MUST return this error for non-declaring clients issuing `tasks/get`, `tasks/update`, and `tasks/cancel` requests.',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  remedy: { refuse: 'missingCapability' },
  check(exchange) {
    if (exchange.capabilities.tasks || passesAsLegacy(exchange)) return undefined;
    const at = placeOfTasks(exchange);
    return at === undefined ? undefined : { at, message: MESSAGE, detail: TASKS_REQUIRED };
  },
};

/** What makes the message one about tasks: its method, or the task ids that a listener names. */
function placeOfTasks({ message: { method, params } }: Exchange): string | undefined {
  if (TASK_METHODS.has(method)) return '/method';
  if (method !== METHOD_LISTEN) return undefined;
  const ids = member(objectMember(params, 'notifications') ?? {}, 'taskIds') ?? [];
  return isArray(ids) && ids.length === 0 ? undefined : '/params/notifications/taskIds';
}
