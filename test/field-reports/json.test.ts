import { describe, expect, it } from 'vitest';
import { FORM, requestText } from '../support/client.js';
import { jsonReply } from '../support/upstream.js';
import { ANSWERED, type Asked, DONE, exchange, expectRefusal, form, resultOf, streamed } from './exchange.js';

const META =
  '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}';
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const callWith = (args: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"book","arguments":${args},${META}}}`;

describe('names that JavaScript knows are names like any other', () => {
  const ARGUMENTS =
    '{"prototype":"int f(void)","constructor":"C","__proto__":{"elicitation":{"form":{}}},"toString":1}';

  it('in arguments, which arrive as they were sent', async () => {
    const answer = await exchange({ body: callWith(ARGUMENTS) });
    expect(answer.status).toBe(200);
    expect(answer.requests[0]?.text).toBe(callWith(ARGUMENTS));
    expect('elicitation' in {}).toBe(false);
  });

  it('in capabilities, where they declare nothing', async () => {
    const capabilities = JSON.parse(
      '{"__proto__":{"elicitation":{"form":{}}},"constructor":{"elicitation":{}}}',
    );
    const answer = await exchange({ capabilities, reply: resultOf(form({ city: { type: 'string' } })) });
    expectRefusal(answer, { status: 400, code: -32021, rule: 'input-request-declared' });
  });

  it.each(['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'prototype', '__defineGetter__'])(
    'as the name of a tool, a method, a field and a question: %s',
    async (name) => {
      const called = await exchange({
        params: { name, arguments: {} },
        config: { route: { tools: { book: { elicits: ['city'] } } } },
      });
      expect(called.status).toBe(200);
      const unknown = await exchange({ method: name });
      expect([unknown.status, unknown.requests.length]).toEqual([200, 1]);
      const properties = Object.fromEntries([[name, { type: 'string' }]]);
      const question = resultOf(form(properties));
      const asked = await exchange({ capabilities: FORM, reply: question });
      expect(asked.text).toBe(JSON.stringify(question));
    },
  );

  it('in a list of tools that is rewritten', async () => {
    const tools =
      '[{"name":"__proto__","inputSchema":{"type":"object","properties":{"__proto__":{"type":"string"},"city":{"type":"string"}},"required":["__proto__","city"]}}]';
    const answer = await exchange({
      method: 'tools/list',
      capabilities: FORM,
      config: { route: { tools: { constructor: { elicits: ['city'] } } } },
      reply: jsonReply(
        `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":${tools},"ttlMs":0,"cacheScope":"public"}}`,
      ),
    });
    expect(answer.text).toContain(tools);
    expect(answer.message.result.cacheScope).toBe('private');
  });
});

