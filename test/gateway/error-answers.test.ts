import { describe, expect, it } from 'vitest';
import { call, callTool, open, post, requestHeaders, requestText } from '../support/client.js';
import { startPair } from '../support/pair.js';
import type { HttpReply, Reply } from '../support/upstream.js';

function json(status: number, body: string, fields: Record<string, string | string[]> = {}): HttpReply {
  return { status, headers: { 'content-type': 'application/json', ...fields }, body };
}

function error(code: number, id = '"id":1,', data = ''): string {
  return `{"jsonrpc":"2.0",${id}"error":{"code":${code},"message":"said by the server"${data}}}`;
}

/** What a client gets for a tool call with this id that the upstream answers so. */
async function answer(reply: Reply, id: string | number = 1) {
  const { gateway, url } = await startPair(() => reply);
  const got = await callTool(url, 'echo', {}, { id });
  return { ...got, gateway };
}

describe('an error answer', () => {
  it.each([
    [
      'a JSON-RPC error of the request',
      400,
      error(-32602, '"id":1,', ',"data":{"n":1.0, "a" : 9007199254740993}'),
    ],
    ['a method that is not found', 404, error(-32601)],
    ['a missing capability', 400, error(-32021, '"id":1,', ',"data":{"requiredCapabilities":{"roots":{}}}')],
    ['a header mismatch', 400, error(-32020)],
    ['an internal error', 500, error(-32603)],
    ['a code of its own', 503, error(-31000)],
    [
      'an OAuth error',
      400,
      '{"error":"invalid_request","error_description":"no such grant","error_uri":"/e"}',
    ],
    ['a missing token', 401, '{"error":"invalid_token"}'],
    ['a missing scope', 403, '{"error":"insufficient_scope","scope":"a b"}'],
    ['a problem description', 409, '{ "type":"about:blank", "title":"Conflict", "status":409 }'],
    ['an error of another service', 500, '{"message":"oops","error":{"code":7}}'],
    ['an error that says its text', 502, '{"error":"bad gateway"}'],
    ['a list', 400, '[{"error":"a"},{"error":"b"}]'],
    ['a word', 400, '"no"'],
    ['a number', 418, '418'],
    ['nothing', 401, ''],
    ['white space', 500, '\n'],
  ])('passes as it is: %s', async (_, status, body) => {
    const got = await answer(json(status, body));
    expect([got.status, got.text]).toEqual([status, body]);
    expect(got.headers.get('content-type')).toBe('application/json');
    expect(await got.gateway.ended(0)).toMatchObject({ outcome: 'rpc_error', status });
  });

  it.each([
    ['an HTML page', 'text/html; charset=iso-8859-1', Buffer.from('<h1>erreur\xe9</h1>', 'latin1')],
    ['an HTML page that begins with a byte order mark', 'text/html', Buffer.from('\ufeff<h1>503</h1>')],
    ['plain text', 'text/plain', Buffer.from('upstream connect error')],
    ['text without a type', undefined, Buffer.from('no healthy upstream')],
    ['text with braces', 'text/plain', Buffer.from('{result: not JSON}')],
    ['JSON that says it is text', 'text/plain', Buffer.from('{"error":"x"}')],
    ['a kin of JSON', 'application/problem+json', Buffer.from('{"title":"x"}')],
    ['nothing, of no type', undefined, Buffer.alloc(0)],
  ])('passes as it is: %s', async (_, type, body) => {
    for (const status of [400, 500, 599]) {
      const { url } = await startPair(() => ({
        status,
        headers: type === undefined ? {} : { 'content-type': type },
        body,
      }));
      const response = await open(url, 'completion/complete');
      expect(response.status).toBe(status);
      expect(Buffer.from(await response.arrayBuffer())).toEqual(body);
      expect(response.headers.get('content-type')).toBe(type ?? null);
    }
  });

  it('keeps what HTTP says with it', async () => {
    const unauthorized = await answer(
      json(401, '{"error":"invalid_token"}', {
        'www-authenticate':
          'Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource"',
      }),
    );
    expect(unauthorized.headers.get('www-authenticate')).toContain('resource_metadata=');
    const forbidden = await answer(
      json(403, '', { 'www-authenticate': 'Bearer error="insufficient_scope"' }),
    );
    expect([forbidden.status, forbidden.headers.get('www-authenticate')]).toEqual([
      403,
      'Bearer error="insufficient_scope"',
    ]);
    const busy = await answer(json(429, error(-31000), { 'retry-after': '120' }));
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([429, '120']);
    const away = await answer(json(503, '', { 'retry-after': 'Tue, 28 Jul 2026 00:00:00 GMT' }));
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, 'Tue, 28 Jul 2026 00:00:00 GMT']);
  });
});

