import { describe, expect, it } from 'vitest';
import { type JsonValue, readServerMessage } from '../../src/protocol/messages.js';
import {
  type Answer,
  awaitsInput,
  isInputRequired,
  isTaskResult,
  resultOf,
  resultTypeOf,
  storedResultOf,
  taskOf,
} from '../../src/protocol/results.js';

function answer(method: string, members: Record<string, JsonValue>): Answer {
  const message = readServerMessage({ jsonrpc: '2.0', id: 1, ...members }, () => '1');
  return { exchange: { message: { method } }, message };
}

function notification(method: string, params: JsonValue): Answer {
  const message = readServerMessage({ jsonrpc: '2.0', method, params }, () => '');
  return { exchange: { message: { method: 'subscriptions/listen' } }, message };
}

describe('resultTypeOf', () => {
  it('takes an absent type as complete and a wrong one as none', () => {
    expect(resultTypeOf({})).toBe('complete');
    expect(resultTypeOf({ resultType: 'task' })).toBe('task');
    expect(resultTypeOf({ resultType: null })).toBeUndefined();
    expect(resultTypeOf(JSON.parse('{"__proto__":{"resultType":"task"}}'))).toBe('complete');
  });
});

describe('isInputRequired', () => {
  it.each<[string, JsonValue]>([
    ['tools/call', { resultType: 'input_required' }],
    ['tools/list', { resultType: 'input_required' }],
    ['tasks/get', { resultType: 'input_required', status: 'input_required', inputRequests: {} }],
    ['tools/call', { inputRequests: {} }],
    ['tools/call', { inputRequests: null }],
    ['tools/call', { resultType: 'complete', content: [], inputRequests: {} }],
    ['tools/call', { resultType: 'partial', inputRequests: {} }],
    ['tools/call', { resultType: null, inputRequests: {} }],
    ['prompts/get', { resultType: 'task', inputRequests: {} }],
    ['tasks/update', { resultType: 'complete', inputRequests: {} }],
  ])('is true of an answer to %s that is %j', (method, result) => {
    expect(isInputRequired(answer(method, { result }))).toBe(true);
  });

  it.each<[string, JsonValue]>([
    ['tools/call', { resultType: 'complete' }],
    ['tools/call', {}],
    ['tools/call', { resultType: 'task', inputRequests: {} }],
    ['tasks/get', { resultType: 'complete', inputRequests: {} }],
    ['tasks/get', { resultType: 'task', inputRequests: {} }],
    ['tools/call', null],
    ['tools/call', [{ resultType: 'input_required' }]],
    ['tools/call', JSON.parse('{"__proto__":{"resultType":"input_required","inputRequests":{}}}')],
  ])('is false of an answer to %s that is %j', (method, result) => {
    expect(isInputRequired(answer(method, { result }))).toBe(false);
  });

  it('is false of errors, notifications and nothing', () => {
    expect(isInputRequired(answer('tools/call', { error: { resultType: 'input_required' } }))).toBe(false);
    expect(isInputRequired(notification('notifications/tasks', { inputRequests: {} }))).toBe(false);
    expect(isInputRequired({ exchange: { message: { method: 'tools/call' } }, message: undefined })).toBe(
      false,
    );
  });
});

describe('taskOf', () => {
  it('finds the task where each message carries it', () => {
    const task = { taskId: 't1', status: 'input_required' };
    expect(taskOf(answer('tasks/get', { result: task }))).toEqual({ task, step: 'result' });
    const born = { ...task, resultType: 'task' };
    expect(taskOf(answer('tools/call', { result: born }))).toEqual({ task: born, step: 'result' });
    expect(taskOf(notification('notifications/tasks', task))).toEqual({ task, step: 'params' });
  });

  it('finds none elsewhere', () => {
    const task = { taskId: 't1', status: 'input_required' };
    expect(taskOf(answer('tools/call', { result: task }))).toBeUndefined();
    expect(taskOf(answer('tasks/get', { error: task }))).toBeUndefined();
    expect(taskOf(answer('tasks/get', { result: [task] }))).toBeUndefined();
    expect(taskOf(notification('notifications/progress', task))).toBeUndefined();
    expect(taskOf(answer('tools/call', { method: 'notifications/tasks', params: task }))).toBeUndefined();
  });
});

describe('readers of tasks and results', () => {
  it('read own members of the right type', () => {
    expect(isTaskResult(answer('tools/list', { result: { resultType: 'task' } }))).toBe(true);
    expect(isTaskResult(answer('tools/list', { result: {} }))).toBe(false);
    expect(awaitsInput({ status: 'input_required' })).toBe(true);
    expect(awaitsInput({ status: ['input_required'] })).toBe(false);
    expect(storedResultOf({ result: { a: 1 } })).toEqual({ a: 1 });
    expect(storedResultOf({ result: null })).toBeUndefined();
    expect(resultOf(undefined)).toBeUndefined();
  });
});
