import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { post, requestHeaders, requestText } from '../support/client.js';
import { type GatewayConfig, startPair } from '../support/pair.js';
import { parseAnswer, rawRequest, sendRaw } from '../support/raw.js';
import { resultReply } from '../support/upstream.js';

const METHOD = 'completion/complete';
const CALL = requestText(METHOD);
const HEADERS = requestHeaders(METHOD);
const FIELDS = Object.entries(HEADERS).map(([name, value]) => `${name}: ${value}`);

function pair(config: GatewayConfig = {}) {
  return startPair((request) => resultReply(request, { resultType: 'complete', completion: {} }), config);
}

/** The fields of a conforming request, with these instead of its content type. */
function typed(...fields: readonly string[]): string[] {
  return [...FIELDS.filter((field) => !field.startsWith('content-type')), ...fields];
}

/** A conforming request whose members are written as the text says. */
function envelope(members: string): string {
  const _meta = JSON.stringify((JSON.parse(CALL) as { params: { _meta: unknown } }).params._meta);
  return `{"jsonrpc":"2.0","method":"${METHOD}","params":{"_meta":${_meta}}${members}}`;
}

describe('the media type of a message', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json; charset=UTF-8',
    'application/json ; charset="Utf-8"',
    'application/json; profile=x',
  ])('is written anew for the upstream: %s', async (type) => {
    const { gateway, upstream } = await pair();
    const answer = await sendRaw(gateway.port, rawRequest('POST /mcp', typed(`Content-Type: ${type}`), CALL));
    expect(answer.status).toBe(200);
    const { rawHeaders } = await upstream.request(0);
    const types = rawHeaders.filter((_, index) => rawHeaders[index - 1]?.toLowerCase() === 'content-type');
    expect(types).toEqual(['application/json']);
  });

  it.each([
    ['is absent', []],
    ['is empty', ['Content-Type:']],
    ['is text', ['Content-Type: text/plain']],
    ['is a form', ['Content-Type: application/x-www-form-urlencoded']],
    ['is a kin of JSON', ['Content-Type: application/vnd.x+json']],
    ['is JSON and more', ['Content-Type: application/json, text/plain']],
    ['names another charset', ['Content-Type: application/json; charset=utf-16']],
    ['names utf8 otherwise', ['Content-Type: application/json; charset=utf8']],
    ['names two charsets', ['Content-Type: application/json; charset=utf-8; charset=utf-16']],
    ['stands twice', ['Content-Type: application/json', 'Content-Type: application/json']],
    ['stands twice with a difference', ['Content-Type: application/json', 'content-type: text/plain']],
    ['comes with a coding', ['Content-Type: application/json', 'Content-Encoding: gzip']],
    ['comes with the identity coding', ['Content-Type: application/json', 'Content-Encoding: identity']],
  ])('is refused unforwarded when it %s', async (_, fields) => {
    const { gateway, upstream } = await pair();
    const answer = await sendRaw(gateway.port, rawRequest('POST /mcp', typed(...fields), CALL));
    expect(answer.status).toBe(415);
    expect(answer.one('content-type')).toBe('application/json');
    expect(answer.json()).toMatchObject({
      jsonrpc: '2.0',
      error: { code: -32600, data: { rule: 'content-type-json' } },
    });
    expect(answer.json()).not.toHaveProperty('id');
    expect(upstream.requests).toEqual([]);
  });
});

