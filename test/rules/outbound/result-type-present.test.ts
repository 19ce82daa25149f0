import { describe, expect, it } from 'vitest';
import { resultTypePresent } from '../../../src/rules/outbound/result-type-present.js';
import { event, exchange, outbound, policy } from '../fixtures.js';

describe('result-type-present', () => {
  it.each([
    ['an empty result', {}],
    ['a result with other members', { content: [], _meta: {} }],
    ['a type that is not its own', JSON.parse('{"__proto__":{"resultType":"complete"}}')],
  ])('finds %s', (_, result) => {
    expect(resultTypePresent.check(outbound({ result }))?.at).toBe('/result');
  });

  it.each(['complete', 'x', null, 0])('passes a result of type %j', (resultType) => {
    expect(resultTypePresent.check(outbound({ result: { resultType } }))).toBeUndefined();
  });

  it('passes errors, notifications and legacy results', () => {
    expect(resultTypePresent.check(outbound({ error: { code: 1, message: 'x' } }))).toBeUndefined();
    expect(resultTypePresent.check(event('notifications/progress'))).toBeUndefined();
    const legacy = exchange({ legacy: true, meta: null, policy: policy({ legacy: 'pass' }) });
    expect(resultTypePresent.check(outbound({ exchange: legacy, result: {} }))).toBeUndefined();
  });

  it('only reports', () => {
    expect(resultTypePresent.severity).toEqual({ spec: 'report', ze: 'report' });
  });
});
