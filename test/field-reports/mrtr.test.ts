import { describe, expect, it } from 'vitest';
import { FORM, TASKS } from '../support/client.js';
import { type Asked, asking, exchange, expectRefusal, form, resultOf, streamed } from './exchange.js';

const CITY = { city: { type: 'string' } };
const SERVER_META = { _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'Server', version: '3' } } };
const { resultType: _, ...UNTYPED } = form(CITY, { content: [] });
const ROOTS = { method: 'roots/list' };

describe('a question is known by its type and by its questions, not by what it lacks', () => {
  const QUESTIONS: readonly (readonly [string, Record<string, unknown>])[] = [
    ['with _meta and empty content beside it', form(CITY, { content: [], ...SERVER_META })],
    [
      'with the content of a finished call',
      form(CITY, { content: [{ type: 'text', text: 'ok' }], isError: false }),
    ],
    ['with structured content', form(CITY, { structuredContent: { city: 'x' } })],
    ['without a type', UNTYPED],
    ['that calls itself complete', { ...form(CITY), resultType: 'complete' }],
    ['with members in another order', Object.fromEntries(Object.entries(form(CITY, SERVER_META)).reverse())],
    ['whose type is null', { ...form(CITY), resultType: null }],
  ];

  it.each(QUESTIONS.slice(0, 6))('refuses one %s to a client that declared nothing', async (_, result) => {
    const answer = await exchange({ reply: resultOf(result) });
    expectRefusal(answer, { status: 400, code: -32021, rule: 'input-request-declared' });
    expect(answer.message.error.data.requiredCapabilities).toEqual({ elicitation: { form: {} } });
    expect(answer.text).not.toContain('"inputRequests"');
    expect(answer.requests).toHaveLength(1);
  });

  it.each(QUESTIONS.slice(0, 6))('refuses one %s in a stream too', async (_, result) => {
    const answer = await exchange({ reply: streamed(resultOf(result)) });
    expectRefusal(answer, { status: 400, code: -32021, rule: 'input-request-declared' });
    expect(answer.text).not.toContain('"inputRequests"');
  });

  it.each(QUESTIONS.slice(0, 6))(
    'hands one %s unchanged to a client that can be asked',
    async (_, result) => {
      const answer = await exchange({ capabilities: FORM, reply: resultOf(result) });
      expect([answer.status, answer.text]).toEqual([200, JSON.stringify(resultOf(result))]);
    },
  );

  it('refuses one whose type is no text to anyone', async () => {
    const answer = await exchange({ capabilities: FORM, reply: resultOf(QUESTIONS[6]?.[1]) });
    expectRefusal(answer, { status: 200, code: -32603, rule: 'result-type-known' });
  });
});

describe('a question answers only what may be answered with one', () => {
  it.each(['tools/call', 'prompts/get', 'resources/read'])('passes on %s', async (method) => {
    const answer = await exchange({ method, capabilities: FORM, reply: resultOf(form(CITY)) });
    expect([answer.status, answer.message.result]).toEqual([200, form(CITY)]);
  });

  it.each([
    ...['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'],
    ...['completion/complete', 'server/discover', 'com.example/anything'],
  ])('is refused on %s', async (method) => {
    const answer = await exchange({ method, capabilities: FORM, reply: resultOf(form(CITY)) });
    expectRefusal(answer, { status: 200, code: -32603, rule: 'input-required-method-allowed' });
    expect(answer.text).not.toContain('city');
  });
});

describe('a question that asks nothing, or what nobody may ask', () => {
  it.each<readonly [string, unknown, string]>([
    ['without questions', { resultType: 'input_required' }, 'input-required-content-present'],
    ['with an empty map', asking({}), 'input-required-content-present'],
    ['with a list of questions', asking([ROOTS]), 'input-required-content-present'],
    ['with null', asking(null), 'input-required-content-present'],
    ['with a question that is null', asking({ q: null }), 'input-request-kind-allowed'],
    ['with a question without a method', asking({ q: { params: {} } }), 'input-request-kind-allowed'],
    [
      'with a tool call for a question',
      asking({ q: { method: 'tools/call' } }),
      'input-request-kind-allowed',
    ],
    [
      'with a requestState that the client could only have refused',
      form(CITY, { requestState: 's' }),
      'request-state-issued-none',
    ],
    [
      'with nothing but a requestState',
      { resultType: 'input_required', requestState: 's' },
      'request-state-issued-none',
    ],
  ])('is refused %s', async (_, result, rule) => {
    const capabilities = { ...FORM, roots: {}, sampling: {} };
    const answer = await exchange({ capabilities, reply: resultOf(result) });
    expectRefusal(answer, { status: 200, code: -32603, rule });
  });
});

