import { describe, expect, it } from 'vitest';
import { taskResultMethodAllowed } from '../../../src/rules/outbound/task-result-method-allowed.js';
import { exchange, outbound } from '../fixtures.js';

const TASK = { resultType: 'task', taskId: 't1', status: 'working' };

describe('task-result-method-allowed', () => {
  it.each([
    'tools/list',
    'prompts/get',
    'resources/read',
    'tasks/get',
    'tasks/cancel',
    'Tools/Call',
    'other',
  ])('refuses a task that answers %s', (method) => {
    const input = outbound({ exchange: exchange({ method }), result: TASK });
    expect(taskResultMethodAllowed.check(input)?.at).toBe('/result/resultType');
  });

  it('passes a task that answers tools/call', () => {
    expect(taskResultMethodAllowed.check(outbound({ result: TASK }))).toBeUndefined();
  });

  it('passes the state of a task, which is a complete result', () => {
    const input = outbound({
      exchange: exchange({ method: 'tasks/get' }),
      result: { ...TASK, resultType: 'complete' },
    });
    expect(taskResultMethodAllowed.check(input)).toBeUndefined();
  });

  it('passes errors', () => {
    const input = outbound({
      exchange: exchange({ method: 'tools/list' }),
      error: { code: 1, message: 'x' },
    });
    expect(taskResultMethodAllowed.check(input)).toBeUndefined();
  });
});