describe('a body that is not one message', () => {
  it.each<readonly [string, string, number]>([
    ['a batch with a call that would be refused', `[${callWith('{}')},${requestText('tools/list')}]`, -32600],
    ['a batch of one', `[${requestText('tools/call', { params: { name: 'book' } })}]`, -32600],
    ['an empty batch', '[]', -32600],
    ['white space before a batch', '\n\t [ {} ]', -32600],
    ['a number', '7', -32600],
    ['a text', '"tools/list"', -32600],
    ['null', 'null', -32600],
    ['true', 'true', -32600],
    ['nothing', '', -32700],
    ['white space', ' \n', -32700],
    ['half a message', '{"jsonrpc":"2.0","id":1', -32700],
    ['two messages', `${requestText('tools/list')}\n${requestText('tools/list')}`, -32700],
    ['a byte order mark', `\ufeff${requestText('tools/list')}`, -32700],
    ['a comment', `/* */${requestText('tools/list')}`, -32700],
    ['a number that JSON does not have', '{"jsonrpc":"2.0","id":NaN}', -32700],
  ])('is refused without an id: %s', async (_, body, code) => {
    const answer = await exchange({ body });
    expect([answer.status, answer.message.error.code, 'id' in answer.message]).toEqual([400, code, false]);
    expect(answer.requests).toHaveLength(0);
  });

  it.each<readonly [string, string]>([
    ['a response', '{"jsonrpc":"2.0","id":"theirs","result":{}}'],
    ['an error response', '{"jsonrpc":"2.0","id":"theirs","error":{"code":1,"message":"x"}}'],
    ['an object without anything', '{}'],
    ['a request without jsonrpc', '{"id":1,"method":"tools/list"}'],
    ['a request of JSON-RPC 1.0', '{"jsonrpc":"1.0","id":1,"method":"tools/list"}'],
    ['a request whose version is a number', '{"jsonrpc":2.0,"id":1,"method":"tools/list"}'],
    ['a method that is no text', '{"jsonrpc":"2.0","id":1,"method":["tools/list"]}'],
    ['params that are a list', `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[{${META}}]}`],
    ['a request without id', `{"jsonrpc":"2.0","method":"tools/list","params":{${META}}}`],
    ['a notification with id', '{"jsonrpc":"2.0","id":1,"method":"notifications/cancelled"}'],
  ])('is refused: %s', async (_, body) => {
    const answer = await exchange({ body });
    expect([answer.status, answer.requests.length]).toEqual([400, 0]);
    expect([-32600, -32602, -32020]).toContain(answer.message.error.code);
  });

  it.each<readonly [string, string]>([
    [
      'a method',
      `{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"tools/call","params":{"name":"book",${META}}}`,
    ],
    ['an argument', callWith('{"a":1,"a":2}')],
    ['an argument that is spelt with an escape', callWith('{"a":1,"\\u0061":2}')],
  ])('is refused when it says twice %s', async (_, body) => {
    const answer = await exchange({ body });
    expect([answer.status, answer.message.error.data.rule, answer.requests.length]).toEqual([
      400,
      'json-unambiguous',
      0,
    ]);
  });
});

describe('an answer that is not one message', () => {
  const QUESTION = JSON.stringify(resultOf(form({ password: { type: 'string' } })));

  it.each<readonly [string, string]>([
    ['a batch', `[${QUESTION}]`],
    ['a batch of several', `[${JSON.stringify(ANSWERED)},${QUESTION}]`],
    ['two messages', `${JSON.stringify(ANSWERED)}\n${QUESTION}`],
    [
      'the result twice',
      `{"jsonrpc":"2.0","id":1,"result":${JSON.stringify(DONE)},"result":${JSON.stringify(form({ password: { type: 'string' } }))}}`,
    ],
    [
      'a result and an error',
      '{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"},"error":{"code":1,"message":"x"}}',
    ],
    ['neither', '{"jsonrpc":"2.0","id":1}'],
    ['HTML', '<html><input name="password"></html>'],
    ['nothing', ''],
    ['null', 'null'],
  ])('is refused as a body: %s', async (_, body) => {
    const answer = await exchange({ capabilities: FORM, reply: jsonReply(body) });
    expect([answer.status, answer.message.id, answer.message.error.code]).toEqual([502, 1, -32603]);
    expect(answer.text).not.toContain('password');
  });

  it('is refused as an event of a stream: a batch', async () => {
    const answer = await exchange({ capabilities: FORM, reply: streamed(`data: [${QUESTION}]\n\n`) });
    expect([answer.message.id, answer.message.error.code]).toEqual([1, -32603]);
    expect(answer.text).not.toContain('password');
  });
});

