import { describe, expect, it } from 'vitest';
import { ANSWER, REQUEST } from '../../src/capture/kept.js';
import { redact, redactText } from '../../src/capture/redact.js';
import { redactHead } from '../../src/capture/redact-head.js';
import { HeaderFields } from '../../src/protocol/headers.js';
import type { JsonObject, JsonValue } from '../../src/protocol/messages.js';
import { readRequest } from '../../src/protocol/reading.js';
import { clientMessageOf } from '../../src/protocol/received.js';

const META = 'io.modelcontextprotocol/';
const S = 'secret';
const M = '[6 characters]';

describe('a redacted request', () => {
  const kept = (params: JsonValue, more: JsonObject = {}) =>
    (redact({ jsonrpc: '2.0', id: 1, method: 'tools/call', params, ...more }, REQUEST) as JsonObject).params;

  it.each<[string, JsonValue, JsonValue]>([
    [
      'arguments',
      { name: 'book', arguments: { a: S, b: [1, true, null] } },
      { name: 'book', arguments: { a: M, b: [0, false, null] } },
    ],
    ['its state', { requestState: S }, { requestState: M }],
    ['a state of another type', { requestState: { a: S } }, { requestState: { a: M } }],
    [
      'answers, but for their actions',
      { inputResponses: { q: { action: 'accept', content: { text: S, n: 5 } }, r: { action: S } } },
      { inputResponses: { q: { action: 'accept', content: { text: M, n: 0 } }, r: { action: M } } },
    ],
    ['answers that are none', { inputResponses: S }, { inputResponses: M }],
    ['params that are none', S, M],
    ['a list of params', [S], [M]],
    [
      'metadata that the protocol does not know',
      { _meta: { [`${META}protocolVersion`]: '2026-07-28', 'com.example/user': S, baggage: S } },
      { _meta: { [`${META}protocolVersion`]: '2026-07-28', 'com.example/user': M, baggage: M } },
    ],
    [
      'capabilities, but for their being there',
      {
        _meta: {
          [`${META}clientCapabilities`]: { elicitation: { form: {} }, extensions: { 'a/b': { key: S } } },
        },
      },
      {
        _meta: {
          [`${META}clientCapabilities`]: { elicitation: { form: {} }, extensions: { 'a/b': { key: M } } },
        },
      },
    ],
    ['the id of a task', { taskId: S }, { taskId: M }],
    [
      'what a uri carries along',
      { uri: 'db://u:p@host/x?key=secret#secret' },
      { uri: 'db://[user]@host/x?[18]' },
    ],
    [
      'members called like those of every object',
      JSON.parse('{"__proto__":{"toString":"secret"}}'),
      JSON.parse(`{"__proto__":{"toString":"${M}"}}`),
    ],
  ])('holds no values of %s', (_, params, expected) => {
    expect(JSON.stringify(kept(params))).toBe(JSON.stringify(expected));
  });

  it('keeps a name and an id no longer than names are', () => {
    const long = 'n'.repeat(200);
    const { id, params } = redact({ id: long, params: { name: long, [long]: 1 } }, REQUEST) as JsonObject;
    expect([id, params]).toEqual(['[200 characters]', { name: '[200 characters]', '[200 characters]': 0 }]);
  });

  it('holds nothing of an id that is none', () => {
    expect(redact({ id: { a: S } }, REQUEST)).toEqual({ id: { a: M } });
  });
});

