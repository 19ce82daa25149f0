import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { callTool } from '../support/client.js';
import { startPair } from '../support/pair.js';
import type { HttpReply, Reply } from '../support/upstream.js';

const RESULT = '{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}';
const READABLE_SPEC =
  'https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#sending-messages';

function typed(type: string | undefined, body: string | Uint8Array = RESULT, status = 200): HttpReply {
  return { status, headers: type === undefined ? {} : { 'content-type': type }, body };
}

/** What a client gets for a tool call that the upstream answers so. */
async function answer(reply: Reply) {
  const { gateway, url } = await startPair(() => reply);
  const got = await callTool(url, 'echo');
  return { ...got, gateway };
}

/** Refused as unreadable: the request's id, nothing of the upstream's. */
async function expectUnreadable(reply: Reply, why: string): Promise<void> {
  const { status, headers, message, gateway } = await answer(reply);
  expect(status).toBe(502);
  expect(headers.get('content-type')).toBe('application/json');
  expect(message).toEqual({
    jsonrpc: '2.0',
    id: 1,
    error: {
      code: -32603,
      message: `the upstream's answer is not readable: ${why}`,
      data: expect.objectContaining({ rule: 'response-readable', spec: READABLE_SPEC }),
    },
  });
  expect(await gateway.ended(0)).toMatchObject({ outcome: 'upstream_failed', status: 502 });
  expect(gateway.told.filter(({ event }) => event === 'upstreamFailed').map(({ args }) => args[1])).toEqual([
    'invalid',
  ]);
}

describe('the media type of an answer', () => {
  it.each([
    'application/json',
    'application/json;charset=utf-8',
    'Application/JSON; Charset="UTF-8"',
    'application/json; profile="a;b"',
  ])('may be %s', async (type) => {
    const { status, text, headers } = await answer(typed(type));
    expect([status, text]).toEqual([200, RESULT]);
    expect(headers.get('content-type')).toBe(type);
  });

  it.each([
    undefined,
    '',
    'text/plain',
    'text/html',
    'text/json',
    'application/problem+json',
    'application/json, text/html',
    'application/x-ndjson',
    'json',
  ])('must be that of JSON or an event stream: %s', async (type) => {
    await expectUnreadable(typed(type), 'its media type is neither JSON nor an event stream');
  });

  it('must stand once', async () => {
    const headers = ['Content-Type', 'application/json', 'Content-Type', 'application/json'];
    await expectUnreadable({ headers, body: RESULT }, 'its media type is neither JSON nor an event stream');
  });

  it.each(['iso-8859-1', 'utf-16', 'utf8', 'utf-7'])('must not name another charset: %s', async (charset) => {
    await expectUnreadable(typed(`application/json; charset=${charset}`), 'its charset is not UTF-8');
  });
});

const NO_MESSAGES: readonly (readonly [string, string | Uint8Array, string])[] = [
  ['is empty', '', 'it is empty'],
  ['is white space', ' \n', 'it is empty'],
  ['is an HTML page', '<!doctype html><title>502</title>', 'it is not one JSON value'],
  ['breaks off', RESULT.slice(0, -1), 'it is not one JSON value'],
  ['goes on', `${RESULT}{}`, 'it is not one JSON value'],
  ['begins with a byte order mark', `\ufeff${RESULT}`, 'it begins with a byte order mark'],
  ['is UTF-16', Buffer.from(RESULT, 'utf16le'), 'it is not one JSON value'],
  [
    'holds a stray byte',
    Buffer.concat([Buffer.from(RESULT.slice(0, -1)), Buffer.from([0xff, 0x7d])]),
    'it is not valid UTF-8',
  ],
  [
    'names a member twice',
    RESULT.replace('"content"', '"content":[1],"content"'),
    'an object names a member twice',
  ],
  [
    'names a member twice, once escaped',
    RESULT.replace('"id":1', '"id":1,"\\u0069d":1'),
    'an object names a member twice',
  ],
  [
    'spells a member almost like the protocol',
    RESULT.replace('"content"', '"InputRequests":{},"content"'),
    'a member is spelt almost like one of the protocol',
  ],
  [
    'nests too deeply',
    RESULT.replace('[]', `${'['.repeat(600)}${']'.repeat(600)}`),
    'it is nested too deeply',
  ],
  [
    'nests much too deeply',
    RESULT.replace('[]', `${'['.repeat(100_000)}${']'.repeat(100_000)}`),
    'it is nested too deeply',
  ],
  ['is a batch', `[${RESULT}]`, 'it is no JSON-RPC message'],
  ['is a string', '"x"', 'it is no JSON-RPC message'],
  ['is no JSON-RPC', '{"error":"unavailable"}', 'jsonrpc is not "2.0"'],
  ['is of another JSON-RPC', RESULT.replace('2.0', '1.0'), 'jsonrpc is not "2.0"'],
  ['is an empty object', '{}', 'it is no JSON-RPC message'],
  [
    'has a result and an error',
    RESULT.replace('"result"', '"error":{"code":1,"message":""},"result"'),
    'it has more than one of method, result and error',
  ],
  ['has a result that is no object', '{"jsonrpc":"2.0","id":1,"result":[]}', 'result is no object'],
  ['has the result null', '{"jsonrpc":"2.0","id":1,"result":null}', 'result is no object'],
  ['has an error that is text', '{"jsonrpc":"2.0","id":1,"error":"no"}', 'error is no object'],
  [
    'has an error code that is text',
    '{"jsonrpc":"2.0","id":1,"error":{"code":"1","message":""}}',
    'code is no integer',
  ],
  ['has an error without a message', '{"jsonrpc":"2.0","id":1,"error":{"code":1}}', 'message is no string'],
  [
    'is a notification',
    '{"jsonrpc":"2.0","method":"notifications/message","params":{}}',
    'a notification stands where the response belongs',
  ],
];

