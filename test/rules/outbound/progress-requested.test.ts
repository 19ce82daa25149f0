import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/protocol/messages.js';
import { progressRequested } from '../../../src/rules/outbound/progress-requested.js';
import { event, exchange, outbound, policy } from '../fixtures.js';

function check(meta: JsonValue, params: JsonObject) {
  return progressRequested.check(event('notifications/progress', params, { exchange: exchange({ meta }) }));
}

describe('progress-requested', () => {
  it.each<[JsonValue, JsonValue]>([
    [1, '1'],
    ['1', 1],
    [1, 2],
    ['p', 'P'],
    [0, false],
    ['', null],
    [1, [1]],
  ])('drops progress on a request with token %j under token %j', (asked, told) => {
    expect(check({ progressToken: asked }, { progressToken: told, progress: 1 })?.at).toBe(
      '/params/progressToken',
    );
  });

  it('drops progress without a token', () => {
    expect(check({ progressToken: 'p' }, { progress: 1 })?.at).toBe('/params/progressToken');
  });

  it.each<[string, JsonValue, JsonObject]>([
    ['neither side has a token', {}, {}],
    ['both tokens are null', { progressToken: null }, { progressToken: null }],
    ['both tokens are true', { progressToken: true }, { progressToken: true }],
    ['only the server names one', {}, { progressToken: 'p' }],
  ])('drops progress when %s', (_, meta, params) => {
    expect(check(meta, params)?.at).toBe('/method');
  });

  it.each<JsonValue>([0, 7, '', 'p', '__proto__'])(
    "passes progress under the request's token %j",
    (token) => {
      expect(check({ progressToken: token }, { progressToken: token, progress: 0.5 })).toBeUndefined();
    },
  );

  it('passes other notifications, responses and legacy progress', () => {
    expect(progressRequested.check(event('notifications/message', { progressToken: 'p' }))).toBeUndefined();
    expect(progressRequested.check(outbound())).toBeUndefined();
    const legacy = exchange({ legacy: true, meta: null, policy: policy({ legacy: 'pass' }) });
    expect(
      progressRequested.check(event('notifications/progress', {}, { exchange: legacy })),
    ).toBeUndefined();
  });
});
