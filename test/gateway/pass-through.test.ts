import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startGateway, startPair } from '../support/pair.js';
import { rawRequest, sendRaw } from '../support/raw.js';
import { type Connection, jsonAnswer, startRawUpstream } from '../support/raw-upstream.js';
import { gate, type UpstreamRequest } from '../support/upstream.js';

const METADATA = '/.well-known/oauth-protected-resource';
const DOCS = { passThrough: ['/docs/', '/logo.svg', '/mcp/health'] };

function echo({ method, target }: UpstreamRequest) {
  return { headers: { 'content-type': 'text/plain' }, body: `${method} ${target}` };
}

function fieldOf({ rawHeaders }: UpstreamRequest, name: string): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}

describe('the metadata of the protected resource', () => {
  it.each([
    ['/mcp', '', `${METADATA}/mcp`, `${METADATA}/mcp`],
    ['/teams/a', '', `${METADATA}/teams/a`, `${METADATA}/mcp`],
    ['/', '', METADATA, `${METADATA}/mcp`],
    ['/mcp', '/', `${METADATA}/mcp`, METADATA],
    ['/mcp', '/deep/mcp', `${METADATA}/mcp`, `${METADATA}/deep/mcp`],
  ])('of a route at %s to an upstream at %j', async (path, upstreamPath, asked, reached) => {
    const { upstream } = await startPair(echo);
    const gateway = await startGateway(upstreamPath === '' ? upstream.url : upstream.origin + upstreamPath, {
      route: { path },
    });
    const answer = await sendRaw(gateway.port, rawRequest(`GET ${asked}?x=%2f&&y`));
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(`GET ${reached}?x=%2f&&y`);
  });

  it('is not that of another path', async () => {
    const { gateway, upstream } = await startPair(echo, { route: { path: '/teams/a' } });
    for (const path of [
      METADATA,
      `${METADATA}/mcp`,
      `${METADATA}/teams`,
      `${METADATA}/teams/a/`,
      `${METADATA}//teams/a`,
    ])
      expect((await sendRaw(gateway.port, rawRequest(`GET ${path}`))).status).toBe(404);
    expect(upstream.requests).toEqual([]);
  });
});

describe('a configured path', () => {
  it.each([
    '/docs/',
    '/docs/a',
    '/docs/a/b.html?q=1',
    '/docs//a///b',
    '/docs/a?x=../y&z=%00%zz&&=',
    '/docs/%41%2f%20;v=1',
    '/docs/a?next=http://[::1/',
    '/docs/a/mcp',
    '/docs/...',
    '/logo.svg?v=2',
    '/mcp/health',
    '/mcp/health?deep',
  ])('passes as it was written: %s', async (target) => {
    const { gateway, upstream } = await startPair(echo, { route: DOCS });
    for (const method of ['GET', 'HEAD']) {
      const answer = await sendRaw(gateway.port, rawRequest(`${method} ${target}`));
      expect(answer.status).toBe(200);
      if (method === 'GET') expect(answer.body).toEqual(Buffer.from(`GET ${target}`));
      else expect(answer.text).toBe('');
    }
    expect(upstream.requests.map((request) => request.target)).toEqual([target, target]);
    expect(upstream.requests[0]?.headers.host).toBe(upstream.origin.slice('http://'.length));
  });

  it.each([
    '/docs',
    '/docs%2f',
    '/Docs/a',
    '/%64ocs/a',
    '/docs/..',
    '/docs/../admin',
    '/docs/a/../../admin',
    '/docs/%2e%2e/admin',
    '/docs/%252e%252e/admin',
    '/docs/..%2fadmin',
    '/docs/..%5cadmin',
    '/docs/..;x/admin',
    '/docs/a%2fb/../../mcp',
    '/docs/a%5cb/../../mcp',
    '/docs/a%252fb/../../mcp',
    '/docs/a/..',
    '/docs/./a',
    '/logo.svg/',
    '/logo.svg/x',
    '/LOGO.svg',
    '//logo.svg',
    '/mcp/health/',
    '/mcp/health/x',
    '/mcp/healthy',
    '/MCP/health',
  ])('does not pass as another one: %s', async (target) => {
    const { gateway, upstream } = await startPair(echo, { route: DOCS });
    const answer = await sendRaw(gateway.port, rawRequest(`GET ${target}`));
    expect(answer.status).toBe(404);
    expect(upstream.requests).toEqual([]);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])(
    'is read only: %s',
    async (method) => {
      const { gateway, upstream } = await startPair(echo, { route: DOCS });
      for (const target of ['/docs/a', '/logo.svg', `${METADATA}/mcp`]) {
        const answer = await sendRaw(gateway.port, rawRequest(`${method} ${target}`, [], 'body'));
        expect(answer.status).toBe(405);
        expect(answer.one('allow')).toBe('GET, HEAD');
        expect(answer.json().error.code).toBe(-32600);
      }
      expect(upstream.requests).toEqual([]);
    },
  );

  it('belongs to its own route', async () => {
    const one = await startPair(echo, { route: DOCS });
    const other = await startPair(echo);
    const gateway = await startGateway(one.upstream.url, {
      route: { passThrough: ['/one/'] },
      routes: [
        { path: '/other', upstream: other.upstream.url, passThrough: ['/other-docs/', '/one/exception'] },
      ],
    });
    for (const target of [
      '/one/a',
      '/other-docs/a',
      '/one/exception',
      `${METADATA}/other`,
      `${METADATA}/mcp`,
    ])
      expect((await sendRaw(gateway.port, rawRequest(`GET ${target}`))).status).toBe(200);
    expect(one.upstream.requests.map(({ target }) => target)).toEqual(['/one/a', `${METADATA}/mcp`]);
    expect(other.upstream.requests.map(({ target }) => target)).toEqual([
      '/other-docs/a',
      '/one/exception',
      `${METADATA}/mcp`,
    ]);
  });
});