describe('a JSON-RPC error that knows no id', () => {
  it.each([
    [
      'leaves it out',
      '{ "jsonrpc" : "2.0" , "error":{"code":-32700,"message":"x","data":1.0}}',
      '{"id":"a", "jsonrpc" : "2.0" , "error":{"code":-32700,"message":"x","data":1.0}}',
    ],
    [
      'says null',
      '{"jsonrpc":"2.0","error":{"code":-32700,"message":"x"}, "id" : null }',
      '{"jsonrpc":"2.0","error":{"code":-32700,"message":"x"}, "id" : "a" }',
    ],
    [
      'says null in escapes',
      '{"\\u0069d":null,"jsonrpc":"2.0","error":{"code":-32700,"message":"x"}}',
      '{"\\u0069d":"a","jsonrpc":"2.0","error":{"code":-32700,"message":"x"}}',
    ],
  ])('gets that of the request when it %s', async (_, body, expected) => {
    for (const [status, type] of [
      [400, 'application/json'],
      [404, 'application/json; charset=utf-8'],
      [500, 'text/plain'],
    ] as const) {
      const got = await answer({ status, headers: { 'content-type': type }, body }, 'a');
      expect(got.status).toBe(status);
      expect(got.text).toBe(expected);
      expect(got.headers.get('content-length')).toBe(String(expected.length));
    }
  });

  it('gets an integer with all its digits', async () => {
    const { url } = await startPair(() => json(400, error(-32700, '')));
    const id = '9007199254740993';
    const body = requestText('server/discover').replace('"id":1', `"id":${id}`);
    const got = await post(url, body, requestHeaders('server/discover'));
    expect(got.text).toBe(
      `{"id":${id},"jsonrpc":"2.0","error":{"code":-32700,"message":"said by the server"}}`,
    );
  });

  it('is refused at status 200, where a client would wait on', async () => {
    for (const id of ['', '"id":null,']) {
      const got = await answer(json(200, error(-32700, id)), 'a');
      expect(got.status).toBe(502);
      expect(got.message).toMatchObject({
        id: 'a',
        error: { code: -32603, data: { rule: 'response-answers-request' } },
      });
    }
  });
});

