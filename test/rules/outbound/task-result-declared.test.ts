import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src/protocol/messages.js';
import { taskResultDeclared } from '../../../src/rules/outbound/task-result-declared.js';
import { exchange, outbound } from '../fixtures.js';

const TASK = { resultType: 'task', taskId: 't1', status: 'working' };

function check(capabilities: JsonValue, result: JsonValue = TASK) {
  return taskResultDeclared.check(outbound({ exchange: exchange({ capabilities }), result }));
}

describe('task-result-declared', () => {
  it.each<JsonValue>([
    {},
    { tasks: {} },
    { extensions: {} },
    { extensions: { 'io.modelcontextprotocol/tasks': true } },
    { extensions: { 'io.modelcontextprotocol/tasks': null } },
    { extensions: { 'io.modelcontextprotocol/Tasks': {} } },
    { extensions: ['io.modelcontextprotocol/tasks'] },
  ])('refuses a task to a client that declares %j, and names what is missing', (capabilities) => {
    expect(check(capabilities)).toMatchObject({
      at: '/result/resultType',
      detail: {
        kind: 'capabilities',
        required: { extensions: { 'io.modelcontextprotocol/tasks': {} } },
        formMissing: false,
      },
    });
  });

  it('passes a task to a client that declares the extension', () => {
    expect(check({ extensions: { 'io.modelcontextprotocol/tasks': {} } })).toBeUndefined();
  });

  it('passes other results to any client', () => {
    expect(check({}, { resultType: 'complete', taskId: 't1' })).toBeUndefined();
    expect(check({}, {})).toBeUndefined();
  });
});
