import { describe, expect, it } from 'vitest';
import { call, post, requestHeaders, requestText } from '../support/client.js';
import { type GatewayConfig, startPair } from '../support/pair.js';
import { rawRequest, sendRaw } from '../support/raw.js';
import { type ReplyFunction, resultReply } from '../support/upstream.js';

const ORIGIN = 'http://localhost:3000';
const METADATA = '/.well-known/oauth-protected-resource/mcp';
const EXPOSED = 'WWW-Authenticate, MCP-Protocol-Version, Mcp-Session-Id, Retry-After';

const empty: ReplyFunction = (request) => resultReply(request, { resultType: 'complete', completion: {} });

function pair(config: GatewayConfig = {}, reply: ReplyFunction = empty) {
  return startPair(reply, config);
}

function preflight(target: string, fields: readonly string[] = []): Buffer {
  return rawRequest(`OPTIONS ${target}`, ['Access-Control-Request-Method: POST', ...fields]);
}

describe('a preflight on the MCP path', () => {
  it('is answered for an allowed origin with the names that it asks for', async () => {
    const { gateway, upstream } = await pair();
    const requested = 'content-type, mcp-method, x-anything';
    const answer = await sendRaw(
      gateway.port,
      preflight('/mcp?x', [`Origin: ${ORIGIN}`, `Access-Control-Request-Headers: ${requested}`]),
    );
    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
    expect(answer.one('access-control-allow-origin')).toBe(ORIGIN);
    expect(answer.one('access-control-allow-headers')).toBe(requested);
    expect(answer.one('access-control-allow-methods')).toBe('POST, OPTIONS');
    expect(answer.one('vary')).toBe('Origin, Access-Control-Request-Headers');
    expect(answer.one('content-length')).toBeUndefined();
    expect(upstream.requests).toEqual([]);
  });

  it('allows what clients of earlier revisions need where the route lets them through', async () => {
    const { gateway } = await pair({ route: { legacy: 'pass' } });
    const answer = await sendRaw(gateway.port, preflight('/mcp', [`Origin: ${ORIGIN}`]));
    expect(answer.one('access-control-allow-methods')).toBe('POST, OPTIONS, GET, DELETE');
    expect((await sendRaw(gateway.port, rawRequest('PUT /mcp'))).one('allow')).toBe(
      'POST, OPTIONS, GET, DELETE',
    );
  });

  it('names no fields when it asks for none', async () => {
    const { gateway } = await pair();
    const answer = await sendRaw(gateway.port, preflight('/mcp', [`Origin: ${ORIGIN}`]));
    expect(answer.status).toBe(204);
    expect(answer.one('access-control-allow-headers')).toBeUndefined();
  });

  it.each([
    ['a foreign origin', ['Origin: https://evil.example']],
    ['the origin null', ['Origin: null']],
    ['two origins', [`Origin: ${ORIGIN}`, `Origin: ${ORIGIN}`]],
    ['a name that was made to point here', [`Origin: ${ORIGIN}`, 'Host: rebound.example']],
  ])('is forbidden from %s', async (_, fields) => {
    const { gateway } = await pair();
    const answer = await sendRaw(gateway.port, preflight('/mcp', fields));
    expect(answer.status).toBe(403);
    expect(answer.fields.filter(([name]) => name.startsWith('access-control-'))).toEqual([]);
  });

  it.each([
    ['from nobody’s page', preflight('/mcp')],
    ['about no method', rawRequest('OPTIONS /mcp', [`Origin: ${ORIGIN}`])],
  ])('is none %s', async (_, request) => {
    const { gateway } = await pair();
    const answer = await sendRaw(gateway.port, request);
    expect(answer.status).toBe(405);
    expect(answer.one('allow')).toBe('POST, OPTIONS');
  });
});