describe('a body that the upstream sends as JSON', () => {
  it.each(NO_MESSAGES)('is refused when it %s', async (_, body, why) => {
    await expectUnreadable(typed('application/json', body), why);
  });

  it('is refused when it is a request', async () => {
    const request = '{"jsonrpc":"2.0","id":1,"method":"roots/list"}';
    const { status, message } = await answer(typed('application/json', request));
    expect(status).toBe(200);
    expect(message).toMatchObject({ id: 1, error: { code: -32603, data: { rule: 'no-server-request' } } });
  });

  it('may have an error at status 200', async () => {
    const error =
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no such tool","data":{"a":1.0}}}';
    const { status, text } = await answer(typed('application/json', error));
    expect([status, text]).toEqual([200, error]);
  });

  it.each([201, 203, 206, 299])('may come with status %i', async (status) => {
    const got = await answer(typed('application/json', RESULT, status));
    expect([got.status, got.text]).toEqual([status, RESULT]);
  });
});

describe('a status that answers no request', () => {
  it.each([
    [202, 'with nothing', '', 'response-readable'],
    [202, 'with a result', RESULT, 'response-answers-request'],
    [204, 'with nothing', '', 'response-readable'],
    [205, 'with nothing', '', 'response-readable'],
  ])('is refused: %i %s', async (status, _, body, rule) => {
    const got = await answer(body === '' ? { status, headers: {} } : typed('application/json', body, status));
    expect(got.status).toBe(502);
    expect(got.message).toMatchObject({ id: 1, error: { code: -32603, data: { rule } } });
  });

  it.each([300, 301, 302, 303, 304, 307, 308, 399])(
    'is neither followed nor passed when it leads elsewhere: %i',
    async (status) => {
      const other = await startPair(() => typed('application/json'));
      const { url, upstream } = await startPair(() => ({
        status,
        headers: { location: other.upstream.url, 'content-type': 'application/json', 'set-cookie': 'a=1' },
        body: status === 304 ? '' : RESULT,
      }));
      const got = await callTool(url, 'echo');
      expect(got.status).toBe(502);
      expect(got.headers.get('location')).toBeNull();
      expect(got.headers.get('set-cookie')).toBeNull();
      expect(got.message).toMatchObject({
        id: 1,
        error: { message: "the upstream's answer is not readable: it is a redirect" },
      });
      expect(upstream.requests).toHaveLength(1);
      expect(other.upstream.requests).toEqual([]);
    },
  );
});

function coded(coding: string | readonly string[], body: Uint8Array, type = 'application/json'): HttpReply {
  const codings = typeof coding === 'string' ? [coding] : coding;
  return {
    headers: [
      'Content-Type',
      type,
      ...codings.flatMap((one) => ['Content-Encoding', one]),
      'Content-Length',
      String(body.length),
    ],
    body,
  };
}

