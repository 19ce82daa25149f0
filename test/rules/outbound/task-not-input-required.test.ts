import { describe, expect, it } from 'vitest';
import { taskNotInputRequired } from '../../../src/rules/outbound/task-not-input-required.js';
import { event, exchange, outbound, policy } from '../fixtures.js';

const ASKED = { q: { method: 'elicitation/create', params: { mode: 'form', message: 'Which?' } } };
const POLL = exchange({ method: 'tasks/get', params: { taskId: 't1' } });

describe('task-not-input-required', () => {
  it('refuses an answer to tasks/get whose task waits for input', () => {
    const result = { resultType: 'complete', taskId: 't1', status: 'input_required', inputRequests: ASKED };
    const violation = taskNotInputRequired.check(outbound({ exchange: POLL, result }));
    expect(violation).toEqual({ at: '/result/status', message: 'a task waits for input' });
  });

  it('refuses it without inputRequests and without a type', () => {
    const result = { taskId: 't1', status: 'input_required' };
    expect(taskNotInputRequired.check(outbound({ exchange: POLL, result }))?.at).toBe('/result/status');
  });

  it('refuses a new task that begins by waiting for input', () => {
    const result = { resultType: 'task', taskId: 't1', status: 'input_required' };
    expect(taskNotInputRequired.check(outbound({ result }))?.at).toBe('/result/status');
  });

  it('refuses a task that asks whatever it calls its state', () => {
    const result = { resultType: 'task', taskId: 't1', status: 'working', inputRequests: ASKED };
    expect(taskNotInputRequired.check(outbound({ result }))?.at).toBe('/result/inputRequests');
  });

  it('refuses a task that asks in a list, where a map belongs', () => {
    const result = { taskId: 't1', status: 'working', inputRequests: [ASKED.q] };
    expect(taskNotInputRequired.check(outbound({ exchange: POLL, result }))?.at).toBe(
      '/result/inputRequests',
    );
  });

  it('drops the notification of a task that waits for input', () => {
    expect(taskNotInputRequired.check(event('notifications/tasks', { status: 'input_required' }))).toEqual({
      at: '/params/status',
      message: 'a task waits for input',
      remedy: 'drop',
    });
    expect(
      taskNotInputRequired.check(event('notifications/tasks', { status: 'working', inputRequests: ASKED })),
    ).toMatchObject({ at: '/params/inputRequests', remedy: 'drop' });
  });

  it.each(['working', 'completed', 'failed', 'cancelled', 'other', null])(
    'passes a task in state %j',
    (status) => {
      const task = { taskId: 't1', status };
      expect(taskNotInputRequired.check(outbound({ exchange: POLL, result: task }))).toBeUndefined();
      expect(
        taskNotInputRequired.check(outbound({ result: { ...task, resultType: 'task' } })),
      ).toBeUndefined();
      expect(taskNotInputRequired.check(event('notifications/tasks', task))).toBeUndefined();
    },
  );

  it('passes a task with an empty map of requests', () => {
    const result = { taskId: 't1', status: 'working', inputRequests: {} };
    expect(taskNotInputRequired.check(outbound({ exchange: POLL, result }))).toBeUndefined();
  });

  it('leaves results that are no tasks to other rules', () => {
    const result = { resultType: 'input_required', status: 'input_required', inputRequests: ASKED };
    expect(taskNotInputRequired.check(outbound({ result }))).toBeUndefined();
    expect(
      taskNotInputRequired.check(event('notifications/progress', { status: 'input_required' })),
    ).toBeUndefined();
  });

  it('leaves the tasks of legacy traffic alone', () => {
    const legacy = exchange({
      method: 'tasks/get',
      legacy: true,
      meta: null,
      policy: policy({ legacy: 'pass' }),
    });
    const result = { taskId: 't1', status: 'input_required' };
    expect(taskNotInputRequired.check(outbound({ exchange: legacy, result }))).toBeUndefined();
  });

  it('is Ze’s own promise', () => {
    expect(taskNotInputRequired.severity).toEqual({ spec: 'off', ze: 'enforce' });
  });
});