describe('the framing of a message', () => {
  it('may be chunked', async () => {
    const { gateway, upstream } = await pair();
    const half = Math.floor(CALL.length / 2);
    const chunks = [CALL.slice(0, half), CALL.slice(half)].map(
      (part) => `${part.length.toString(16)}\r\n${part}\r\n`,
    );
    const head = rawRequest('POST /mcp', [...FIELDS, 'Transfer-Encoding: chunked']);
    const answer = await sendRaw(gateway.port, head, ...chunks, '0\r\nX-Trailer: 1\r\n\r\n');
    expect(answer.status).toBe(200);
    const request = await upstream.request(0);
    expect(request.text).toBe(CALL);
    expect(request.headers).toMatchObject({ 'content-length': String(CALL.length) });
    expect(request.headers).not.toHaveProperty('transfer-encoding');
    expect(request.headers).not.toHaveProperty('x-trailer');
  });

  it.each([
    ['is both chunked and of a length', ['Transfer-Encoding: chunked', `Content-Length: ${CALL.length}`]],
    ['is of two lengths', [`Content-Length: ${CALL.length}`, 'Content-Length: 3']],
    ['is of no number of bytes', ['Content-Length: 1e3']],
    ['ends in another coding than chunked', ['Transfer-Encoding: chunked, gzip']],
  ])('is refused when it %s', async (_, fields) => {
    const { gateway, upstream } = await pair();
    const answer = await sendRaw(gateway.port, rawRequest('POST /mcp', [...FIELDS, ...fields], CALL));
    expect(answer.status).toBe(400);
    expect(upstream.requests).toEqual([]);
  });

  it('is not that of whoever announces more than comes', async () => {
    const { gateway, upstream } = await pair();
    const socket = connect(gateway.port, '127.0.0.1');
    socket.end(rawRequest('POST /mcp', [...FIELDS, 'Content-Length: 99999'], CALL));
    expect((await gateway.ended(0)).outcome).toBe('client_gone');
    expect(upstream.requests).toEqual([]);
  });

  it('may be that of HTTP/1.0', async () => {
    const { gateway } = await pair();
    const request = rawRequest('POST /mcp', FIELDS, CALL).toString().replace(' HTTP/1.1', ' HTTP/1.0');
    const answer = await sendRaw(gateway.port, request);
    expect(answer.status).toBe(200);
    expect(answer.one('transfer-encoding')).toBeUndefined();
    expect(answer.json()).toMatchObject({ id: 1, result: {} });
  });

  it('lets several follow each other on a connection, also after a refusal', async () => {
    const { gateway } = await pair();
    const socket = connect(gateway.port, '127.0.0.1');
    const bad = rawRequest(
      'POST /mcp',
      [...typed('Content-Type: text/plain'), 'Connection: keep-alive'],
      CALL,
    );
    const good = rawRequest('POST /mcp', [...FIELDS, 'Connection: keep-alive'], CALL);
    socket.write(Buffer.concat([bad, good, rawRequest('POST /mcp', FIELDS, CALL)]));
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 415', 'HTTP/1.1 200', 'HTTP/1.1 200']);
  });
});

describe('an expectation', () => {
  it('of 100-continue is met here and not passed on', async () => {
    const { gateway, upstream } = await pair();
    const whole = rawRequest('POST /mcp', [...FIELDS, 'Expect: 100-continue'], CALL);
    const head = whole.subarray(0, whole.length - CALL.length);
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write(head);
    const chunks: Buffer[] = [];
    for await (const chunk of socket) {
      if (chunks.push(chunk as Buffer) === 1) socket.write(CALL);
    }
    expect(String(chunks[0])).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\n/);
    const answer = parseAnswer(Buffer.concat(chunks));
    expect(answer.interim).toEqual([100]);
    expect(answer.status).toBe(200);
    const request = await upstream.request(0);
    expect(request.headers).not.toHaveProperty('expect');
  });

  it.each(['miracle', '200-ok'])('of something else is not met: %s', async (expectation) => {
    const { gateway, upstream } = await pair();
    const answer = await sendRaw(
      gateway.port,
      rawRequest('POST /mcp', [...FIELDS, `Expect: ${expectation}`], CALL),
    );
    expect(answer.status).toBe(417);
    expect(upstream.requests).toEqual([]);
  });
});

