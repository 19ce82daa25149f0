import { describe, expect, it } from 'vitest';
import { exchange, expectRefusal, form, resultOf } from './exchange.js';

const QUESTION = resultOf(form({ city: { type: 'string' } }));

describe('a client that declares more than this gateway knows', () => {
  it.each<readonly [string, unknown]>([
    ['members of form', { elicitation: { form: { applyDefaults: true } } }],
    ['a mode of a later revision', { elicitation: { form: {}, url: {}, voice: {} } }],
    [
      'other capabilities',
      {
        elicitation: { form: {} },
        tools: { later: 1 },
        extensions: { 'com.example/x': {} },
        experimental: null,
      },
    ],
    ['a capability of an unexpected type', { elicitation: { form: {} }, sampling: true, roots: [] }],
    ['the short form for form alone', { elicitation: {} }],
  ])('is asked, and its declaration arrives as it is: %s', async (_, capabilities) => {
    const answer = await exchange({ capabilities, reply: QUESTION });
    expect([answer.status, answer.message]).toEqual([200, QUESTION]);
    const meta = answer.requests[0]?.json().params?._meta as Record<string, unknown>;
    expect(meta['io.modelcontextprotocol/clientCapabilities']).toEqual(capabilities);
  });
});

describe('a client that declares something else than form', () => {
  it.each<readonly [string, unknown]>([
    ['nothing', {}],
    ['url alone', { elicitation: { url: {} } }],
    ['a mode that nobody knows', { elicitation: { voice: {} } }],
    ['true', { elicitation: true }],
    ['null', { elicitation: null }],
    ['a text', { elicitation: 'form' }],
    ['a list', { elicitation: ['form'] }],
    ['form that is true', { elicitation: { form: true } }],
    ['form that is null', { elicitation: { form: null } }],
    ['elicitation in another letter case', { Elicitation: { form: {} } }],
    ['elicitation as an extension', { extensions: { elicitation: { form: {} } } }],
    ['elicitation where a server would', { experimental: { elicitation: { form: {} } } }],
  ])('is not asked: %s', async (_, capabilities) => {
    const answer = await exchange({ capabilities, reply: QUESTION });
    expectRefusal(answer, { status: 400, code: -32021, rule: 'input-request-declared' });
  });

  it('is not asked because of what it declared on an earlier request', async () => {
    const first = await exchange({ capabilities: { elicitation: { form: {} } }, reply: QUESTION });
    expect(first.status).toBe(200);
    const second = await exchange({ capabilities: {}, reply: QUESTION });
    expectRefusal(second, { status: 400, code: -32021, rule: 'input-request-declared' });
  });
});

describe('the fields that every request carries', () => {
  const VERSION = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const NONE = { 'io.modelcontextprotocol/clientCapabilities': {} };
  const bodyWith = (_meta: unknown) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } });
  const LIST = resultOf({ resultType: 'complete', tools: [], ttlMs: 0, cacheScope: 'private' });

  it.each<readonly [string, unknown]>([
    ['without capabilities', VERSION],
    ['with capabilities that are null', { ...VERSION, 'io.modelcontextprotocol/clientCapabilities': null }],
    ['with capabilities that are a list', { ...VERSION, 'io.modelcontextprotocol/clientCapabilities': [] }],
    ['with an empty version', { 'io.modelcontextprotocol/protocolVersion': '', ...NONE }],
    ['with a version that is a number', { 'io.modelcontextprotocol/protocolVersion': 20260728, ...NONE }],
  ])('are missed in a request %s', async (_, meta) => {
    const answer = await exchange({ method: 'tools/list', body: bodyWith(meta), reply: LIST });
    expect([answer.status, answer.message.id, answer.requests.length]).toEqual([400, 1, 0]);
    expect([-32602, -32020]).toContain(answer.message.error.code);
  });

  it.each<readonly [string, unknown]>([
    ['clientInfo', { ...VERSION, ...NONE }],
    [
      'a clientInfo of any shape',
      { ...VERSION, ...NONE, 'io.modelcontextprotocol/clientInfo': { name: 'x' } },
    ],
    [
      'nothing, and have more of their own',
      { ...VERSION, ...NONE, 'com.example/trace': [1], progressToken: 7 },
    ],
  ])('need not have %s', async (_, meta) => {
    const answer = await exchange({ method: 'tools/list', body: bodyWith(meta), reply: LIST });
    expect([answer.status, answer.requests.length]).toEqual([200, 1]);
  });
});
