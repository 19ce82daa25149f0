import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src/protocol/messages.js';
import { noServerRequest } from '../../../src/rules/outbound/no-server-request.js';
import { event, exchange, outbound, policy } from '../fixtures.js';

const LEGACY = exchange({ legacy: true, meta: null, policy: policy({ legacy: 'pass' }) });

describe('no-server-request', () => {
  it.each<[string, JsonValue]>([
    ['elicitation/create', 'srv-1'],
    ['sampling/createMessage', 7],
    ['roots/list', 0],
    ['ping', ''],
    ['roots/list', null],
    ['constructor', 1],
    ['notifications/progress', 1],
  ])('refuses %s with the id %j, in a stream and as a body', (method, id) => {
    const message = { jsonrpc: '2.0', id, method };
    for (const position of ['event', 'body'] as const) {
      const violation = noServerRequest.check(outbound({ message, position }));
      expect(violation).toEqual({ at: '/method', message: 'the server sent a request of its own' });
    }
  });

  it('drops a request without id: no notification is called so', () => {
    expect(noServerRequest.check(event('elicitation/create', { message: 'x' }))).toMatchObject({
      at: '/method',
      remedy: 'drop',
    });
  });

  it('passes notifications and responses', () => {
    expect(noServerRequest.check(event('notifications/progress'))).toBeUndefined();
    expect(noServerRequest.check(event('notifications/com.example/other'))).toBeUndefined();
    expect(noServerRequest.check(outbound())).toBeUndefined();
    expect(noServerRequest.check(outbound({ error: { code: 1, message: 'x' } }))).toBeUndefined();
  });

  it('passes an error answer that is text', () => {
    expect(noServerRequest.check(outbound({ status: 500, reading: { value: undefined } }))).toBeUndefined();
  });

  it('leaves legacy traffic its requests, where the route lets it pass', () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'elicitation/create' };
    expect(noServerRequest.check(outbound({ exchange: LEGACY, message }))).toBeUndefined();
    expect(noServerRequest.check(outbound({ exchange: exchange({ legacy: true }), message }))?.at).toBe(
      '/method',
    );
  });
});
