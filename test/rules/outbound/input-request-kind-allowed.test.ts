import { describe, expect, it } from 'vitest';
import type { Profile } from '../../../src/engine/rule.js';
import type { JsonValue } from '../../../src/protocol/messages.js';
import { inputRequestKindAllowed } from '../../../src/rules/outbound/input-request-kind-allowed.js';
import { event, exchange, inputRequired, outbound, policy } from '../fixtures.js';

function check(entry: JsonValue, profile: Profile = 'spec') {
  const judged = exchange({ policy: policy({ profile }) });
  return inputRequestKindAllowed.check(inputRequired({ 'a/b': entry }, { exchange: judged }));
}

describe('input-request-kind-allowed', () => {
  it.each<[JsonValue, string]>([
    [null, ''],
    ['elicitation/create', ''],
    [[{ method: 'elicitation/create' }], ''],
    [{}, ''],
    [{ method: null }, ''],
    [{ method: ['elicitation/create'] }, ''],
    [{ method: 'tools/call', params: {} }, '/method'],
    [{ method: 'elicitation/Create' }, '/method'],
    [{ method: 'constructor' }, '/method'],
    [{ method: '' }, '/method'],
    [JSON.parse('{"__proto__":{"method":"roots/list"}}'), ''],
  ])('refuses %j', (entry, member) => {
    expect(check(entry)?.at).toBe(`/result/inputRequests/a~1b${member}`);
  });

  it.each(['elicitation/create', 'sampling/createMessage', 'roots/list'])('passes %s', (method) => {
    expect(check({ method })).toBeUndefined();
  });

  it('refuses what the route leaves out', () => {
    expect(check({ method: 'elicitation/create' }, 'ze')).toBeUndefined();
    expect(check({ method: 'sampling/createMessage' }, 'ze')?.at).toBe('/result/inputRequests/a~1b/method');
    expect(check({ method: 'roots/list' }, 'ze')?.at).toBe('/result/inputRequests/a~1b/method');
  });

  it('judges every entry', () => {
    const asked = { one: { method: 'roots/list' }, two: { method: 'ping' } };
    expect(inputRequestKindAllowed.check(inputRequired(asked))?.at).toBe('/result/inputRequests/two/method');
  });

  it('judges what a task asks for', () => {
    const task = { taskId: 't', status: 'input_required', inputRequests: { q: { method: 'ping' } } };
    const told = event('notifications/tasks', task);
    expect(inputRequestKindAllowed.check(told)?.at).toBe('/params/inputRequests/q/method');
    const asked = outbound({ exchange: exchange({ method: 'tasks/get' }), result: task });
    expect(inputRequestKindAllowed.check(asked)?.at).toBe('/result/inputRequests/q/method');
  });

  it('leaves messages that ask for nothing alone', () => {
    expect(inputRequestKindAllowed.check(outbound())).toBeUndefined();
    expect(
      inputRequestKindAllowed.check(outbound({ error: { code: -32603, message: 'm' } })),
    ).toBeUndefined();
  });
});
