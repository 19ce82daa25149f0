import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src/protocol/messages.js';
import { resultTypeKnown } from '../../../src/rules/outbound/result-type-known.js';
import { event, exchange, outbound, policy } from '../fixtures.js';

describe('result-type-known', () => {
  it.each<JsonValue>(['partial', '', 'Complete', 'COMPLETE', 'input-required', 'constructor', '__proto__'])(
    'refuses the type %j',
    (resultType) => {
      expect(resultTypeKnown.check(outbound({ result: { resultType } }))?.at).toBe('/result/resultType');
    },
  );

  it.each<JsonValue>([null, 1, true, {}, ['complete']])('refuses %j, which is no string', (resultType) => {
    const declared = exchange({ capabilities: { extensions: { 'com.example/x': {} } } });
    expect(resultTypeKnown.check(outbound({ result: { resultType } }))?.at).toBe('/result/resultType');
    expect(resultTypeKnown.check(outbound({ exchange: declared, result: { resultType } }))?.at).toBe(
      '/result/resultType',
    );
  });

  it.each(['complete', 'input_required', 'task'])('passes the type %s', (resultType) => {
    expect(resultTypeKnown.check(outbound({ result: { resultType } }))).toBeUndefined();
    expect(resultTypeKnown.check(outbound({ position: 'final', result: { resultType } }))).toBeUndefined();
  });

  it('takes an absent type as complete', () => {
    expect(resultTypeKnown.check(outbound({ result: {} }))).toBeUndefined();
    expect(
      resultTypeKnown.check(outbound({ result: JSON.parse('{"__proto__":{"resultType":"x"}}') })),
    ).toBeUndefined();
  });

  it('passes another type only to a client that declared an extension unknown here', () => {
    const result = { resultType: 'partial' };
    const check = (extensions: JsonValue) =>
      resultTypeKnown.check(outbound({ exchange: exchange({ capabilities: { extensions } }), result }));
    expect(check({ 'com.example/x': {} })).toBeUndefined();
    expect(check({ 'com.example/x': true })?.at).toBe('/result/resultType');
    expect(check({ 'io.modelcontextprotocol/tasks': {} })?.at).toBe('/result/resultType');
    expect(check({})?.at).toBe('/result/resultType');
  });

  it('judges results alone', () => {
    expect(resultTypeKnown.check(event('notifications/tasks', { resultType: 'x' }))).toBeUndefined();
    expect(resultTypeKnown.check(outbound({ error: { code: 1, message: 'x' } }))).toBeUndefined();
    expect(
      resultTypeKnown.check(outbound({ message: { jsonrpc: '2.0', id: 1, result: null } })),
    ).toBeUndefined();
  });

  it('knows that legacy results have no type', () => {
    const legacy = exchange({ legacy: true, meta: null, policy: policy({ legacy: 'pass' }) });
    expect(
      resultTypeKnown.check(outbound({ exchange: legacy, result: { resultType: 'x' } })),
    ).toBeUndefined();
  });
});
