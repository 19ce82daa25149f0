import { describe, expect, it } from 'vitest';
import { requestHeaders, requestText } from '../support/client.js';
import { startPair } from '../support/pair.js';
import { rawRequest, sendRaw } from '../support/raw.js';
import { jsonReply, resultReply } from '../support/upstream.js';

/** A conforming call, but for its target. */
function call(target: string, method = 'POST'): Buffer {
  const fields = Object.entries(requestHeaders('tools/list')).map(([name, value]) => `${name}: ${value}`);
  return method === 'POST'
    ? rawRequest(`POST ${target}`, fields, requestText('tools/list'))
    : rawRequest(`${method} ${target}`, fields);
}

const DISGUISES = [
  '/mcp/',
  '/MCP',
  '/Mcp',
  '//mcp',
  '///mcp//',
  '/\\mcp',
  '\\mcp',
  '/%6dcp',
  '/%6Dcp',
  '/%256dcp',
  '/%25256dcp',
  '/mc%70?x=1',
  '/mcp;x',
  '/mcp;jsessionid=1',
  '/;x/mcp',
  '/mcp%3bx',
  '/./mcp',
  '/mcp/.',
  '/a/../mcp',
  '/a/%2e%2e/mcp',
  '/a/%252e%252e/mcp',
  '/a/..;x/mcp',
  '/a/..%2fmcp',
  '/%2fmcp',
  '/%5cmcp',
  '/mcp%2f',
  '/mcp/sub',
  '/mcp/sub?x',
  '/mcp#fragment',
  '/mcp?x#fragment',
  '#/mcp',
  'mcp',
  '*',
];

describe('the MCP path', () => {
  it.each(['/mcp', '/mcp?', '/mcp?x=/../y', '/mcp?%6d', '/mcp?a=1&a=2;b'])(
    'is matched exactly, whatever the query: %s',
    async (target) => {
      const { gateway, upstream } = await startPair((request) =>
        resultReply(request, { resultType: 'complete', tools: [], ttlMs: 0, cacheScope: 'private' }),
      );
      const answer = await sendRaw(gateway.port, call(target));
      expect(answer.status).toBe(200);
      expect(upstream.requests.map(({ target }) => target)).toEqual(['/mcp']);
    },
  );

  it.each(DISGUISES)('is not reached by another spelling: %s', async (target) => {
    const { gateway, upstream } = await startPair(() => jsonReply({}));
    for (const method of ['POST', 'GET', 'DELETE', 'OPTIONS']) {
      const answer = await sendRaw(gateway.port, call(target, method));
      expect([400, 404]).toContain(answer.status);
      if (answer.status === 404)
        expect(answer.json()).toEqual({ jsonrpc: '2.0', error: { code: -32600, message: 'not found' } });
    }
    expect(upstream.requests).toEqual([]);
  });

  it.each(['http', 'HTTP', 'https', 'ftp'])(
    'is not reached by an absolute-form target: %s',
    async (scheme) => {
      const { gateway, upstream } = await startPair(() => jsonReply({}));
      const target = `${scheme}://127.0.0.1:${gateway.port}/mcp`;
      for (const method of ['POST', 'GET']) {
        expect([400, 404]).toContain((await sendRaw(gateway.port, call(target, method))).status);
      }
      expect(upstream.requests).toEqual([]);
    },
  );

  it.each(DISGUISES.filter((target) => target.startsWith('/')))(
    'is not reached by another spelling under a pass-through prefix: /api%s',
    async (target) => {
      const { gateway, upstream } = await startPair(() => jsonReply({}), {
        route: { path: '/api/v1/mcp', passThrough: ['/docs/'] },
      });
      for (const spelt of [
        `/docs/../api/v1${target}`,
        `/docs/%2e%2e/api/v1${target}`,
        `/docs/..;/api/v1${target}`,
      ]) {
        for (const method of ['POST', 'GET', 'HEAD'])
          expect([400, 404]).toContain((await sendRaw(gateway.port, call(spelt, method))).status);
      }
      expect(upstream.requests).toEqual([]);
    },
  );
});