describe('what is passed through', () => {
  it('keeps its bytes, status, coding, length and cookies', async () => {
    const body = gzipSync('{"a": 1.0, "a": 2}');
    const { gateway } = await startPair(
      () => ({
        status: 206,
        headers: [
          ['Content-Type', 'application/octet-stream'],
          ['Content-Encoding', 'gzip'],
          ['Content-Length', String(body.length)],
          ['Content-Range', `bytes 0-${body.length - 1}/999`],
          ['ETag', 'W/"1"'],
          ['Content-Digest', 'sha-256=:x:'],
          ['Set-Cookie', 'a=1'],
          ['Set-Cookie', 'b=2'],
        ].flat(),
        body,
      }),
      { route: DOCS },
    );
    const answer = await sendRaw(
      gateway.port,
      rawRequest('GET /docs/a', ['Range: bytes=0-9', 'Accept-Encoding: gzip', 'If-None-Match: "x"']),
    );
    expect(answer.status).toBe(206);
    expect(answer.body).toEqual(body);
    expect(answer.one('content-encoding')).toBe('gzip');
    expect(answer.all('content-length')).toEqual([String(body.length)]);
    expect(answer.one('content-range')).toBe(`bytes 0-${body.length - 1}/999`);
    expect(answer.one('etag')).toBe('W/"1"');
    expect(answer.one('content-digest')).toBe('sha-256=:x:');
    expect(answer.all('set-cookie')).toEqual(['a=1', 'b=2']);
    expect(answer.all('vary')).toEqual(['Origin']);
  });

  it('takes the fields of its request along, and no other', async () => {
    const { gateway, upstream } = await startPair(echo, { route: DOCS });
    await sendRaw(
      gateway.port,
      rawRequest('GET /docs/a', [
        'Range: bytes=0-9',
        'Accept-Encoding: gzip, br;q=0.5',
        'Authorization: Bearer token',
        'X-Twice: 1',
        'x-twice: 2',
        'X-Secret: hop',
        'Connection: close, X-Secret',
        'Expect: 100-continue',
        'Forwarded: for=1.2.3.4',
        'X-Original-URL: /mcp',
        'X-Forwarded-For: 1.2.3.4',
      ]),
    );
    const request = await upstream.request(0);
    expect(request.headers).toMatchObject({
      range: 'bytes=0-9',
      'accept-encoding': 'gzip, br;q=0.5',
      authorization: 'Bearer token',
      via: '1.1 mrtr-gateway',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': '127.0.0.1',
    });
    expect(fieldOf(request, 'x-twice')).toEqual(['1', '2']);
    for (const name of [
      'x-original-url',
      'x-secret',
      'expect',
      'forwarded',
      'accept',
      'content-length',
      'transfer-encoding',
    ])
      expect(fieldOf(request, name)).toEqual([]);
    expect(fieldOf(request, 'host')).toHaveLength(1);
  });

  it('goes with the fields of the configuration instead of the client’s', async () => {
    const upstream = await startPair(echo);
    const gateway = await startGateway(upstream.upstream.url, {
      route: {
        ...DOCS,
        upstream: {
          url: upstream.upstream.url,
          headers: { Authorization: 'Bearer own', Host: 'ze.internal' },
        },
      },
    });
    await sendRaw(gateway.port, rawRequest('GET /docs/a', ['Authorization: Bearer client', 'X-Value: host']));
    const request = await upstream.upstream.request(0);
    expect(fieldOf(request, 'authorization')).toEqual(['Bearer own']);
    expect(fieldOf(request, 'host')).toEqual(['ze.internal']);
  });

  it('leaves a body behind', async () => {
    const { gateway, upstream } = await startPair(echo, { route: DOCS });
    const answer = await sendRaw(
      gateway.port,
      rawRequest('GET /docs/a', ['Content-Type: text/plain'], '{"requestState":"x"}'),
    );
    expect(answer.status).toBe(200);
    const request = await upstream.request(0);
    expect(request.text).toBe('');
    expect(fieldOf(request, 'content-length')).toEqual([]);
  });

  it.each([204, 301, 304, 401, 404, 500])('keeps status %i', async (status) => {
    const { gateway } = await startPair(
      () => ({
        status,
        headers: { location: 'https://elsewhere.example/', 'www-authenticate': 'Bearer', 'x-kept': 'yes' },
      }),
      { route: DOCS },
    );
    const answer = await sendRaw(gateway.port, rawRequest('GET /docs/a'));
    expect(answer.status).toBe(status);
    expect(answer.one('location')).toBe('https://elsewhere.example/');
    expect(answer.one('www-authenticate')).toBe('Bearer');
    expect(answer.one('x-kept')).toBe('yes');
  });

  it('loses the fields that end at a proxy, and what the upstream says about origins', async () => {
    const { gateway } = await startPair(
      () => ({
        headers: [
          ['Connection', 'close, X-Hop'],
          ['X-Hop', '1'],
          ['Keep-Alive', 'timeout=5'],
          ['Access-Control-Allow-Origin', '*'],
          ['Via', '1.1 before'],
          ['X-Odd', 'caf\u00e9'],
        ].flat(),
        body: 'ok',
      }),
      { route: DOCS },
    );
    const answer = await sendRaw(gateway.port, rawRequest('GET /docs/a', ['Origin: http://localhost:3000']));
    for (const name of ['x-hop', 'keep-alive']) expect(answer.one(name)).toBeUndefined();
    expect(answer.all('access-control-allow-origin')).toEqual(['http://localhost:3000']);
    expect(answer.all('via')).toEqual(['1.1 before', '1.1 mrtr-gateway']);
    expect(answer.all('vary')).toEqual(['Origin']);
    expect(answer.one('x-odd')).toBe('caf\u00e9');
  });
});

