import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/protocol/messages.js';
import { inputRequestDeclared } from '../../../src/rules/outbound/input-request-declared.js';
import { event, exchange, inputRequired, outbound, policy } from '../fixtures.js';

const FORM = {
  method: 'elicitation/create',
  params: {
    message: 'Where to?',
    requestedSchema: { type: 'object', properties: { city: { type: 'string' } } },
  },
};
const STATED_FORM = { ...FORM, params: { ...FORM.params, mode: 'form' } };
const URL_MODE = {
  method: 'elicitation/create',
  params: { mode: 'url', message: 'Sign in', url: 'https://mcp.example.com/' },
};
const SAMPLE = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } };
const SAMPLE_TOOLS = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1, tools: [] } };
const SAMPLE_CHOICE = { method: 'sampling/createMessage', params: { toolChoice: { mode: 'none' } } };
const ROOTS = { method: 'roots/list' };

function check(capabilities: JsonValue, asked: JsonObject) {
  return inputRequestDeclared.check(inputRequired(asked, { exchange: exchange({ capabilities }) }));
}

describe('input-request-declared', () => {
  it.each<[string, JsonObject, JsonValue, JsonObject]>([
    ['a form', FORM, {}, { elicitation: { form: {} } }],
    ['a form', STATED_FORM, { elicitation: { url: {} } }, { elicitation: { form: {} } }],
    ['a form', STATED_FORM, { elicitation: { voice: {} } }, { elicitation: { form: {} } }],
    ['a form', STATED_FORM, { elicitation: true }, { elicitation: { form: {} } }],
    ['a form', STATED_FORM, { elicitation: null }, { elicitation: { form: {} } }],
    ['a form', STATED_FORM, { elicitation: [] }, { elicitation: { form: {} } }],
    ['a form', STATED_FORM, { elicitation: { form: true } }, { elicitation: { form: {} } }],
    ['an elicitation without params', { method: 'elicitation/create' }, {}, { elicitation: { form: {} } }],
    ['a URL', URL_MODE, {}, { elicitation: { url: {} } }],
    ['a URL', URL_MODE, { elicitation: {} }, { elicitation: { url: {} } }],
    ['a URL', URL_MODE, { elicitation: { form: {} } }, { elicitation: { url: {} } }],
    ['a sample', SAMPLE, { elicitation: {} }, { sampling: {} }],
    ['a sample with tools', SAMPLE_TOOLS, {}, { sampling: { tools: {} } }],
    ['a sample with tools', SAMPLE_TOOLS, { sampling: {} }, { sampling: { tools: {} } }],
    [
      'a sample with a tool choice',
      SAMPLE_CHOICE,
      { sampling: { context: {} } },
      { sampling: { tools: {} } },
    ],
    ['roots', ROOTS, { roots: true }, { roots: {} }],
  ])('refuses %s (%#) and says exactly what was missing', (_, entry, capabilities, required) => {
    const violation = check(capabilities, { q: entry });
    expect(violation?.at).toBe('/result/inputRequests/q');
    expect(violation?.detail).toEqual({
      kind: 'capabilities',
      required,
      formMissing: 'form' in Object(required.elicitation),
    });
  });

  it('names everything that is missing, and nothing that is not', () => {
    const asked = { a: ROOTS, b: URL_MODE, c: SAMPLE, d: SAMPLE_TOOLS, e: FORM, f: URL_MODE };
    expect(check({ roots: {} }, asked)).toMatchObject({
      at: '/result/inputRequests/b',
      detail: {
        required: { elicitation: { form: {}, url: {} }, sampling: { tools: {} } },
        formMissing: true,
      },
    });
    expect(check({ elicitation: { form: {}, url: {} }, sampling: { tools: {} } }, asked)?.detail).toEqual({
      kind: 'capabilities',
      required: { roots: {} },
      formMissing: false,
    });
  });

  it('does not take a capability from a member named __proto__', () => {
    const capabilities = JSON.parse('{"__proto__":{"elicitation":{"form":{}}}}');
    expect(check(capabilities, { q: FORM })?.at).toBe('/result/inputRequests/q');
    const asked = JSON.parse(
      JSON.stringify({ q: SAMPLE }).replace('"maxTokens":1', '"__proto__":{"tools":[]}'),
    );
    expect(check({ sampling: {} }, asked)).toBeUndefined();
  });

  it('refuses a form in a result that does not say that it asks, or that says it is decorated', () => {
    const decorated = {
      resultType: 'input_required',
      inputRequests: { q: FORM },
      content: [],
      _meta: { a: {} },
    };
    expect(inputRequestDeclared.check(outbound({ result: decorated }))?.at).toBe('/result/inputRequests/q');
    const silent = { content: [], inputRequests: { q: FORM } };
    expect(inputRequestDeclared.check(outbound({ result: silent }))?.at).toBe('/result/inputRequests/q');
  });

  it('judges what a task asks for', () => {
    const task = { taskId: 't', status: 'input_required', inputRequests: { q: FORM } };
    expect(inputRequestDeclared.check(event('notifications/tasks', task))?.at).toBe(
      '/params/inputRequests/q',
    );
  });

  it.each<[string, JsonValue, JsonObject]>([
    ['a form', { elicitation: {} }, FORM],
    ['a form', { elicitation: { form: {} } }, STATED_FORM],
    ['a form', { elicitation: { form: { applyDefaults: true }, url: {} }, tools: { future: 1 } }, FORM],
    ['a URL', { elicitation: { url: {} } }, URL_MODE],
    ['a sample', { sampling: {} }, SAMPLE],
    ['a sample with context', { sampling: {} }, { ...SAMPLE, params: { includeContext: 'thisServer' } }],
    ['a sample with tools', { sampling: { tools: {} } }, SAMPLE_TOOLS],
    ['roots', { roots: { listChanged: true } }, ROOTS],
    ['an unknown mode, which is judged elsewhere', {}, { ...FORM, params: { mode: 'voice' } }],
    ['a mode that is no string, which is judged elsewhere', {}, { ...FORM, params: { mode: null } }],
    ['an unknown kind, which is judged elsewhere', {}, { method: 'ping' }],
  ])('passes %s (%#)', (_, capabilities, entry) => {
    expect(check(capabilities, { q: entry })).toBeUndefined();
  });

  it('passes entries that are no requests, which are judged elsewhere', () => {
    expect(inputRequestDeclared.check(inputRequired({ q: null, r: 'roots/list' }))).toBeUndefined();
  });

  it('leaves legacy clients alone where the route lets them pass: they declare once, not on every request', () => {
    const passed = exchange({ legacy: true, policy: policy({ legacy: 'pass' }) });
    expect(inputRequestDeclared.check(inputRequired({ q: FORM }, { exchange: passed }))).toBeUndefined();
    const refused = exchange({ legacy: true });
    expect(inputRequestDeclared.check(inputRequired({ q: FORM }, { exchange: refused }))).toBeDefined();
  });
});
