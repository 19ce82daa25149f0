import { describe, expect, it } from 'vitest';
import type { Profile } from '../../../src/engine/rule.js';
import type { JsonObject, JsonValue } from '../../../src/protocol/messages.js';
import { elicitationWellFormed } from '../../../src/rules/outbound/elicitation-well-formed.js';
import { event, exchange, inputRequired, policy } from '../fixtures.js';

const MESSAGE = 'Which command should be run?';
const SCHEMA = { type: 'object', properties: { command: { type: 'string' } } };
const URL_PARAMS = { mode: 'url', message: 'Sign in', url: 'https://mcp.example.com/' };
const AT = '/result/inputRequests/q';

function check(params: JsonValue | undefined, profile: Profile = 'spec') {
  const entry: JsonObject = { method: 'elicitation/create', ...(params !== undefined && { params }) };
  const judged = exchange({ policy: policy({ profile }) });
  return elicitationWellFormed.check(inputRequired({ q: entry }, { exchange: judged }));
}

describe('elicitation-well-formed', () => {
  it.each<[string, JsonValue | undefined, string]>([
    ['no params', undefined, ''],
    ['params in a list', [MESSAGE], ''],
    ['no message', { requestedSchema: SCHEMA }, '/params'],
    ['a null message', { message: null, requestedSchema: SCHEMA }, '/params/message'],
    ['a message in parts', { message: [MESSAGE], requestedSchema: SCHEMA }, '/params/message'],
    ['no schema', { message: MESSAGE }, '/params'],
    ['no schema in a stated form', { mode: 'form', message: MESSAGE }, '/params'],
    ['a null schema', { message: MESSAGE, requestedSchema: null }, '/params/requestedSchema'],
    ['a schema as a boolean', { message: MESSAGE, requestedSchema: true }, '/params/requestedSchema'],
    ['a schema in a list', { message: MESSAGE, requestedSchema: [SCHEMA] }, '/params/requestedSchema'],
    ['a URL without its mode', { message: MESSAGE, url: 'https://mcp.example.com/' }, '/params'],
    ['no URL in mode url', { mode: 'url', message: MESSAGE }, '/params'],
    ['a schema in mode url', { mode: 'url', message: MESSAGE, requestedSchema: SCHEMA }, '/params'],
    ['a URL that is no string', { ...URL_PARAMS, url: { href: 'https://x.example/' } }, '/params/url'],
    ['no message in mode url', { mode: 'url', url: 'https://mcp.example.com/' }, '/params'],
    ['an unknown mode', { mode: 'voice', message: MESSAGE, requestedSchema: SCHEMA }, '/params/mode'],
    ['a mode in capitals', { ...URL_PARAMS, mode: 'URL' }, '/params/mode'],
    ['an empty mode', { mode: '', message: MESSAGE, requestedSchema: SCHEMA }, '/params/mode'],
    ['a null mode', { mode: null, message: MESSAGE, requestedSchema: SCHEMA }, '/params/mode'],
    ['a mode in a list', { mode: ['form'], message: MESSAGE, requestedSchema: SCHEMA }, '/params/mode'],
  ])('refuses %s', (_, params, at) => {
    expect(check(params)?.at).toBe(AT + at);
  });

  it.each<[string, JsonValue]>([
    ['a form', { message: MESSAGE, requestedSchema: SCHEMA }],
    ['a form that says so', { mode: 'form', message: MESSAGE, requestedSchema: SCHEMA }],
    ['an empty message', { message: '', requestedSchema: SCHEMA }],
    ['a schema that another rule refuses', { message: MESSAGE, requestedSchema: {} }],
    ['a URL elicitation', URL_PARAMS],
    ['a URL that another rule refuses', { ...URL_PARAMS, url: '' }],
    ['metadata', { message: MESSAGE, requestedSchema: SCHEMA, _meta: {} }],
  ])('passes %s', (_, params) => {
    expect(check(params)).toBeUndefined();
  });

  it('refuses what Ze never sends: a mode left to its default, and mode url', () => {
    expect(check({ message: MESSAGE, requestedSchema: SCHEMA }, 'ze')?.at).toBe(`${AT}/params`);
    expect(check(URL_PARAMS, 'ze')?.at).toBe(`${AT}/params/mode`);
    expect(check({ mode: 'form', message: MESSAGE, requestedSchema: SCHEMA }, 'ze')).toBeUndefined();
  });

  it('refuses a form where only URLs are allowed, also when its mode is left to the default', () => {
    const base = policy();
    const judged = exchange({
      policy: policy({ inputRequests: { ...base.inputRequests, modes: new Set(['url']) } }),
    });
    const params = { message: MESSAGE, requestedSchema: SCHEMA };
    const asked = (own: JsonObject) =>
      inputRequired({ q: { method: 'elicitation/create', params: own } }, { exchange: judged });
    expect(elicitationWellFormed.check(asked(params))?.at).toBe(`${AT}/params`);
    expect(elicitationWellFormed.check(asked({ ...params, mode: 'form' }))?.at).toBe(`${AT}/params/mode`);
    expect(elicitationWellFormed.check(asked(URL_PARAMS))).toBeUndefined();
  });

  it('takes no member from a prototype', () => {
    const params = JSON.parse(`{"message":"m","__proto__":{"requestedSchema":${JSON.stringify(SCHEMA)}}}`);
    expect(check(params)?.at).toBe(`${AT}/params`);
  });

  it('judges every elicitation, and nothing else', () => {
    const good = { method: 'elicitation/create', params: URL_PARAMS };
    const asked = { a: good, b: { method: 'roots/list' }, c: null, d: { method: 'elicitation/create' } };
    expect(elicitationWellFormed.check(inputRequired(asked))?.at).toBe('/result/inputRequests/d');
  });

  it('judges what a task asks for', () => {
    const task = { taskId: 't', inputRequests: { q: { method: 'elicitation/create', params: {} } } };
    const told = event('notifications/tasks', task);
    expect(elicitationWellFormed.check(told)?.at).toBe('/params/inputRequests/q/params');
  });
});