describe('a redacted answer', () => {
  const kept = (value: JsonObject, echoes: readonly (string | number)[] = [1]) =>
    redact(value, ANSWER, echoes);

  it.each<[string, JsonObject, JsonObject]>([
    [
      'what a tool says',
      {
        result: { resultType: 'complete', content: [{ type: 'text', text: S }], structuredContent: { a: S } },
      },
      {
        result: { resultType: 'complete', content: [{ type: 'text', text: M }], structuredContent: { a: M } },
      },
    ],
    ['a state', { result: { requestState: S } }, { result: { requestState: M } }],
    [
      'types that nobody knows',
      { result: { resultType: S, cacheScope: S } },
      { result: { resultType: M, cacheScope: M } },
    ],
    [
      'what an error says',
      { error: { code: -32000, message: S, data: { a: S } } },
      { error: { code: -32000, message: M, data: { a: M } } },
    ],
    [
      'log messages',
      { params: { level: S, data: S, message: S } },
      { params: { level: M, data: M, message: M } },
    ],
    [
      'what a resource holds',
      { result: { contents: [{ uri: 'file:///a', text: S, blob: S }] } },
      { result: { contents: [{ uri: 'file:///a', text: M, blob: M }] } },
    ],
    [
      'the result of a task',
      { result: { taskId: S, status: 'completed', result: { content: [{ type: 'text', text: S }] } } },
      { result: { taskId: M, status: 'completed', result: { content: [{ type: 'text', text: M }] } } },
    ],
  ])('holds nothing of %s', (_, value, expected) => {
    expect(kept(value)).toEqual(expected);
  });

  it('keeps a question as rules judge it, without what its form is filled in with', () => {
    const form = (text: string, flag: boolean) => ({
      type: 'object',
      properties: {
        default: { type: 'string', title: 'Your name', default: text },
        ok: { type: 'boolean', default: flag },
        kind: { type: 'string', enum: ['a', 'b'], examples: [text] },
      },
      required: ['ok'],
    });
    const ask = (text: string, flag: boolean, url: string, state: string) => ({
      result: {
        inputRequests: {
          a: {
            method: 'elicitation/create',
            params: { mode: 'form', message: 'Who?', requestedSchema: form(text, flag) },
          },
          b: {
            method: 'elicitation/create',
            params: { mode: 'url', message: 'Go', url, elicitationId: state },
          },
          c: {
            method: 'sampling/createMessage',
            params: { messages: [{ content: { text } }], maxTokens: 5 },
          },
        },
      },
    });
    const url = 'https://u:p@pay.example:8443/secret?token=secret&secret#access_token=secret';
    expect(kept(ask(S, true, url, S))).toEqual(
      ask(M, false, 'https://x@pay.example:8443/x?token=x&x#access_token=x', M),
    );
  });

  it('tells an id and a token that were asked with from others', () => {
    const answer = (id: JsonValue, progressToken: JsonValue) =>
      kept({ id, params: { progressToken } }, [1, 'p']);
    expect(answer(1, 'p')).toEqual({ id: 1, params: { progressToken: 'p' } });
    expect(answer('1', 'q')).toEqual({
      id: '[1 other characters]',
      params: { progressToken: '[1 other characters]' },
    });
    expect(answer(7, 0)).toEqual({ id: 0, params: { progressToken: 0 } });
    expect(kept({ id: 7 }, [0])).toEqual({ id: -1 });
  });
});

describe('a redacted link', () => {
  it.each([
    ['javascript:alert(1)', '[19 characters]'],
    ['/relative', '[9 characters]'],
    ['http://[', '[8 characters]'],
    ['https://a.example', 'https://a.example/x'],
    ['https://a.example/?', 'https://a.example/x'],
  ])('of %s is %s', (url, expected) => {
    expect(redactText(url, 'link')).toBe(expected);
  });
});

describe('redacted header fields', () => {
  const headOf = (headers: Record<string, string>, envelope?: JsonObject) => {
    const fields = new HeaderFields(Object.entries(headers).flat());
    const message = envelope && clientMessageOf(readRequest(Buffer.from(JSON.stringify(envelope))));
    return Object.fromEntries(redactHead(fields, message));
  };
  const call = (name: string) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } });
  const read = (uri: string) => ({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } });

  it('have their names and lengths, and values only of a few', () => {
    const headers = {
      authorization: 'Bearer secret',
      cookie: S,
      'x-api-key': S,
      'x-forwarded-for': '192.0.2.1',
      'mcp-session-id': S,
      'mcp-param-region': S,
      origin: 'https://a.example',
      'content-type': 'application/json; charset=utf-8',
      host: '127.0.0.1:9719',
    };
    expect(headOf(headers, call('book'))).toEqual({
      authorization: '[13 characters]',
      cookie: M,
      'x-api-key': M,
      'x-forwarded-for': '[9 characters]',
      'mcp-session-id': M,
      'mcp-param-region': M,
      origin: '[17 characters]',
      'content-type': 'application/json; charset=utf-8',
      host: '127.0.0.1:9719',
    });
  });

  it.each([
    ['content-type', 'text/secret'],
    ['content-encoding', 'secret'],
    ['mcp-protocol-version', 'secret'],
    ['mcp-method', 'Secret'],
    ['accept', 'secret/*'],
  ])('hold no %s that the protocol does not know', (name, value) => {
    expect(headOf({ [name]: value })[name]).toMatch(/^\[\d+ characters\]$/);
  });

  it('match the body exactly when they did', () => {
    const name = (value: string, envelope: JsonObject) => headOf({ 'mcp-name': value }, envelope)['mcp-name'];
    expect(name('book', call('book'))).toBe('book');
    expect(name('=?base64?Ym9vaw==?=', call('book'))).toBe('book');
    expect(name('look', call('book'))).toBe('[4 other characters]');
    expect(name('=?base64?!?=', call('book'))).toBe('=?base64?*?=');
    expect(name('f://h/a?k=v', read('f://h/a?k=v'))).toBe('f://h/a?[4]');
    expect(name('f://h/a?k=w', read('f://h/a?k=v'))).toBe('[11 other characters]');
    const method = (value: string) => headOf({ 'mcp-method': value }, call('book'))['mcp-method'];
    expect([method('tools/call'), method('tools/list')]).toEqual(['tools/call', 'tools/list']);
  });

  it('stay illegal where they were', () => {
    expect(headOf({ 'mcp-param-a': '=?base64?%%?=' }, call('book'))['mcp-param-a']).toBe('=?base64?*?=');
  });
});