describe('an error answer is refused', () => {
  it.each([
    ['with a result', '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}', 'error-shape'],
    ['with an input request', '{"inputRequests":{"a":{"method":"elicitation/create"}}}', 'error-shape'],
    ['with a method', '{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{}}', 'error-shape'],
    ['with a method beside an error', '{"error":"x","method":"elicitation/create"}', 'error-shape'],
    ['with a result beside an error', '{"error":"x","result":null}', 'error-shape'],
    ['with a result in escapes', '{"re\\u0073ult":{}}', 'error-shape'],
    ['with a result in a list', '[{"error":"x"},{"result":{}}]', 'error-shape'],
  ])('%s, whatever its media type', async (_, body) => {
    for (const type of ['application/json', 'text/plain', 'text/html']) {
      for (const status of [400, 500]) {
        const got = await answer({ status, headers: { 'content-type': type }, body });
        expect(got.status).toBe(502);
        expect(got.message).toMatchObject({
          id: 1,
          error: {
            code: -32603,
            message:
              "the upstream's answer is not readable: an error answer carries result, method or inputRequests",
            data: { rule: 'response-readable' },
          },
        });
      }
    }
  });

  it.each([
    ['a member twice', '{"error":"a","error":"b"}', 'an object names a member twice'],
    ['half of JSON', '{"error":', 'it is not one JSON value'],
    ['an HTML page called JSON', '<h1>', 'it is not one JSON value'],
    ['a byte order mark', '\ufeff{"error":"x"}', 'it begins with a byte order mark'],
    ['a stray byte', Buffer.from([0x22, 0xff, 0x22]), 'it is not valid UTF-8'],
    [
      'a variant of the protocol beside it',
      '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""},"Result":{}}',
      'a member is spelt almost like one of the protocol',
    ],
    ['endless nesting', `${'['.repeat(5000)}${']'.repeat(5000)}`, 'it is nested too deeply'],
  ])('when it says it is JSON and holds %s', async (_, body, why) => {
    const got = await answer({ status: 400, headers: { 'content-type': 'application/json' }, body });
    expect(got.status).toBe(502);
    expect(got.message.error.message).toBe(`the upstream's answer is not readable: ${why}`);
  });

  it.each([
    ['a byte order mark', Buffer.from('\ufeff{"result":{}}')],
    [
      'a stray byte',
      Buffer.concat([Buffer.from('{"result":{"a":"'), Buffer.from([0xff]), Buffer.from('"}}')]),
    ],
  ])('when %s hides JSON in text', async (_, body) => {
    const got = await answer({ status: 500, headers: { 'content-type': 'text/plain' }, body });
    expect(got.status).toBe(502);
    expect(got.message).toMatchObject({ id: 1, error: { data: { rule: 'response-readable' } } });
  });

  it('when it is a stream', async () => {
    const got = await answer({
      status: 400,
      headers: { 'content-type': 'text/event-stream' },
      body: `data: ${error(1)}\n\n`,
    });
    expect(got.status).toBe(502);
    expect(got.message).toMatchObject({ id: 1, error: { data: { rule: 'response-readable' } } });
  });

  it.each(['"1"', '2', 'true', '[]', '9007199254740993'])(
    'with the id of another request: %s',
    async (id) => {
      const got = await answer(json(400, error(-32602, `"id":${id},`)));
      expect(got.status).toBe(502);
      expect(got.message).toMatchObject({ id: 1, error: { data: { rule: 'response-answers-request' } } });
    },
  );

  it.each([-32042, -32002, -32023, -32050, -32099])(
    'with a code that the revision removed or keeps for itself: %i',
    async (code) => {
      for (const id of ['"id":1,', '', '"id":null,']) {
        const got = await answer(json(400, error(code, id)));
        expect(got.status).toBe(200);
        expect(got.message).toMatchObject({
          id: 1,
          error: { code: -32603, data: { rule: 'no-removed-message', at: '/error/code' } },
        });
        expect(got.text).not.toContain('said by the server');
      }
    },
  );

  it.each([-32000, -32001, -32019, -32100, -32003])('not with a code that is free: %i', async (code) => {
    expect((await answer(json(400, error(code)))).status).toBe(400);
  });
});

describe('the versions that an error names', () => {
  it('are those that the gateway lets through', async () => {
    const body = error(
      -32022,
      '"id":1,',
      ',"data":{"supported":["2025-11-25","2026-07-28"],"requested":"2026-07-28"}',
    );
    const { url } = await startPair(() => json(400, body));
    const got = await call(url, 'server/discover');
    expect(got.status).toBe(400);
    expect(got.message.error).toMatchObject({ code: -32022, data: { supported: ['2026-07-28'] } });
  });
});
