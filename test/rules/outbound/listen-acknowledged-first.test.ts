import { describe, expect, it } from 'vitest';
import { listenAcknowledgedFirst } from '../../../src/rules/outbound/listen-acknowledged-first.js';
import { event, exchange, outbound } from '../fixtures.js';

const LISTEN = exchange({ method: 'subscriptions/listen', params: { notifications: {} } });

describe('listen-acknowledged-first', () => {
  it.each([
    'notifications/tools/list_changed',
    'notifications/tasks',
    'notifications/cancelled',
    'notifications/x',
  ])('finds %s before the acknowledgement', (method) => {
    expect(listenAcknowledgedFirst.check(event(method, {}, { exchange: LISTEN }))?.at).toBe('/method');
  });

  it('passes the acknowledgement, and what comes after it', () => {
    const first = event('notifications/subscriptions/acknowledged', {}, { exchange: LISTEN });
    const second = event('notifications/tools/list_changed', {}, { exchange: LISTEN, acknowledged: true });
    expect(listenAcknowledgedFirst.check(first)).toBeUndefined();
    expect(listenAcknowledgedFirst.check(second)).toBeUndefined();
  });

  it('passes a response instead of any acknowledgement', () => {
    const error = { code: -32602, message: 'x' };
    expect(listenAcknowledgedFirst.check(outbound({ exchange: LISTEN, error }))).toBeUndefined();
    expect(listenAcknowledgedFirst.check(outbound({ exchange: LISTEN, position: 'final' }))).toBeUndefined();
  });

  it('judges subscriptions alone', () => {
    expect(listenAcknowledgedFirst.check(event('notifications/progress'))).toBeUndefined();
  });
});
