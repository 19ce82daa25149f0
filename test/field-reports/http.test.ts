import { createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { callTool, requestHeaders, requestText } from '../support/client.js';
import { startGateway } from '../support/pair.js';
import { rawRequest, sendRaw } from '../support/raw.js';
import { jsonReply } from '../support/upstream.js';
import { ANSWERED, exchange, resultOf, start } from './exchange.js';

const PARAMS = { name: 'book', arguments: {} };
const FIELDS = Object.entries(requestHeaders('tools/call', { params: PARAMS })).map(
  ([name, value]) => `${name}: ${value}`,
);
const BODY = requestText('tools/call', { params: PARAMS });

describe('the media type of a request', () => {
  it.each([
    ['application/json'],
    ['application/json; charset=utf-8'],
    ['application/json;charset=UTF-8'],
    ['Application/JSON'],
    ['application/json; charset="utf-8"'],
    ['application/json ; charset=utf-8'],
  ])('%s is taken, and arrives written anew', async (type) => {
    const answer = await exchange({ headers: { 'content-type': type } });
    expect([answer.status, answer.requests[0]?.headers['content-type']]).toEqual([200, 'application/json']);
  });

  it.each([
    ['text/plain'],
    [''],
    ['application/json5'],
    ['application/jsonrequest'],
    ['application/vnd.api+json'],
    ['multipart/form-data; boundary=x'],
    ['application/json; charset=utf-16'],
    ['application/json; charset=iso-8859-1'],
    ['text/html, application/json'],
  ])('%j is refused', async (type) => {
    const answer = await exchange({ headers: { 'content-type': type } });
    expect([answer.status, answer.requests.length]).toEqual([415, 0]);
    expect(answer.message.error.data.rule).toBe('content-type-json');
  });

  it('missing altogether is refused', async () => {
    const pair = await start(() => jsonReply(ANSWERED));
    const fields = FIELDS.filter((field) => !field.startsWith('content-type'));
    const answer = await sendRaw(pair.gateway.port, rawRequest('POST /mcp', fields, BODY));
    expect([answer.status, pair.upstream.requests.length]).toEqual([415, 0]);
  });

  it.each(['gzip', 'deflate', 'br', 'identity, gzip'])(
    'does not help a body that is coded: %s',
    async (coding) => {
      const answer = await exchange({ headers: { 'content-encoding': coding } });
      expect([answer.status, answer.requests.length]).toEqual([415, 0]);
    },
  );

  it.each([['*/*'], ['application/json'], ['text/event-stream'], ['text/html'], [undefined]])(
    'is not held against what a client accepts: %s',
    async (accept) => {
      const answer = await exchange({ headers: { accept } });
      expect([answer.status, answer.message]).toEqual([200, ANSWERED]);
    },
  );
});

describe('an expectation', () => {
  it('of 100-continue is met here and goes no further', async () => {
    const pair = await start(() => jsonReply(ANSWERED));
    const request = rawRequest('POST /mcp', [...FIELDS, 'Expect: 100-continue'], BODY);
    const answer = await sendRaw(pair.gateway.port, request);
    expect([answer.interim, answer.status]).toEqual([[100], 200]);
    expect((await pair.upstream.request(0)).headers).not.toHaveProperty('expect');
  });

  it('of anything else is refused', async () => {
    const pair = await start(() => jsonReply(ANSWERED));
    const request = rawRequest('POST /mcp', [...FIELDS, 'Expect: the-unexpected'], BODY);
    expect((await sendRaw(pair.gateway.port, request)).status).toBe(417);
    expect(pair.upstream.requests).toHaveLength(0);
  });
});

describe('a connection that the server closes while the next request is on its way', () => {
  it('fails that request, which is not sent again once a byte of it went out', async () => {
    const sockets = new Set<Socket>();
    let received = 0;
    const server = createServer((socket) => {
      sockets.add(socket);
      let answered = false;
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => {
        if (!bytes.includes('POST ')) return;
        received += 1;
        if (answered) return void socket.destroy();
        answered = true;
        const body = JSON.stringify(ANSWERED);
        socket.write(
          `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
        );
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const { port } = server.address() as { port: number };
    const gateway = await startGateway(`http://127.0.0.1:${port}/mcp`, { route: { requestState: 'forbid' } });
    expect((await callTool(gateway.url, 'book')).message).toEqual(ANSWERED);
    const second = await callTool(gateway.url, 'book');
    expect([second.status, second.message.id, second.message.error.code]).toEqual([502, 1, -32603]);
    expect(received).toBe(2);
  });
});

describe('browsers', () => {
  const APP = 'https://app.example.com';
  const config = { allowedOrigins: [APP] };
  const NAMES = 'authorization,content-type,mcp-method,mcp-name,mcp-param-region,mcp-protocol-version';
  const preflight = { 'access-control-request-method': 'POST', 'access-control-request-headers': NAMES };

  it('that ask beforehand are told what they may send, without the server being asked', async () => {
    const pair = await start(() => jsonReply(ANSWERED), config);
    const answer = await fetch(pair.url, { method: 'OPTIONS', headers: { origin: APP, ...preflight } });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe(APP);
    expect(answer.headers.get('access-control-allow-methods')).toContain('POST');
    expect(answer.headers.get('access-control-allow-headers')?.split(/, ?/)).toEqual(NAMES.split(','));
    expect(answer.headers.get('vary')).toContain('Origin');
    expect(pair.upstream.requests).toHaveLength(0);
  });

  it.each([
    ['https://evil.example'],
    ['null'],
    ['https://app.example.com.evil.example'],
    ['http://app.example.com'],
    ['https://app.example.com:8443'],
    ['https://APP.example.com/'],
    ['app.example.com'],
  ])('on pages of %s are kept out', async (origin) => {
    const pair = await start(() => jsonReply(ANSWERED), config);
    const fields = [...FIELDS, `Origin: ${origin}`];
    const posted = await sendRaw(pair.gateway.port, rawRequest('POST /mcp', fields, BODY));
    const asked = await sendRaw(
      pair.gateway.port,
      rawRequest('OPTIONS /mcp', [`Origin: ${origin}`, 'Access-Control-Request-Method: POST']),
    );
    expect([posted.status, asked.status, pair.upstream.requests.length]).toEqual([403, 403, 0]);
    expect(posted.one('access-control-allow-origin')).toBeUndefined();
    expect(posted.json().error).not.toHaveProperty('id');
  });

  it('and clients that are none both get their answer', async () => {
    const pair = await start(() => jsonReply(ANSWERED), config);
    const plain = await callTool(pair.url, 'book');
    expect([plain.status, plain.headers.get('access-control-allow-origin')]).toEqual([200, null]);
    const paged = await callTool(pair.url, 'book', {}, { headers: { origin: APP } });
    expect([paged.status, paged.headers.get('access-control-allow-origin')]).toEqual([200, APP]);
    expect(paged.headers.get('access-control-expose-headers')).toMatch(/MCP-Protocol-Version/i);
  });
});

describe('verbs and paths', () => {
  it.each(['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH'])(
    '%s on the MCP path is answered with 405 and Allow',
    async (method) => {
      const pair = await start(() => jsonReply(ANSWERED));
      const answer = await fetch(pair.url, { method });
      expect([answer.status, answer.headers.get('allow'), pair.upstream.requests.length]).toEqual([
        405,
        'POST, OPTIONS',
        0,
      ]);
    },
  );

  it('a query changes nothing about the path, and does not go along', async () => {
    const pair = await start(() => jsonReply(ANSWERED));
    expect((await callTool(`${pair.url}?x=1`, 'book')).message).toEqual(ANSWERED);
    expect((await pair.upstream.request(0)).target).toBe('/mcp');
  });

  it.each([
    '/mcp/',
    '/mcp/?x=1',
    '/MCP',
    '//mcp',
    '/%6dcp',
    '/mcp%2f',
    '/x/../mcp',
    '/mcp;v=1',
    '/mcp//',
    '/./mcp',
    '/mcp/sub',
    '/%256dcp',
  ])('%s is neither served, nor redirected, nor passed on', async (path) => {
    const pair = await start(() => jsonReply(ANSWERED), { route: { passThrough: ['/x/'] } });
    for (const verb of ['POST', 'GET']) {
      const answer = await sendRaw(
        pair.gateway.port,
        rawRequest(`${verb} ${path}`, FIELDS, verb === 'POST' ? BODY : ''),
      );
      expect([verb, answer.status, answer.one('location')]).toEqual([verb, 404, undefined]);
    }
    expect(pair.upstream.requests).toHaveLength(0);
  });

  it('a session of an earlier revision is neither sent on nor handed back', async () => {
    const reply = {
      headers: { 'content-type': 'application/json', 'mcp-session-id': 'theirs' },
      body: JSON.stringify(ANSWERED),
    };
    const answer = await exchange({ headers: { 'mcp-session-id': 'abc' }, reply });
    expect([answer.status, answer.headers.get('mcp-session-id')]).toEqual([200, null]);
    expect(answer.requests[0]?.headers).not.toHaveProperty('mcp-session-id');
  });

  it.each([301, 302, 303, 307, 308])(
    'a redirect of the server (%i) is neither followed nor passed',
    async (status) => {
      const reply = {
        status,
        headers: { location: '/elsewhere', 'content-type': 'application/json' },
        body: JSON.stringify(resultOf({})),
      };
      const answer = await exchange({ reply });
      expect([answer.status, answer.message.id, answer.message.error.code]).toEqual([502, 1, -32603]);
      expect([answer.headers.get('location'), answer.requests.length]).toEqual([null, 1]);
    },
  );
});