describe('the length of a message', () => {
  const limits = { requestBytes: 2_000 };
  const longest = CALL.padEnd(limits.requestBytes);
  const longer = `${longest} `;

  it('may reach the limit', async () => {
    const { url } = await pair({ limits });
    expect((await post(url, CALL, HEADERS)).status).toBe(200);
  });

  it.each([
    ['declared', [`Content-Length: ${longer.length}`], longer],
    ['found', ['Transfer-Encoding: chunked'], `${longer.length.toString(16)}\r\n${longer}\r\n0\r\n\r\n`],
  ])('is refused one byte over the limit as %s', async (_, framing, body) => {
    const { gateway, upstream } = await pair({ limits });
    const answer = await sendRaw(gateway.port, rawRequest('POST /mcp', [...FIELDS, ...framing], body));
    expect(answer.status).toBe(413);
    expect(answer.json()).toMatchObject({ error: { code: -32600, data: { rule: 'body-within-limit' } } });
    expect(answer.json()).not.toHaveProperty('id');
    expect(upstream.requests).toEqual([]);
    expect(await gateway.ended(0)).toMatchObject({ outcome: 'refused_inbound', status: 413 });
  });

  it.each([
    ['declared', ''],
    ['found', 'chunked'],
  ])('is refused to a client that sends megabytes before it reads, as %s', async (_, coding) => {
    const { gateway } = await pair({ limits });
    const size = 8_000_000;
    const framing = coding === '' ? [`Content-Length: ${size}`] : ['Transfer-Encoding: chunked'];
    const filler = Buffer.alloc(size, ' ');
    const body = coding === '' ? [filler] : [`${size.toString(16)}\r\n`, filler, '\r\n0\r\n\r\n'];
    const answer = await sendRaw(gateway.port, rawRequest('POST /mcp', [...FIELDS, ...framing]), ...body);
    expect(answer.status).toBe(413);
  });

  it('is refused before a byte of it when the client waits to be asked', async () => {
    const { gateway } = await pair({ limits });
    const head = rawRequest('POST /mcp', [...FIELDS, 'Content-Length: 1000000000', 'Expect: 100-continue']);
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write(head);
    let text = '';
    for await (const chunk of socket) {
      text += String(chunk);
      if (text.includes('413')) break;
    }
    expect(text).toContain('HTTP/1.1 413');
  });
});

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const PARSE_FAULTS: readonly (readonly [string, string | Buffer<ArrayBuffer>])[] = [
  ['nothing', ''],
  ['white space', ' \r\n\t'],
  ['half a message', CALL.slice(0, -1)],
  ['two messages', CALL + CALL],
  ['a word', 'hello'],
  ['a comment', `/* */${CALL}`],
  ['a trailing comma', CALL.replace(/}$/, ',}')],
  ['NaN', '{"jsonrpc":"2.0","id":NaN,"method":"x"}'],
  ['a byte order mark', Buffer.concat([BOM, Buffer.from(CALL)])],
  ['another byte order mark', Buffer.from(`\ufeff${CALL}`, 'utf16le')],
  ['a stray byte', Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')])],
  [
    'an overlong sequence',
    Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')]),
  ],
  [
    'an encoded surrogate',
    Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
  ],
  ['a member twice', envelope(',"id":1,"id":1')],
  ['a member twice, once escaped', envelope(',"id":1,"\\u0069d":2')],
  ['a member twice in an argument', envelope(',"id":1,"x":[{"a":{"b":1,"\\u0062":2}}]')],
  ['the prototype twice', envelope(',"id":1,"__proto__":1,"__pr\\u006fto__":2')],
  ['another letter case of the envelope', envelope(',"id":1,"Method":"tools/call"')],
  ['another letter case of a state', envelope(',"id":1,"RequestState":"x"')],
  ['another letter of a state', envelope(',"id":1,"reque\u017ftState":"x"')],
  [
    'another letter case within params',
    envelope(',"id":1').replace('"params":{', '"params":{"InputResponses":{},'),
  ],
];

describe('a body that parsers may read differently', () => {
  it.each(PARSE_FAULTS)('is refused: %s', async (_, body) => {
    const { url, upstream } = await pair();
    const answer = await post(url, body, HEADERS);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.message).toMatchObject({
      jsonrpc: '2.0',
      error: {
        code: -32700,
        data: { rule: 'json-unambiguous', spec: 'urn:mrtr-gateway:rule:json-unambiguous' },
      },
    });
    expect(upstream.requests).toEqual([]);
  });

  it('is refused with the id where one can be read', async () => {
    const { url } = await pair();
    expect((await post(url, envelope(',"id":7,"RequestState":"x"'), HEADERS)).message.id).toBe(7);
    expect((await post(url, CALL.slice(0, -1), HEADERS)).message).not.toHaveProperty('id');
  });
});

