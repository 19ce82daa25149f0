import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src/protocol/messages.js';
import { inputRequiredContentPresent } from '../../../src/rules/outbound/input-required-content-present.js';
import { event, exchange, outbound } from '../fixtures.js';

const ASKED = { q: { method: 'roots/list' } };

function check(result: JsonValue, method = 'tools/call') {
  return inputRequiredContentPresent.check(outbound({ exchange: exchange({ method }), result }));
}

describe('input-required-content-present', () => {
  it.each<[string, JsonValue, string]>([
    ['neither', {}, '/result'],
    ['an empty map alone', { inputRequests: {} }, '/result'],
    ['null for the map', { inputRequests: null }, '/result/inputRequests'],
    ['null for the map beside a state', { inputRequests: null, requestState: 's' }, '/result/inputRequests'],
    ['a list of requests', { inputRequests: [ASKED.q] }, '/result/inputRequests'],
    ['null for the state', { requestState: null }, '/result/requestState'],
    ['a state that is an object', { requestState: {}, inputRequests: ASKED }, '/result/requestState'],
  ])('refuses an input_required result with %s', (_, members, at) => {
    expect(check({ resultType: 'input_required', ...(members as object) })?.at).toBe(at);
  });

  it('refuses an empty map in a result of another type, since a client may read it', () => {
    expect(check({ resultType: 'complete', content: [], inputRequests: {} })?.at).toBe('/result');
  });

  it('takes no member from a prototype', () => {
    const result = JSON.parse('{"resultType":"input_required","__proto__":{"requestState":"s"}}');
    expect(check(result)?.at).toBe('/result');
  });

  it.each<[string, JsonValue]>([
    ['an input request', { inputRequests: ASKED }],
    ['a state', { requestState: 's' }],
    ['an empty state', { requestState: '' }],
    ['both', { inputRequests: ASKED, requestState: 's' }],
    ['an empty map beside a state', { inputRequests: {}, requestState: 's' }],
    ['a key named __proto__', { inputRequests: JSON.parse('{"__proto__":{"method":"roots/list"}}') }],
    ['an input request, metadata and content', { inputRequests: ASKED, content: [], _meta: { a: 1 } }],
  ])('passes an input_required result with %s', (_, members) => {
    expect(check({ resultType: 'input_required', ...(members as object) })).toBeUndefined();
  });

  it('leaves other messages alone', () => {
    expect(check({ resultType: 'complete', content: [] })).toBeUndefined();
    expect(check({ resultType: 'task', taskId: 't', inputRequests: {} })).toBeUndefined();
    expect(check({ status: 'input_required', inputRequests: {} }, 'tasks/get')).toBeUndefined();
    expect(inputRequiredContentPresent.check(event('notifications/tasks', { taskId: 't' }))).toBeUndefined();
    expect(
      inputRequiredContentPresent.check(outbound({ error: { code: -32603, message: 'm' } })),
    ).toBeUndefined();
  });
});