describe('a task does not hide a question', () => {
  const TASK = { taskId: 't', createdAt: 'x', lastUpdatedAt: 'x', ttlMs: null };
  const asked: Asked = { capabilities: { ...FORM, ...TASKS } };
  const get: Asked = { ...asked, method: 'tasks/get', params: { taskId: 't' } };
  const ze = { config: { route: { profile: 'ze' } } };

  it.each<readonly [string, Asked, string]>([
    [
      'waits for input, in the manner of Ze',
      {
        ...get,
        ...ze,
        reply: resultOf({
          resultType: 'complete',
          ...TASK,
          status: 'input_required',
          inputRequests: { q: ROOTS },
        }),
      },
      'task-not-input-required',
    ],
    [
      'begins by waiting for input, in the manner of Ze',
      { ...asked, ...ze, reply: resultOf({ resultType: 'task', ...TASK, status: 'input_required' }) },
      'task-not-input-required',
    ],
    [
      'has ended with a question',
      {
        ...get,
        reply: resultOf({ resultType: 'complete', ...TASK, status: 'completed', result: form(CITY) }),
      },
      'task-result-complete',
    ],
    [
      'asks for what is no kind of input',
      {
        ...get,
        reply: resultOf({
          resultType: 'complete',
          ...TASK,
          status: 'input_required',
          inputRequests: { q: { method: 'tools/list' } },
        }),
      },
      'input-request-kind-allowed',
    ],
  ])('that %s', async (_, options, rule) => {
    expectRefusal(await exchange(options), { status: 200, code: -32603, rule });
  });

  it('judges what a task asks against what the client declares', async () => {
    const { inputRequests } = form(CITY);
    const reply = resultOf({ resultType: 'complete', ...TASK, status: 'input_required', inputRequests });
    const answer = await exchange({ ...get, capabilities: TASKS, reply });
    expectRefusal(answer, { status: 400, code: -32021, rule: 'input-request-declared' });
  });
});

describe('a retry is taken as the revision describes it, not more strictly', () => {
  it.each<readonly [string, unknown]>([
    [
      'entries without a resultType, and one that was not asked for',
      { q1: { action: 'accept', content: { city: 'Oslo' } }, extra: { action: 'decline' } },
    ],
    ['an accept without content', { q1: { action: 'accept' } }],
    ['a decline with content', { q1: { action: 'decline', content: {} } }],
    ['a cancel', { q1: { action: 'cancel' } }],
    [
      'members that nobody knows',
      { q1: { action: 'accept', content: { city: 'Oslo' }, _meta: { a: [1] }, later: {} } },
    ],
    [
      'a list of texts, a number and a boolean',
      { q1: { action: 'accept', content: { a: ['x'], b: 1.5, c: false } } },
    ],
    [
      'the result of sampling',
      { q1: { role: 'assistant', content: { type: 'text', text: 'x' }, model: 'm' } },
    ],
    ['the result of roots/list', { q1: { roots: [] } }],
    ['keys of any name', { requestState: { action: 'cancel' }, __proto__x: { action: 'cancel' } }],
    ['an empty map', {}],
  ])('with %s', async (_, inputResponses) => {
    const params = { name: 'book', arguments: {}, inputResponses };
    const answer = await exchange({
      id: 2,
      capabilities: FORM,
      params,
      reply: resultOf({ resultType: 'complete', content: [] }, 2),
    });
    expect(answer.status).toBe(200);
    expect(answer.requests[0]?.json().params?.inputResponses).toEqual(inputResponses);
  });
});

describe('a requestState that nobody issued', () => {
  const SENTENCE =
    'invalid params: params.requestState is not accepted; this server issues no requestState, so a retry must not carry one';

  it.each<readonly [string, unknown]>([
    ['a text', 'carried-77'],
    ['an empty text', ''],
    ['null', null],
    ['false', false],
    ['a number', 0],
    ['an object', { carried: 77 }],
  ])('is refused when it is %s', async (_, requestState) => {
    for (const method of ['tools/list', 'tools/call', 'server/discover']) {
      const params = { ...(method === 'tools/call' && { name: 'book' }), requestState };
      const answer = await exchange({ method, params });
      expectRefusal(answer, { status: 400, code: -32602, rule: 'request-state-accepted' });
      expect(answer.message.error.message).toBe(SENTENCE);
      expect(answer.text).not.toContain('77');
      expect(answer.requests).toHaveLength(0);
    }
  });

  it.each([
    ['spelt with an escape', '"request\\u0053tate"'],
    ['in another letter case', '"RequestState"'],
    ['with a look-alike letter', '"requeſtState"'],
  ])('is refused %s', async (_, name) => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"book",${name}:"carried-77","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`;
    const answer = await exchange({ body });
    expect([answer.status, answer.requests.length]).toEqual([400, 0]);
    expect(answer.text).not.toContain('77');
  });

  it.each<readonly [string, Record<string, unknown>]>([
    ['an argument of the tool', { arguments: { requestState: 'NY' } }],
    ['deep in an argument', { arguments: { address: { requestState: 'NY' } } }],
    ['an answer to a form', { inputResponses: { q: { action: 'accept', content: { requestState: 'NY' } } } }],
  ])('is not meant by %s', async (_, params) => {
    const answer = await exchange({ capabilities: FORM, params: { name: 'book', ...params } });
    expect([answer.status, answer.requests.length]).toEqual([200, 1]);
  });
});