describe('a coded answer', () => {
  it.each([
    ['gzip', gzipSync(RESULT)],
    ['GZIP', gzipSync(RESULT)],
    ['x-gzip', gzipSync(RESULT)],
    ['deflate', deflateSync(RESULT)],
    ['br', brotliCompressSync(RESULT)],
    ['identity', Buffer.from(RESULT)],
    ['', Buffer.from(RESULT)],
  ])('is undone, and says nothing of it: %s', async (coding, body) => {
    const { status, text, headers } = await answer(coded(coding, body));
    expect([status, text]).toEqual([200, RESULT]);
    expect(headers.get('content-encoding')).toBeNull();
    expect(headers.get('content-length')).toBe(String(RESULT.length));
  });

  it.each([
    ['one that is not known', 'zstd', gzipSync(RESULT)],
    ['one that nobody knows', 'x-rot13', Buffer.from(RESULT)],
    ['one after the other', 'gzip, br', brotliCompressSync(gzipSync(RESULT))],
    ['the same twice', 'gzip, gzip', gzipSync(gzipSync(RESULT))],
    ['another one than it says', 'gzip', Buffer.from(RESULT)],
    ['a broken one', 'gzip', Buffer.concat([gzipSync(RESULT).subarray(0, 20), Buffer.alloc(20, 7)])],
    ['half of one', 'gzip', gzipSync(RESULT).subarray(0, -9)],
    ['half of another', 'br', brotliCompressSync(RESULT).subarray(0, -3)],
    ['a naked deflate', 'deflate', deflateRawSync(RESULT)],
  ])('is refused in %s', async (_, coding, body) => {
    await expectUnreadable(coded(coding, body), 'its content coding is not supported');
  });

  it('is refused in codings that stand apart', async () => {
    const reply = coded(['gzip', 'gzip'], gzipSync(gzipSync(RESULT)));
    await expectUnreadable(reply, 'its content coding is not supported');
  });

  it('is judged by what it says', async () => {
    const asking = RESULT.replace(
      '"resultType":"complete","content":[]',
      '"inputRequests":{"a":{"method":"roots/list"}}',
    );
    const { status, message } = await answer(coded('br', brotliCompressSync(asking)));
    expect(status).toBe(400);
    expect(message).toMatchObject({
      id: 1,
      error: { code: -32021, data: { requiredCapabilities: { roots: {} } } },
    });
  });

  it('may be an error, whose text is sent plain too', async () => {
    const error = '{"error":"invalid_token"}';
    const { status, text, headers } = await answer({ ...coded('gzip', gzipSync(error)), status: 401 });
    expect([status, text]).toEqual([401, error]);
    expect(headers.get('content-encoding')).toBeNull();
  });

  it('may be nothing at all', async () => {
    const { status, text } = await answer({ ...coded('gzip', Buffer.alloc(0)), status: 401 });
    expect([status, text]).toEqual([401, '']);
  });
});

describe('the size of an answer', () => {
  const limits = { responseBytes: 10_000 };
  const longest = RESULT.padEnd(10_000);
  const TOO_LARGE = "the upstream's answer is not readable: it is larger than the limit";

  it.each([
    ['as it is', typed('application/json', longest)],
    ['compressed', coded('gzip', gzipSync(longest))],
  ])('may reach the limit %s', async (_, reply) => {
    const { url } = await startPair(() => reply, { limits });
    const got = await callTool(url, 'echo');
    expect([got.status, got.text]).toEqual([200, longest]);
  });

  it.each([
    ['as it is', typed('application/json', `${longest} `)],
    [
      'in pieces of unknown number',
      { headers: { 'content-type': 'application/json' }, body: [longest, ' '] },
    ],
    ['compressed with gzip', coded('gzip', gzipSync(`${longest} `))],
    ['compressed with deflate', coded('deflate', deflateSync(`${longest} `))],
    ['compressed with br', coded('br', brotliCompressSync(`${longest} `))],
    ['compressed beyond measure', coded('gzip', gzipSync(Buffer.alloc(50_000_000, ' ')))],
    ['as an error', typed('application/json', `${longest} `, 500)],
    ['as an error page', typed('text/html', `${longest} `, 503)],
  ])('is refused over the limit %s', async (_, reply) => {
    const { url } = await startPair(() => reply, { limits });
    const got = await callTool(url, 'echo');
    expect(got.status).toBe(502);
    expect(got.message).toMatchObject({
      id: 1,
      error: { message: TOO_LARGE, data: { rule: 'response-readable' } },
    });
  });

  it('ends the upstream request as soon as it is over the limit', async () => {
    const { url, upstream } = await startPair(
      () => ({ headers: { 'content-type': 'application/json' }, body: [longest, ' '], after: 'stay-open' }),
      { limits },
    );
    const got = await callTool(url, 'echo');
    expect(got.status).toBe(502);
    expect(got.message.error.message).toBe(TOO_LARGE);
    await (await upstream.request(0)).aborted;
  });
});