describe('the id of a refusal is the request’s, type included', () => {
  const STATE = { method: 'tools/list', params: { requestState: 'x' } };

  it.each<readonly [string | number]>([
    ['1'],
    [0],
    [''],
    [-1],
    ['0'],
    [9007199254740991],
    ['naïve ☕'],
    ['null'],
  ])('%j', async (id) => {
    const answer = await exchange({ ...STATE, id });
    expect([answer.status, answer.message.error.code, answer.message.id]).toEqual([400, -32602, id]);
  });

  it('keeps an integer beyond 2^53 to the digit', async () => {
    const body = requestText('tools/list', STATE).replace('"id":1', '"id":18446744073709551615');
    expect((await exchange({ ...STATE, body })).text).toMatch(
      /^\{"jsonrpc":"2\.0","id":18446744073709551615,"error"/,
    );
  });

  it.each([['null'], ['1.5'], ['true'], ['{}'], ['[]'], ['1e400']])(
    '%s is none, and is not sent back',
    async (id) => {
      const answer = await exchange({
        ...STATE,
        body: requestText('tools/list').replace('"id":1', `"id":${id}`),
      });
      expect([answer.status, answer.message.error.code, 'id' in answer.message]).toEqual([
        400,
        -32600,
        false,
      ]);
      expect(answer.requests).toHaveLength(0);
    },
  );

  it('is not invented for a notification, which is answered with 202 and nothing', async () => {
    const answer = await exchange({
      method: 'notifications/x',
      body: '{"jsonrpc":"2.0","method":"notifications/x","params":{}}',
      reply: { status: 202, headers: {}, body: '' },
    });
    expect([answer.status, answer.text, answer.requests.length]).toEqual([202, '', 1]);
  });
});

describe('the id of an answer is the request’s, type included', () => {
  it.each<readonly [string, Asked, unknown]>([
    ['a text for a number', { id: 1 }, '1'],
    ['a number for a text', { id: '1' }, 1],
    ['null', { id: 1 }, null],
    ['another number', { id: 1 }, 2],
    ['0 for a text', { id: '' }, 0],
    ['a list', { id: 1 }, [1]],
  ])('else it is not the answer: %s', async (_, asked, id) => {
    for (const message of [
      { jsonrpc: '2.0', id, result: DONE },
      { jsonrpc: '2.0', result: DONE },
    ]) {
      const answer = await exchange({ ...asked, reply: message });
      expect([answer.message.id, answer.message.error.code]).toEqual([asked.id, -32603]);
      expect(answer.message).not.toHaveProperty('result');
    }
  });
});

describe('nesting', () => {
  it.each([[513], [5_000], [20_000], [100_000]])(
    'of %i levels is refused with the id, and the next request is served',
    async (levels) => {
      const answer = await exchange({ body: callWith(`{"x":${nested(levels)}}`) });
      expect([answer.status, answer.message.error.code, answer.message.id]).toEqual([400, -32600, 1]);
      expect(answer.requests).toHaveLength(0);
    },
  );

  it('is answered with its id even where the id stands behind it', async () => {
    const body = `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"book","arguments":{"x":${nested(20_000)}},${META}},"id":"last"}`;
    const answer = await exchange({ body });
    expect([answer.status, answer.message.id]).toEqual([400, 'last']);
  });

  it.each([
    [
      'objects in a schema',
      (levels: number) => `{"type":"object","properties":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`,
    ],
    [
      'lists in a schema',
      (levels: number) => `{"type":"object","properties":{"a":{"enum":${nested(levels)}}}}`,
    ],
  ])('of an answer is bounded too: %s', async (_, schemaOf) => {
    for (const levels of [513, 20_000]) {
      const body = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"q":{"method":"elicitation/create","params":{"mode":"form","message":"m","requestedSchema":${schemaOf(levels)}}}}}}`;
      for (const reply of [jsonReply(body), streamed(`data: ${body}\n\n`)]) {
        const answer = await exchange({ capabilities: FORM, reply });
        expect([answer.message.id, answer.message.error.code]).toEqual([1, -32603]);
      }
    }
  });

  it('of 200 levels is fine, both ways', async () => {
    const body = callWith(`{"x":${nested(200)}}`);
    const message = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[],"structuredContent":{"x":${nested(200)}}}}`;
    const answer = await exchange({ body, reply: jsonReply(message) });
    expect([answer.status, answer.text, answer.requests[0]?.text]).toEqual([200, message, body]);
  });
});