describe("the upstream's MCP path", () => {
  it('is where messages of another path go, and is itself refused in every spelling', async () => {
    const { gateway, upstream } = await startPair(
      (request) =>
        resultReply(request, { resultType: 'complete', tools: [], ttlMs: 0, cacheScope: 'private' }),
      {
        route: { path: '/teams/a' },
      },
    );
    expect((await sendRaw(gateway.port, call('/teams/a?x'))).status).toBe(200);
    for (const target of ['/mcp', '/mcp/', '/MCP', '//mcp', '/%6dcp', '/mcp;x', '/x/../mcp', '/mcp/sub']) {
      expect((await sendRaw(gateway.port, call(target))).status).toBe(404);
      expect((await sendRaw(gateway.port, call(target, 'GET'))).status).toBe(404);
    }
    expect(upstream.requests.map(({ target }) => target)).toEqual(['/mcp']);
  });

  it('keeps its own query', async () => {
    const upstream = await startPair((request) =>
      resultReply(request, { resultType: 'complete', tools: [], ttlMs: 0, cacheScope: 'private' }),
    );
    const { gateway } = await startPair(undefined, {
      route: { upstream: `${upstream.upstream.url}?tenant=a%2Fb` },
    });
    expect((await sendRaw(gateway.port, call('/mcp?mine=1'))).status).toBe(200);
    expect(upstream.upstream.requests[0]?.target).toBe('/mcp?tenant=a%2Fb');
  });
});

describe('a path that is nobody’s', () => {
  it.each(['/', '/favicon.ico', '/metrics', '/healthz', '/mcpx', '/mcp.json', '/.well-known/x'])(
    'is not found: %s',
    async (target) => {
      const { gateway, upstream } = await startPair(() => jsonReply({}));
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS', 'TRACE']) {
        const answer = await sendRaw(gateway.port, rawRequest(`${method} ${target}`));
        expect(answer.status).toBe(404);
        expect(answer.one('content-type')).toBe('application/json');
      }
      expect(upstream.requests).toEqual([]);
    },
  );
});

describe('a request for something other than an answer', () => {
  it.each([
    [
      'a WebSocket',
      ['Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Key: x', 'Sec-WebSocket-Version: 13'],
    ],
    ['an unknown protocol', ['Upgrade: foo/1', 'Connection: Upgrade, close']],
  ])('is refused when it asks to become %s', async (_, fields) => {
    const { gateway, upstream } = await startPair(() => jsonReply({}), {
      route: { passThrough: ['/docs/'] },
    });
    for (const target of ['/mcp', '/docs/a', '/.well-known/oauth-protected-resource/mcp']) {
      const answer = await sendRaw(
        gateway.port,
        rawRequest(`GET ${target}`, [...fields, 'Connection: close']),
      );
      expect(answer.status).toBe(404);
    }
    expect(upstream.requests).toEqual([]);
  });

  it('is refused when it asks for a tunnel', async () => {
    const { gateway, upstream } = await startPair(() => jsonReply({}));
    const target = upstream.origin.slice('http://'.length);
    await expect(sendRaw(gateway.port, rawRequest(`CONNECT ${target}`))).rejects.toThrow();
    expect(upstream.requests).toEqual([]);
  });

  it('is refused when it asks for a loopback of itself', async () => {
    const { gateway, upstream } = await startPair(() => jsonReply({}), {
      route: { passThrough: ['/docs/'] },
    });
    for (const target of ['/mcp', '/docs/a']) {
      const answer = await sendRaw(
        gateway.port,
        rawRequest(`TRACE ${target}`, ['Authorization: Bearer canary']),
      );
      expect(answer.status).toBe(405);
      expect(answer.text).not.toContain('canary');
    }
    expect(upstream.requests).toEqual([]);
  });
});
