import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/protocol/messages.js';
import { cacheHintsPresent } from '../../../src/rules/outbound/cache-hints-present.js';
import { event, exchange, outbound, policy } from '../fixtures.js';

const CACHEABLE = [
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
];

function check(method: string, result: JsonObject) {
  return cacheHintsPresent.check(outbound({ exchange: exchange({ method }), result }));
}

describe('cache-hints-present', () => {
  it.each(CACHEABLE)('finds that %s is answered without hints', (method) => {
    expect(check(method, { resultType: 'complete' })?.at).toBe('/result/ttlMs');
    expect(check(method, { ttlMs: 0 })?.at).toBe('/result/cacheScope');
    expect(check(method, { cacheScope: 'public' })?.at).toBe('/result/ttlMs');
  });

  it.each<JsonValue>([-1, -0.5, '0', null, true, {}])('finds the ttlMs %j', (ttlMs) => {
    expect(check('tools/list', { ttlMs, cacheScope: 'public' })?.at).toBe('/result/ttlMs');
  });

  it.each<JsonValue>(['Public', 'shared', '', null, 0, ['public']])(
    'finds the cacheScope %j',
    (cacheScope) => {
      expect(check('tools/list', { ttlMs: 0, cacheScope })?.at).toBe('/result/cacheScope');
    },
  );

  it.each(['ttlMs', 'cacheScope'])('finds %s on a question', (name) => {
    expect(check('tools/call', { resultType: 'input_required', [name]: null })?.at).toBe(`/result/${name}`);
    expect(check('resources/read', { inputRequests: {}, [name]: 0 })?.at).toBe(`/result/${name}`);
  });

  it.each(CACHEABLE)('passes %s with both hints', (method) => {
    for (const cacheScope of ['public', 'private']) {
      expect(check(method, { resultType: 'complete', ttlMs: 0, cacheScope })).toBeUndefined();
      expect(check(method, { ttlMs: 300_000, cacheScope })).toBeUndefined();
    }
  });

  it('passes results that need no hints', () => {
    expect(check('tools/call', { resultType: 'complete' })).toBeUndefined();
    expect(check('tools/call', { resultType: 'task', ttlMs: null })).toBeUndefined();
    expect(check('resources/read', { resultType: 'input_required', inputRequests: {} })).toBeUndefined();
    expect(check('tools/list', { resultType: 'partial' })).toBeUndefined();
    expect(check('tasks/get', { status: 'input_required', inputRequests: {}, ttlMs: 1 })).toBeUndefined();
  });

  it('passes errors, notifications and legacy lists', () => {
    const list = exchange({ method: 'tools/list' });
    const legacy = exchange({
      method: 'tools/list',
      legacy: true,
      meta: null,
      policy: policy({ legacy: 'pass' }),
    });
    expect(
      cacheHintsPresent.check(outbound({ exchange: list, error: { code: 1, message: 'x' } })),
    ).toBeUndefined();
    expect(cacheHintsPresent.check(event('notifications/progress', {}, { exchange: list }))).toBeUndefined();
    expect(cacheHintsPresent.check(outbound({ exchange: legacy, result: {} }))).toBeUndefined();
  });
});
