import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/protocol/messages.js';
import { listenTagged } from '../../../src/rules/outbound/listen-tagged.js';
import { event, exchange, outbound } from '../fixtures.js';

const AT = '/params/_meta/io.modelcontextprotocol~1subscriptionId';

function check(id: string | number, params: JsonObject, method = 'notifications/tools/list_changed') {
  const listen = exchange({ id, method: 'subscriptions/listen', params: { notifications: {} } });
  return listenTagged.check(event(method, params, { exchange: listen }));
}

function tagged(value: JsonValue): JsonObject {
  return { _meta: { 'io.modelcontextprotocol/subscriptionId': value } };
}

describe('listen-tagged', () => {
  it.each<[string, string | number, JsonObject]>([
    ['no _meta', 1, {}],
    ['a _meta that is no object', 1, { _meta: 'x' }],
    ['an empty _meta', 1, { _meta: {} }],
    ['a string for a number', 1, tagged('1')],
    ['a number for a string', '1', tagged(1)],
    ['another subscription', 1, tagged(2)],
    ['null', 0, tagged(null)],
    ['the tag outside _meta', 1, { 'io.modelcontextprotocol/subscriptionId': 1 }],
  ])('finds a notification with %s', (_, id, params) => {
    expect(check(id, params)?.at).toBe(AT);
  });

  it('finds an acknowledgement without the tag', () => {
    expect(check(1, {}, 'notifications/subscriptions/acknowledged')?.at).toBe(AT);
  });

  it.each([0, 7, '', 's1', '7'])('passes the tag %j of the request with that id', (id) => {
    expect(check(id, tagged(id))).toBeUndefined();
    expect(check(id, tagged(id), 'notifications/subscriptions/acknowledged')).toBeUndefined();
  });

  it('never judges the closing response', () => {
    const listen = exchange({ method: 'subscriptions/listen' });
    expect(listenTagged.check(outbound({ exchange: listen, position: 'final' }))).toBeUndefined();
  });

  it('judges subscriptions alone', () => {
    expect(listenTagged.check(event('notifications/progress'))).toBeUndefined();
  });
});