const NO_SINGLE: readonly (readonly [string, string, string | undefined])[] = [
  ['a batch', `[${CALL}]`, undefined],
  ['an empty batch', '[]', undefined],
  ['a string', '"tools/call"', undefined],
  ['null', 'null', undefined],
  ['a response', '{"jsonrpc":"2.0","id":4,"result":{}}', '4'],
  ['an error', '{"jsonrpc":"2.0","id":"e","error":{"code":1,"message":""}}', '"e"'],
  ['another JSON-RPC', '{"jsonrpc":"1.0","id":4,"method":"x"}', '4'],
  ['no JSON-RPC', '{"id":4,"method":"x"}', '4'],
  ['a request and a response at once', envelope(',"id":4,"result":{}'), '4'],
  ['a method that is no string', '{"jsonrpc":"2.0","id":4,"method":["tools/call"]}', '4'],
  ['no method', '{"jsonrpc":"2.0","id":4}', '4'],
  ['a request without id', envelope(''), undefined],
  ['the id null', envelope(',"id":null'), undefined],
  ['the id true', envelope(',"id":true'), undefined],
  ['a fraction as id', envelope(',"id":1.5'), undefined],
  ['an object as id', envelope(',"id":{}'), undefined],
  ['an endless number as id', envelope(',"id":1e999'), undefined],
  ['a notification with an id', '{"jsonrpc":"2.0","id":5,"method":"notifications/cancelled"}', '5'],
  ['513 levels, the id before them', envelope(`,"id":6,"x":${'['.repeat(512)}${']'.repeat(512)}`), '6'],
  [
    '20000 levels, the id behind them',
    envelope(`,"x":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)},"id":"deep"`),
    '"deep"',
  ],
  [
    '20000 levels of arrays, the id escaped',
    envelope(`,"x":${'['.repeat(20_000)}${']'.repeat(20_000)},"\\u0069d":0`),
    '0',
  ],
];

describe('a body that is not a single message', () => {
  it.each(NO_SINGLE)('is refused: %s', async (_, body, id) => {
    const { url, upstream } = await pair();
    const answer = await post(url, body, HEADERS);
    expect(answer.status).toBe(400);
    expect(answer.message.error).toMatchObject({ code: -32600, data: { rule: 'single-message' } });
    if (id === undefined) expect(answer.message).not.toHaveProperty('id');
    else expect(answer.text).toContain(`"id":${id},`);
    expect(upstream.requests).toEqual([]);
  });

  it('may nest as deep as the limit', async () => {
    const { url, upstream } = await pair();
    const body = envelope(`,"id":1,"x":${'['.repeat(511)}${']'.repeat(511)}`);
    expect((await post(url, body, HEADERS)).status).toBe(200);
    expect((await upstream.request(0)).text).toBe(body);
  });
});

describe('the id of a refused message', () => {
  it.each([
    ['0', '0'],
    ['1', '1'],
    ['"1"', '"1"'],
    ['""', '""'],
    ['-7', '-7'],
    ['9007199254740993', '9007199254740993'],
    ['-9007199254740993', '-9007199254740993'],
    ['123456789012345678901234567890', '123456789012345678901234567890'],
    ['"\\u0041\\n\\ud83d\\ude00"', '"A\\n\u{1f600}"'],
    ['"\\ud800"', '"\\ud800"'],
    ['"</script>"', '"</script>"'],
  ])('is the one that it came with: %s', async (id, echoed) => {
    const { url, upstream } = await pair();
    const answer = await post(url, envelope(`,"id":${id}`), { ...HEADERS, 'mcp-method': 'other' });
    expect(answer.status).toBe(400);
    expect(answer.text.startsWith(`{"jsonrpc":"2.0","id":${echoed},"error":{"code":-32020,`)).toBe(true);
    expect(upstream.requests).toEqual([]);
  });
});