describe('a passed-through exchange', () => {
  it('ends at the upstream when the client leaves, before the answer and in the middle of it', async () => {
    const { gateway, upstream } = await startPair(undefined, { route: DOCS });
    const leave = new AbortController();
    const answer = fetch(`${gateway.origin}/docs/a`, { signal: leave.signal }).catch(() => 'left');
    const before = await upstream.request(0);
    leave.abort();
    await before.aborted;
    expect(await answer).toBe('left');

    upstream.answer(() => ({ body: ['part'], after: 'stay-open' }));
    const leaveLater = new AbortController();
    await fetch(`${gateway.origin}/docs/a`, { signal: leaveLater.signal });
    leaveLater.abort();
    await (await upstream.request(1)).aborted;
  });

  it('comes piece by piece', async () => {
    const second = gate();
    const { gateway } = await startPair(() => ({ body: ['one', second.opened, 'two'] }), { route: DOCS });
    const answer = await fetch(`${gateway.origin}/docs/a`);
    const reader = (answer.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toBe('one');
    second.open();
    expect((await reader.read()).value).toBe('two');
    expect((await reader.read()).done).toBe(true);
  });

  it('is answered in JSON when the upstream cannot be had', async () => {
    const { gateway, upstream } = await startPair(echo, { route: DOCS });
    await upstream.close();
    const answer = await sendRaw(gateway.port, rawRequest('GET /docs/a', ['Origin: http://localhost:1']));
    expect(answer.status).toBe(502);
    expect(answer.json()).toEqual({
      jsonrpc: '2.0',
      error: { code: -32603, message: 'the upstream cannot be reached' },
    });
    expect(answer.one('access-control-allow-origin')).toBe('http://localhost:1');
  });

  it.each([
    ['closes the connection unanswered', { raw: '' }],
    ['does not speak HTTP', { raw: 'SSH-2.0-x\r\n\r\n' }],
  ])('is answered in JSON when the upstream %s', async (_, reply) => {
    const { gateway } = await startPair(() => reply, { route: DOCS });
    const answer = await sendRaw(gateway.port, rawRequest('GET /docs/a'));
    expect(answer.status).toBe(502);
    expect(answer.json().error.code).toBe(-32603);
  });

  it('is answered in JSON when the upstream stays silent', async () => {
    const { gateway, upstream } = await startPair(undefined, { route: DOCS, timeouts: { bodyIdleMs: 50 } });
    const answer = await sendRaw(gateway.port, rawRequest('GET /docs/a'));
    expect(answer.status).toBe(504);
    expect(answer.json().error.message).toBe('the upstream did not answer in time');
    await (await upstream.request(0)).aborted;
  });

  it('is cut, not ended, when the upstream breaks off', async () => {
    const { gateway } = await startPair(
      () => ({ headers: { 'content-length': '100' }, body: ['part'], after: 'destroy' }),
      { route: DOCS },
    );
    await expect(fetch(`${gateway.origin}/docs/a`).then((answer) => answer.text())).rejects.toThrow();
    const chunked = await startPair(() => ({ body: ['part'], after: 'destroy' }), { route: DOCS });
    await expect(fetch(`${chunked.gateway.origin}/docs/a`).then((answer) => answer.text())).rejects.toThrow();
  });

  it('knows its own among many at once', async () => {
    const { gateway } = await startPair(echo, { route: DOCS });
    const targets = Array.from({ length: 40 }, (_, n) => `/docs/${n}`);
    const answers = await Promise.all(
      targets.map((target) => sendRaw(gateway.port, rawRequest(`GET ${target}`))),
    );
    expect(answers.map(({ text }) => text)).toEqual(targets.map((target) => `GET ${target}`));
  });

  it('is refused to a foreign origin', async () => {
    const { gateway, upstream } = await startPair(echo, { route: DOCS });
    for (const target of ['/docs/a', `${METADATA}/mcp`]) {
      const answer = await sendRaw(
        gateway.port,
        rawRequest(`GET ${target}`, ['Origin: https://evil.example']),
      );
      expect(answer.status).toBe(403);
    }
    expect(upstream.requests).toEqual([]);
  });
});

describe('a kept connection to the upstream', () => {
  async function startForgetful(second: (connection: Connection) => unknown) {
    const upstream = await startRawUpstream(async (connection) => {
      await connection.request();
      await connection.send(jsonAnswer('{}'));
      await connection.request();
      await second(connection);
    });
    onTestFinished(() => upstream.stop());
    const { port } = await startGateway(upstream.url, { route: DOCS });
    const ask = async () => (await sendRaw(port, rawRequest('GET /docs/'))).status;
    return { upstream, ask };
  }

  it.each<readonly [string, (connection: Connection) => unknown]>([
    ['closed', ({ socket }) => socket.end()],
    ['reset', ({ socket }) => socket.resetAndDestroy()],
  ])('that is %s as the next request comes costs that request nothing', async (_, second) => {
    const { upstream, ask } = await startForgetful(second);
    expect([await ask(), await ask()]).toEqual([200, 200]);
    expect(upstream.connections).toHaveLength(2);
  });

  it('that breaks in the middle of an answer does not have it sent for again', async () => {
    const { upstream, ask } = await startForgetful(async ({ send, socket }) => {
      await send('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{');
      socket.resetAndDestroy();
    });
    expect(await ask()).toBe(200);
    await ask().catch(() => undefined);
    expect(upstream.connections).toHaveLength(1);
  });
});
