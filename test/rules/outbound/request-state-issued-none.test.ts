import { describe, expect, it } from 'vitest';
import type { RequestStateMode } from '../../../src/engine/policy.js';
import type { JsonValue } from '../../../src/protocol/messages.js';
import { requestStateIssuedNone } from '../../../src/rules/outbound/request-state-issued-none.js';
import { exchange, outbound, policy } from '../fixtures.js';

const ASKED = { q: { method: 'roots/list' } };

function check(result: JsonValue, requestState: RequestStateMode = 'forbid', legacy = false) {
  const judged = exchange({ policy: policy({ requestState }), legacy });
  return requestStateIssuedNone.check(outbound({ exchange: judged, result }));
}

describe('request-state-issued-none', () => {
  it.each<JsonValue>(['blob', '', null, 0, false, {}, []])(
    'refuses an input_required result whose requestState is %j where the route forbids it',
    (requestState) => {
      expect(check({ resultType: 'input_required', inputRequests: ASKED, requestState })).toEqual({
        at: '/result/requestState',
        message: 'a result carries a requestState, which a retry on this route must not carry',
      });
    },
  );

  it.each<[string, JsonValue]>([
    ['that asks without saying so', { inputRequests: ASKED, requestState: '' }],
    ['that is complete', { resultType: 'complete', content: [], requestState: 'blob' }],
    ['that has no type', { content: [], requestState: 'blob' }],
    ['that is a task', { resultType: 'task', taskId: 't', requestState: 'blob' }],
  ])('refuses a state in a result %s', (_, result) => {
    expect(check(result)?.at).toBe('/result/requestState');
  });

  it('refuses a state in a legacy result', () => {
    expect(check({ content: [], requestState: 'blob' }, 'forbid', true)?.at).toBe('/result/requestState');
  });

  it.each<[string, JsonValue]>([
    ['without a state', { resultType: 'input_required', inputRequests: ASKED }],
    [
      'that is complete, with null for a state it does not have',
      { resultType: 'complete', requestState: null },
    ],
    [
      'whose own data has the name',
      { structuredContent: { requestState: 'blob' }, _meta: { requestState: 'x' } },
    ],
    ['whose prototype would have it', JSON.parse('{"__proto__":{"requestState":"blob"}}')],
  ])('passes a result %s', (_, result) => {
    expect(check(result)).toBeUndefined();
  });

  it.each<RequestStateMode>(['relay', 'seal'])('passes a state in mode %s', (mode) => {
    expect(check({ resultType: 'input_required', requestState: 'blob' }, mode)).toBeUndefined();
  });

  it('leaves errors alone', () => {
    const judged = exchange({ policy: policy({ profile: 'ze' }) });
    const error = { code: -32603, message: 'm', data: { requestState: 'blob' } };
    expect(requestStateIssuedNone.check(outbound({ exchange: judged, error }))).toBeUndefined();
  });
});
