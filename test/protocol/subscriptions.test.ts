import { describe, expect, it } from 'vitest';
import { admitsNotification } from '../../src/protocol/subscriptions.js';

const UPDATED = 'notifications/resources/updated';

function admitsUpdate(subscribed: unknown, uri: string) {
  return admitsNotification(
    JSON.parse(JSON.stringify({ resourceSubscriptions: subscribed })),
    undefined,
    UPDATED,
    { uri },
  );
}

describe('admitsNotification', () => {
  it.each([
    [['file:///a'], 'file:///a'],
    [['file:///x', 'file:///a'], 'file:///a'],
    [['file:///a'], 'file:///a/b/c'],
    [['file:///a/'], 'file:///a/b'],
    [['file:///a'], 'file:///a#part'],
    [['file:///a'], 'file:///a?page=2'],
  ])('counts an update under %j as one of %s', (subscribed, uri) => {
    expect(admitsUpdate(subscribed, uri)).toBe(true);
  });

  it.each([
    [['file:///a'], 'file:///ab'],
    [['file:///a/b'], 'file:///a'],
    [['file:///a'], 'FILE:///a'],
    [['file:///a/'], 'file:///a'],
    [[], 'file:///a'],
    [[null, 1], 'file:///a'],
    ['file:///a', 'file:///a'],
  ])('counts no update under %j as one of %s', (subscribed, uri) => {
    expect(admitsUpdate(subscribed, uri)).toBe(false);
  });

  it('cannot tell what only an extension defines', () => {
    expect(admitsNotification({}, undefined, 'notifications/x', {})).toBeUndefined();
    expect(admitsNotification({}, undefined, '__proto__', {})).toBeUndefined();
  });

  it('takes a cancellation for the end of the subscription with that very id', () => {
    const id = { value: 0, text: '0' };
    expect(admitsNotification({}, id, 'notifications/cancelled', { requestId: 0 })).toBe(true);
    expect(admitsNotification({}, id, 'notifications/cancelled', { requestId: '0' })).toBe(false);
    expect(admitsNotification({}, undefined, 'notifications/cancelled', {})).toBe(false);
  });
});
