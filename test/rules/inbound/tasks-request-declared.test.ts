import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../src/engine/exchange.js';
import type { JsonValue } from '../../../src/protocol/messages.js';
import { tasksRequestDeclared } from '../../../src/rules/inbound/tasks-request-declared.js';
import { judges } from '../cases.js';
import { exchange, policy } from '../fixtures.js';

const TASKS = 'io.modelcontextprotocol/tasks';
const AT_IDS = '/params/notifications/taskIds';
const DECLARED: JsonValue = { extensions: { [TASKS]: {} } };

const task = (method: string, capabilities: JsonValue = {}): Exchange =>
  exchange({ method, params: { taskId: 't-1' }, capabilities });
const listen = (notifications: JsonValue, capabilities: JsonValue = {}): Exchange =>
  exchange({ method: 'subscriptions/listen', params: { notifications }, capabilities });

judges(tasksRequestDeclared, {
  refuses: [
    ['an undeclared tasks/get', task('tasks/get'), '/method'],
    ['an undeclared tasks/update', task('tasks/update'), '/method'],
    ['an undeclared tasks/cancel', task('tasks/cancel'), '/method'],
    ['a declaration of true', task('tasks/get', { extensions: { [TASKS]: true } }), '/method'],
    ['a declaration of null', task('tasks/get', { extensions: { [TASKS]: null } }), '/method'],
    ['a declaration that is an array', task('tasks/get', { extensions: { [TASKS]: [] } }), '/method'],
    ['extensions that are a list', task('tasks/get', { extensions: [TASKS] }), '/method'],
    ['the tasks capability of an earlier revision', task('tasks/get', { tasks: {} }), '/method'],
    ['the capability outside extensions', task('tasks/get', { [TASKS]: {} }), '/method'],
    ['an undeclared listener for tasks', listen({ taskIds: ['t-1'] }), AT_IDS],
    ['task ids of an odd type', listen({ taskIds: 't-1' }), AT_IDS],
    [
      'an undeclared legacy request where the route refuses the legacy era',
      exchange({ method: 'tasks/get', meta: null, legacy: true }),
      '/method',
    ],
  ],
  passes: [
    ['a declared tasks/get', task('tasks/get', DECLARED)],
    [
      'a declaration with settings',
      task('tasks/update', { extensions: { [TASKS]: { x: 1 }, 'com.example/y': {} } }),
    ],
    ['a declared listener for tasks', listen({ taskIds: ['t-1'] }, DECLARED)],
    ['an undeclared listener for other changes', listen({ toolsListChanged: true })],
    ['a listener for no task', listen({ taskIds: [] })],
    ['a listener with null for its task ids', listen({ taskIds: null })],
    ['a listener without filter', exchange({ method: 'subscriptions/listen' })],
    [
      'task ids on another method',
      exchange({ params: { name: 'book', notifications: { taskIds: ['t-1'] } } }),
    ],
    ['a call, whose answer may not be a task', exchange()],
    ['a removed method, which the server refuses itself', task('tasks/result')],
    [
      'a legacy request where the route lets the legacy era pass',
      exchange({ method: 'tasks/get', meta: null, legacy: true, policy: policy({ legacy: 'pass' }) }),
    ],
  ],
});

describe('tasks-request-declared', () => {
  it('names exactly the extension that is missing', () => {
    expect(tasksRequestDeclared.check(task('tasks/get'))?.detail).toEqual({
      kind: 'capabilities',
      required: { extensions: { 'io.modelcontextprotocol/tasks': {} } },
      formMissing: false,
    });
  });
});
