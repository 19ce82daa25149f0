import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src/protocol/messages.js';
import { taskResultComplete } from '../../../src/rules/outbound/task-result-complete.js';
import { event, exchange, outbound } from '../fixtures.js';

const ASKED = { q: { method: 'elicitation/create', params: { mode: 'form', message: 'Which?' } } };

function polled(stored: JsonValue, status = 'completed') {
  const result = { resultType: 'complete', taskId: 't1', status, result: stored };
  return taskResultComplete.check(outbound({ exchange: exchange({ method: 'tasks/get' }), result }));
}

describe('task-result-complete', () => {
  it.each<[string, JsonValue, string]>([
    [
      'says that it asks',
      { resultType: 'input_required', inputRequests: ASKED },
      '/result/result/resultType',
    ],
    [
      'asks by requestState alone',
      { resultType: 'input_required', requestState: 's' },
      '/result/result/resultType',
    ],
    ['asks without a type', { inputRequests: ASKED }, '/result/result/inputRequests'],
    [
      'asks as a complete result',
      { resultType: 'complete', inputRequests: ASKED },
      '/result/result/inputRequests',
    ],
    ['asks as a task', { resultType: 'task', inputRequests: ASKED }, '/result/result/inputRequests'],
    ['asks by a map of the wrong type', { inputRequests: null }, '/result/result/inputRequests'],
  ])('refuses a stored result that %s', (_, stored, at) => {
    expect(polled(stored)?.at).toBe(at);
  });

  it('judges a stored result whatever state the task names', () => {
    expect(polled({ resultType: 'input_required' }, 'working')?.at).toBe('/result/result/resultType');
  });

  it('refuses a new task that is born with such a result', () => {
    const result = { resultType: 'task', status: 'completed', result: { resultType: 'input_required' } };
    expect(taskResultComplete.check(outbound({ result }))?.at).toBe('/result/result/resultType');
  });

  it('drops the notification of a task with such a result', () => {
    const params = { status: 'completed', result: { resultType: 'input_required' } };
    expect(taskResultComplete.check(event('notifications/tasks', params))).toMatchObject({
      at: '/params/result/resultType',
      remedy: 'drop',
    });
  });

  it.each<[string, JsonValue]>([
    ['a complete result', { resultType: 'complete', content: [] }],
    ['a result without type', { content: [], isError: true }],
    ['a result that mentions the word in its data', { structuredContent: { inputRequests: ASKED } }],
    ['null', null],
    ['an array', [{ resultType: 'input_required' }]],
  ])('passes %s', (_, stored) => {
    expect(polled(stored)).toBeUndefined();
  });

  it('passes results of requests that are no tasks', () => {
    const result = { resultType: 'complete', result: { resultType: 'input_required' } };
    expect(taskResultComplete.check(outbound({ result }))).toBeUndefined();
  });
});
