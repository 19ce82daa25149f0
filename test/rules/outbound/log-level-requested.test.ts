import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src/protocol/messages.js';
import { logLevelRequested } from '../../../src/rules/outbound/log-level-requested.js';
import { event, exchange, outbound, policy, requestMeta } from '../fixtures.js';

const LOG = { level: 'error', data: 'x' };

function check(meta: JsonValue) {
  return logLevelRequested.check(event('notifications/message', LOG, { exchange: exchange({ meta }) }));
}

describe('log-level-requested', () => {
  it('drops a log message that the request did not ask for', () => {
    expect(check(requestMeta())?.at).toBe('/method');
    expect(logLevelRequested.remedy).toBe('drop');
  });

  it.each<[string, JsonValue]>([
    ['null', { 'io.modelcontextprotocol/logLevel': null }],
    ['a number', { 'io.modelcontextprotocol/logLevel': 3 }],
    ['another key', { logLevel: 'debug' }],
    ['an inherited key', JSON.parse('{"__proto__":{"io.modelcontextprotocol/logLevel":"debug"}}')],
  ])('takes %s for no request', (_, meta) => {
    expect(check(meta)?.at).toBe('/method');
  });

  it('passes a log message that the request asked for, at any level', () => {
    expect(check({ 'io.modelcontextprotocol/logLevel': 'debug' })).toBeUndefined();
    expect(check({ 'io.modelcontextprotocol/logLevel': 'emergency' })).toBeUndefined();
  });

  it('passes other notifications, responses and legacy logs', () => {
    expect(logLevelRequested.check(event('notifications/progress'))).toBeUndefined();
    expect(logLevelRequested.check(outbound())).toBeUndefined();
    const legacy = exchange({ legacy: true, meta: null, policy: policy({ legacy: 'pass' }) });
    expect(
      logLevelRequested.check(event('notifications/message', LOG, { exchange: legacy })),
    ).toBeUndefined();
  });
});