describe('a method that the MCP path has not', () => {
  it.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'])(
    'is refused: %s',
    async (method) => {
      const { gateway, upstream } = await pair();
      const answer = await sendRaw(gateway.port, rawRequest(`${method} /mcp`, [`Origin: ${ORIGIN}`]));
      expect(answer.status).toBe(405);
      expect(answer.one('allow')).toBe('POST, OPTIONS');
      expect(answer.one('content-type')).toBe('application/json');
      expect(answer.one('access-control-allow-origin')).toBe(ORIGIN);
      if (method !== 'HEAD')
        expect(answer.json()).toEqual({
          jsonrpc: '2.0',
          error: { code: -32600, message: 'method not allowed' },
        });
      expect(upstream.requests).toEqual([]);
    },
  );
});

const LOOPBACK = [
  'http://localhost',
  'http://localhost:8080',
  'https://127.0.0.1:1',
  'http://[::1]:3000',
  'http://app.localhost',
];
const FOREIGN = [
  'null',
  'https://evil.example',
  'http://localhost.evil.example',
  'http://127.0.0.1.evil.example',
  'file://',
  'http://user@localhost',
  'http://localhost/',
  'chrome-extension://x',
  '',
  ' ',
];

describe('the origin of a page', () => {
  it.each(LOOPBACK)('is welcome on a loopback listener: %s', async (origin) => {
    const { url } = await pair();
    const answer = await call(url, 'completion/complete', { headers: { origin } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
    expect(answer.headers.get('access-control-expose-headers')).toBe(EXPOSED);
    expect(answer.headers.get('vary')).toBe('Origin');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it.each(FOREIGN)('is refused on every path before anything else: %j', async (origin) => {
    const { gateway, upstream } = await pair();
    for (const target of [
      'POST /mcp',
      'GET /mcp',
      'GET /nowhere',
      `GET ${METADATA}`,
      `PUT ${METADATA}`,
      'POST /mcp/',
    ]) {
      const answer = await sendRaw(gateway.port, rawRequest(target, [`Origin: ${origin}`], 'x'));
      expect(answer.status).toBe(403);
      expect(answer.json()).toEqual({
        jsonrpc: '2.0',
        error: {
          code: -32600,
          message: 'Forbidden: the Origin header names no allowed origin',
          data: {
            rule: 'origin-allowed',
            spec: 'https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#security--endpoint',
          },
        },
      });
      expect(answer.fields.filter(([name]) => name.startsWith('access-control-'))).toEqual([]);
    }
    expect(upstream.requests).toEqual([]);
  });

  it('is refused when it stands twice', async () => {
    const { gateway } = await pair();
    const twice = rawRequest('POST /mcp', [`Origin: ${ORIGIN}`, `Origin: ${ORIGIN}`], 'x');
    expect((await sendRaw(gateway.port, twice)).status).toBe(403);
  });

  it('is welcome when the configuration names it, and off loopback only then', async () => {
    const keys = {
      listen: '0.0.0.0:9719',
      publicUrl: 'https://mcp.example.com',
      allowedOrigins: ['https://app.example.com'],
      allowedHosts: ['127.0.0.1'],
    };
    const { url } = await pair(keys);
    for (const [origin, status] of [
      ['https://app.example.com', 200],
      ['https://mcp.example.com', 200],
      ['http://localhost:3000', 403],
      ['http://app.example.com', 403],
      ['https://app.example.com:444', 403],
      [undefined, 200],
    ] as const) {
      const answer = await call(url, 'completion/complete', { headers: { origin } });
      expect([origin, answer.status]).toEqual([origin, status]);
    }
  });
});

describe('the host that a request names', () => {
  it.each([
    ['127.0.0.1', 200],
    ['127.0.0.1:9719', 200],
    ['localhost:1', 200],
    ['LOCALHOST', 200],
    ['[::1]:80', 200],
    ['rebound.example', 403],
    ['rebound.example:9719', 403],
    ['127.0.0.1.rebound.example', 403],
    ['localhost@rebound.example', 403],
    ['localhost, rebound.example', 403],
    ['', 403],
  ])('is judged on a loopback listener: %j', async (host, status) => {
    const { gateway, upstream } = await pair();
    const fields = Object.entries(requestHeaders('completion/complete')).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const answer = await sendRaw(
      gateway.port,
      rawRequest('POST /mcp', [`Host: ${host}`, ...fields], requestText('completion/complete')),
    );
    expect(answer.status).toBe(status);
    expect(upstream.requests).toHaveLength(status === 200 ? 1 : 0);
    for (const target of [`GET ${METADATA}`, 'GET /nowhere', 'GET /mcp']) {
      const other = await sendRaw(gateway.port, rawRequest(target, [`Host: ${host}`]));
      expect(other.status === 403).toBe(status === 403);
    }
  });

  it('never vouches for an origin', async () => {
    const { gateway } = await pair();
    const fields = ['Origin: http://rebound.example', 'Host: rebound.example'];
    expect((await sendRaw(gateway.port, rawRequest('POST /mcp', fields, 'x'))).status).toBe(403);
  });

  it('is judged off loopback once the configuration names hosts', async () => {
    const open = await pair({ listen: '0.0.0.0:9719' });
    const closed = await pair({
      listen: '0.0.0.0:9719',
      allowedHosts: ['mcp.example.com:8443', 'other.example'],
    });
    for (const [host, opened, status] of [
      ['anything.example', 404, 403],
      ['mcp.example.com:8443', 404, 404],
      ['mcp.example.com', 404, 403],
      ['other.example:1', 404, 404],
      ['127.0.0.1', 404, 403],
    ] as const) {
      const request = rawRequest('GET /nowhere', [`Host: ${host}`]);
      expect((await sendRaw(open.gateway.port, request)).status).toBe(opened);
      expect((await sendRaw(closed.gateway.port, request)).status).toBe(status);
    }
  });
});

describe('CORS fields', () => {
  it('stand on every refusal to an allowed origin, so that its page can read why', async () => {
    const { url } = await pair();
    const headers = { ...requestHeaders('completion/complete'), origin: ORIGIN };
    for (const [body, more, status] of [
      ['{', {}, 400],
      [requestText('completion/complete'), { 'content-type': 'text/plain' }, 415],
      [requestText('completion/complete'), { 'mcp-method': 'other' }, 400],
    ] as const) {
      const answer = await post(url, body, { ...headers, ...more });
      expect(answer.status).toBe(status);
      expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN);
      expect(answer.headers.get('access-control-expose-headers')).toBe(EXPOSED);
    }
  });

  it('stand on refusals of answers and on the absence of the upstream', async () => {
    const { url, upstream } = await pair({}, () => ({ status: 302, headers: { location: '/' } }));
    const options = { headers: { origin: ORIGIN } };
    expect((await call(url, 'completion/complete', options)).headers.get('access-control-allow-origin')).toBe(
      ORIGIN,
    );
    await upstream.close();
    expect((await call(url, 'completion/complete', options)).headers.get('access-control-allow-origin')).toBe(
      ORIGIN,
    );
  });

  it('of the upstream are replaced, also where the client is no page', async () => {
    const { url } = await pair({}, (request) => ({
      ...empty(request, 0),
      headers: {
        'content-type': 'application/json',
        'access-control-allow-origin': '*',
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': 'x-secret',
        vary: 'Accept',
      },
    }));
    const paged = await call(url, 'completion/complete', { headers: { origin: ORIGIN } });
    expect(paged.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(paged.headers.get('access-control-allow-credentials')).toBeNull();
    expect(paged.headers.get('access-control-expose-headers')).toBe(EXPOSED);
    expect(paged.headers.get('vary')).toBe('Accept, Origin');
    const plain = await call(url, 'completion/complete');
    expect([...plain.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  it('vouch for no origin that was not judged, however full the gateway is', async () => {
    const { url, upstream } = await pair({ limits: { exchanges: 1 } }, () => ({ never: true }));
    const held = new AbortController();
    const holding = call(url, 'completion/complete', { signal: held.signal }).catch(() => 'left');
    await upstream.request(0);
    const full = await call(url, 'completion/complete', { headers: { origin: ORIGIN } });
    expect(full.status).toBe(503);
    expect(full.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    const foreign = await call(url, 'completion/complete', { headers: { origin: 'https://evil.example' } });
    expect(foreign.status).toBe(403);
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
    held.abort();
    expect(await holding).toBe('left');
  });
});
