import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/protocol/messages.js';
import { listenFiltered } from '../../../src/rules/outbound/listen-filtered.js';
import { event, exchange, outbound } from '../fixtures.js';

const ALL = {
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
  resourceSubscriptions: ['file:///a'],
  taskIds: ['t1'],
};

function check(
  notifications: JsonValue,
  method: string,
  params: JsonObject = {},
  capabilities: JsonValue = {},
) {
  const listen = exchange({ method: 'subscriptions/listen', params: { notifications }, capabilities });
  return listenFiltered.check(event(method, params, { exchange: listen, acknowledged: true }));
}

describe('listen-filtered', () => {
  it.each([
    ['notifications/tools/list_changed', 'toolsListChanged'],
    ['notifications/prompts/list_changed', 'promptsListChanged'],
    ['notifications/resources/list_changed', 'resourcesListChanged'],
  ])('lets %s through only when %s is true', (method, flag) => {
    expect(check({ [flag]: true }, method)).toBeUndefined();
    for (const filter of [{}, { [flag]: false }, { [flag]: 'true' }, { ...ALL, [flag]: null }, null, []]) {
      expect(check(filter, method)?.at).toBe('/method');
    }
  });

  it.each<[string, string, JsonObject]>([
    ['another resource', 'notifications/resources/updated', { uri: 'file:///b' }],
    ['a resource without uri', 'notifications/resources/updated', {}],
    ['another task', 'notifications/tasks', { taskId: 't2' }],
    ['a task without id', 'notifications/tasks', {}],
    ['progress', 'notifications/progress', { progressToken: 1 }],
    ['a log message', 'notifications/message', { level: 'error' }],
    ['the end of another request', 'notifications/cancelled', { requestId: 2 }],
    ['an unknown notification', 'notifications/x', {}],
    ['a notification called like an inherited member', 'constructor', {}],
  ])('finds %s outside even the widest filter', (_, method, params) => {
    expect(check(ALL, method, params)?.at).toBe('/method');
  });

  it.each<[string, string, JsonObject]>([
    ['the acknowledgement', 'notifications/subscriptions/acknowledged', {}],
    ['a resource in the filter', 'notifications/resources/updated', { uri: 'file:///a' }],
    ['a sub-resource of one in the filter', 'notifications/resources/updated', { uri: 'file:///a/b' }],
    ['a task in the filter', 'notifications/tasks', { taskId: 't1' }],
    ['the end of this subscription', 'notifications/cancelled', { requestId: 1 }],
  ])('passes %s', (_, method, params) => {
    expect(check(ALL, method, params)).toBeUndefined();
  });

  it('leaves unknown notifications to extensions that it does not know', () => {
    const foreign = { extensions: { 'com.example/x': {} } };
    expect(check({}, 'notifications/com.example/changed', {}, foreign)).toBeUndefined();
    expect(check({}, 'notifications/progress', {}, foreign)?.at).toBe('/method');
    const tasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
    expect(check({}, 'notifications/com.example/changed', {}, tasks)?.at).toBe('/method');
  });

  it('judges notifications alone', () => {
    const listen = exchange({ method: 'subscriptions/listen' });
    expect(listenFiltered.check(outbound({ exchange: listen, position: 'final' }))).toBeUndefined();
    expect(listenFiltered.check(outbound({ position: 'final' }))).toBeUndefined();
  });

  it.each([
    'notifications/tools/list_changed',
    'notifications/prompts/list_changed',
    'notifications/resources/list_changed',
    'notifications/resources/updated',
    'notifications/subscriptions/acknowledged',
    'notifications/cancelled',
  ])('finds %s on the stream of another request', (method) => {
    expect(listenFiltered.check(event(method, { requestId: 1 }))?.at).toBe('/method');
  });

  it.each(['notifications/progress', 'notifications/message', 'notifications/tasks', 'notifications/x'])(
    'leaves %s on the stream of another request to other rules',
    (method) => {
      expect(listenFiltered.check(event(method))).toBeUndefined();
    },
  );
});
