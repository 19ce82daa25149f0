import { describe, expect, it } from 'vitest';
import { META_CLIENT_CAPABILITIES, META_PROTOCOL_VERSION, REVISION } from '../../src/protocol/constants.js';
import { post, requestHeaders } from '../support/client.js';
import { startPair } from '../support/pair.js';
import { type ReplyFunction, resultReply } from '../support/upstream.js';

const META = `{"${META_PROTOCOL_VERSION}":"${REVISION}","${META_CLIENT_CAPABILITIES}":{}}`;
const HEADERS = requestHeaders('tools/call', { params: { name: 'echo' } });

function request(args: string, id = '1'): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo","arguments":${args},"_meta":${META}}}`;
}

const done: ReplyFunction = (request) => resultReply(request, { resultType: 'complete', content: [] });

function answering(text: string | Buffer): ReplyFunction {
  return () => ({ headers: { 'content-type': 'application/json' }, body: text });
}

const VALUES: readonly (readonly [string, string])[] = [
  ['white space of every kind', '{ \t\r\n "a" :\n[ 1 ,\r2 ]\n}'],
  ['the order of members', '{"z":1,"a":2,"10":3,"9":4}'],
  ['escapes', '"\\u0041\\/\\u00e9\\ud83d\\ude00\\b\\""'],
  ['lone surrogates', '"\\ud800 and \\udfff"'],
  ['letters of every width', '"aé€\u{1f600}\u2028"'],
  [
    'integers past 2^53',
    '[9007199254740993,-9007199254740993,18446744073709551615,123456789012345678901234567890]',
  ],
  [
    'numbers in every spelling',
    '[0,-0,0.0,-0.0,1.0,1.10,1e3,1E+3,1e-7,0.1e1,1e400,-1e-400,3.141592653589793238462643]',
  ],
  ['members with odd names', '{"":1,"constructor":2,"toString":3,"hasOwnProperty":4,"valueOf":5,"length":6}'],
  [
    'a member that is called __proto__',
    '{"__proto__":{"polluted":true},"a":{"__proto__":{"polluted":true}}}',
  ],
  ['other letter cases of protocol names', '{"RequestState":"mine","Method":1,"inputresponses":[]}'],
  ['empty containers', '[{},[],"",[{}],{"a":{}}]'],
];

describe('a request reaches the upstream with', () => {
  it.each(VALUES)('%s', async (_, value) => {
    const { url, upstream } = await startPair(done);
    const body = request(`{"x":${value}}`);
    expect((await post(url, body, HEADERS)).status).toBe(200);
    const { body: received, headers } = await upstream.request(0);
    expect(received).toEqual(Buffer.from(body));
    expect(headers['content-length']).toBe(String(Buffer.byteLength(body)));
    expect(Object.prototype).not.toHaveProperty('polluted');
  });

  it('white space around it', async () => {
    const { url, upstream } = await startPair(done);
    const body = `\r\n\t ${request('{}')} \n`;
    expect((await post(url, body, HEADERS)).status).toBe(200);
    expect((await upstream.request(0)).text).toBe(body);
  });

  it('a member of the envelope that is called __proto__', async () => {
    const { url, upstream } = await startPair(done);
    const body = request('{}').replace('{', '{"__proto__":{"method":"x","polluted":1},');
    expect((await post(url, body, HEADERS)).status).toBe(200);
    expect((await upstream.request(0)).text).toBe(body);
    expect(Object.prototype).not.toHaveProperty('polluted');
  });

  it('nothing that only a prototype says', async () => {
    const { url, upstream } = await startPair(done);
    const inherited = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","__proto__":{"_meta":${META}}}}`;
    const answer = await post(url, inherited, HEADERS);
    expect(answer.message.error.data.rule).toBe('request-meta-present');
    expect(upstream.requests).toEqual([]);
  });

  it('megabytes of it', async () => {
    const { url, upstream } = await startPair(done);
    const body = request(`{"x":"${'é'.repeat(1_500_000)}"}`);
    expect((await post(url, body, HEADERS)).status).toBe(200);
    expect((await upstream.request(0)).body.equals(Buffer.from(body))).toBe(true);
  });
});

describe('an answer reaches the client with', () => {
  it.each(VALUES)('%s', async (_, value) => {
    const text = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[],"structuredContent":{"x":${value}}}}`;
    const { url } = await startPair(answering(text));
    const answer = await post(url, request('{}'), HEADERS);
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(text);
    expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    expect(Object.prototype).not.toHaveProperty('polluted');
  });

  it('white space around it', async () => {
    const text = ' \r\n{ "result" : {"content":[]} ,"id":1, "jsonrpc":"2.0"}\n\n';
    const { url } = await startPair(answering(text));
    expect((await post(url, request('{}'), HEADERS)).text).toBe(text);
  });

  it('megabytes of it', async () => {
    const text = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"${'é'.repeat(3_000_000)}"}]}}`;
    const { url } = await startPair(answering(text));
    const answer = await post(url, request('{}'), HEADERS);
    expect(answer.status).toBe(200);
    expect(answer.text === text).toBe(true);
  });
});

describe('the id of an answer', () => {
  it.each([
    '0',
    '1',
    '-1',
    '"1"',
    '""',
    '"é\\n"',
    '9007199254740993',
    '-9007199254740993',
    '123456789012345678901234567890',
  ])('is that of its request, to the last digit: %s', async (id) => {
    const text = `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"complete","content":[]}}`;
    const { url, upstream } = await startPair(answering(text));
    const answer = await post(url, request('{}', id), HEADERS);
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(text);
    expect((await upstream.request(0)).text).toBe(request('{}', id));
  });

  it.each([
    ['1', '"1"'],
    ['"1"', '1'],
    ['0', 'null'],
    ['0', '""'],
    ['0', 'false'],
    ['""', 'null'],
    ['1', '2'],
    ['1', '[1]'],
    ['9007199254740993', '9007199254740992'],
    ['9007199254740993', '9007199254740994'],
    ['"a"', '"A"'],
    ['"é"', '"e\u0301"'],
  ])('must not be another one: asked as %s, answered as %s', async (id, answered) => {
    const { url } = await startPair(
      answering(`{"jsonrpc":"2.0","id":${answered},"result":{"resultType":"complete","content":[]}}`),
    );
    const answer = await post(url, request('{}', id), HEADERS);
    expect(answer.status).toBe(502);
    expect(answer.text.startsWith(`{"jsonrpc":"2.0","id":${id},"error":{"code":-32603,`)).toBe(true);
    expect(answer.message.error.data).toMatchObject({ rule: 'response-answers-request', at: '/id' });
  });

  it('must not be missing', async () => {
    const { url } = await startPair(
      answering('{"jsonrpc":"2.0","result":{"resultType":"complete","content":[]}}'),
    );
    const answer = await post(url, request('{}', '"s"'), HEADERS);
    expect(answer.status).toBe(502);
    expect(answer.message).toMatchObject({ id: 's', error: { data: { rule: 'response-answers-request' } } });
  });
});
