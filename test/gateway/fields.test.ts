import { describe, expect, it } from 'vitest';
import { call, requestHeaders, requestText } from '../support/client.js';
import { type GatewayConfig, startPair } from '../support/pair.js';
import { type RawAnswer, rawRequest, sendRaw } from '../support/raw.js';
import { type ReplyFunction, resultReply, type UpstreamRequest } from '../support/upstream.js';

const METHOD = 'completion/complete';
const FIELDS = Object.entries(requestHeaders(METHOD)).map(([name, value]) => `${name}: ${value}`);
const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

const RESULT = { resultType: 'complete', completion: {} };

const done: ReplyFunction = (request) => resultReply(request, RESULT);

/** What the upstream receives of a conforming request with these fields besides. */
async function received(fields: readonly string[], config: GatewayConfig = {}): Promise<UpstreamRequest> {
  const { gateway, upstream } = await startPair(done, config);
  const answer = await sendRaw(
    gateway.port,
    rawRequest('POST /mcp', [...FIELDS, ...fields], requestText(METHOD)),
  );
  expect(answer.status).toBe(200);
  return upstream.request(0);
}

/** What the client receives of an answer with these fields. */
async function answered(fields: readonly (readonly [string, string])[]): Promise<RawAnswer> {
  const { gateway } = await startPair((request) => ({
    headers: [['Content-Type', 'application/json'], ...fields].flat(),
    body: JSON.stringify({ jsonrpc: '2.0', id: request.json().id, result: RESULT }),
  }));
  return sendRaw(gateway.port, rawRequest('POST /mcp', FIELDS, requestText(METHOD)));
}

function all({ rawHeaders }: UpstreamRequest, name: string): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}

describe('a field of the request', () => {
  it.each([
    ['Authorization', 'Bearer token'],
    ['Cookie', 'a=1; b=2'],
    ['User-Agent', 'client/1'],
    ['X-Anything', 'caf\u00e9 \u00ff'],
    ['X-Empty', ''],
    ['Mcp-Param-Region', '=?base64?w6k=?='],
    ['Mcp-Param-last_name', 'Lovelace'],
    ['X_Anything', 'odd'],
    ['Traceparent', TRACEPARENT],
    ['Tracestate', 'a=b'],
    ['Baggage', 'k=v'],
    ['Constructor', 'odd'],
    ['__proto__', 'odd'],
  ])('is kept: %s', async (name, value) => {
    const request = await received([`${name}: ${value}`]);
    expect(all(request, name.toLowerCase())).toEqual([value]);
  });

  it('is kept as often as it stands, in its order and letter case', async () => {
    const request = await received(['X-Twice: 1', 'x-twice: 2, 3', 'X-TWICE: 4']);
    expect(all(request, 'x-twice')).toEqual(['1', '2, 3', '4']);
    expect(request.rawHeaders).toEqual(expect.arrayContaining(['X-Twice', 'x-twice', 'X-TWICE']));
  });

  it.each([
    ['ends at a proxy', 'Keep-Alive: timeout=5'],
    ['authenticates to a proxy', 'Proxy-Authorization: Basic eA=='],
    ['was never a standard', 'Proxy-Connection: keep-alive'],
    ['offers trailers', 'TE: trailers'],
    ['announces trailers', 'Trailer: X-Later'],
    ['offers another HTTP', 'Upgrade: h2c'],
    ['settles another HTTP', 'HTTP2-Settings: AAMAAABkAAQAAP__', 'Connection: close, HTTP2-Settings'],
    ['tells of proxies before', 'Forwarded: for=1.2.3.4;proto=https'],
    ['names a session of earlier revisions', 'Mcp-Session-Id: s'],
    ['resumes a stream of earlier revisions', 'Last-Event-ID: 7'],
    ['names another path', 'X-Original-URL: /admin'],
    ['names another path as IIS does', 'X-Rewrite-Url: /admin'],
    ['names another method', 'X-HTTP-Method-Override: DELETE'],
    ['tells of proxies before to who reads _ for -', 'X_Forwarded_For: 1.2.3.4'],
    ['names another path to who reads . for -', 'X.Original.URL: /admin'],
    ['names another tool to who reads _ for -', 'Mcp_Name: other'],
    ['is named by Connection', 'X-Hop: 1', 'Connection: close, x-hop'],
    ['is named by Connection in a second line', 'X-Hop: 1', 'Connection: close', 'Connection: ,, X-HOP ,'],
  ])('stops here when it %s', async (_, field, ...more) => {
    const request = await received([field, ...more]);
    expect(all(request, field.slice(0, field.indexOf(':')).toLowerCase())).toEqual([]);
  });

  it.each([
    'Mcp-Method',
    'MCP-Protocol-Version',
    'mcp-param-x',
    'Authorization',
    'Content-Type',
    'Content-Length',
    'Host',
  ])('refuses the request when Connection names it: %s', async (name) => {
    const { gateway, upstream } = await startPair(done);
    const request = rawRequest('POST /mcp', [...FIELDS, `Connection: close, ${name}`], requestText(METHOD));
    const answer = await sendRaw(gateway.port, request);
    expect(answer.status).toBe(400);
    expect(answer.json().error).toMatchObject({ code: -32600, data: { rule: 'connection-names-none' } });
    expect(upstream.requests).toEqual([]);
  });
});

describe('what the upstream is told of the way', () => {
  it('names this gateway behind those before it', async () => {
    expect(all(await received([]), 'via')).toEqual(['1.1 mrtr-gateway']);
    expect(all(await received(['Via: 1.0 edge, 1.1 next']), 'via')).toEqual([
      '1.0 edge, 1.1 next',
      '1.1 mrtr-gateway',
    ]);
  });

  const CLAIMED = [
    'X-Forwarded-For: 1.2.3.4',
    'X-Forwarded-Proto: https',
    'X-Forwarded-Host: mcp.example.com',
  ];

  it('is written anew for a peer that is nobody in particular', async () => {
    const request = await received([...CLAIMED, 'Host: localhost:9719']);
    expect(all(request, 'x-forwarded-for')).toEqual(['127.0.0.1']);
    expect(all(request, 'x-forwarded-proto')).toEqual(['http']);
    expect(all(request, 'x-forwarded-host')).toEqual(['localhost:9719']);
  });

  it('is continued for a trusted proxy', async () => {
    const request = await received([...CLAIMED, 'x-forwarded-for: 10.0.0.9'], {
      trustedProxies: ['127.0.0.0/8'],
    });
    expect(all(request, 'x-forwarded-for')).toEqual(['1.2.3.4, 10.0.0.9, 127.0.0.1']);
    expect(all(request, 'x-forwarded-proto')).toEqual(['https']);
    expect(all(request, 'x-forwarded-host')).toEqual(['mcp.example.com']);
  });

  it('begins here when the trusted proxy says nothing', async () => {
    const request = await received([], { trustedProxies: ['127.0.0.1'] });
    expect(all(request, 'x-forwarded-for')).toEqual(['127.0.0.1']);
    expect(all(request, 'x-forwarded-proto')).toEqual(['http']);
    expect(all(request, 'x-forwarded-host')).toEqual(['127.0.0.1']);
  });

  it.each([
    ['goes no further from just anyone', [], 0],
    ['goes on from a trusted proxy', ['127.0.0.0/8'], 1],
  ])('under the names that other proxies use %s', async (_, trustedProxies, passed) => {
    const names = ['x-real-ip', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip', 'x-forwarded-port'];
    const request = await received(
      [...names, 'x_real_ip'].map((name) => `${name}: 1.2.3.4`),
      { trustedProxies },
    );
    for (const name of names) expect([name, all(request, name).length]).toEqual([name, passed]);
    expect(all(request, 'x_real_ip')).toEqual([]);
  });

  it('is not believed of a proxy that is not on the list', async () => {
    const request = await received(CLAIMED, { trustedProxies: ['10.0.0.0/8'] });
    expect(all(request, 'x-forwarded-for')).toEqual(['127.0.0.1']);
  });
});

describe('what the upstream is asked', () => {
  it('is its own host, for an answer without coding', async () => {
    const request = await received(['Accept-Encoding: gzip, br, zstd']);
    expect(all(request, 'host')).toEqual([expect.stringMatching(/^127\.0\.0\.1:\d+$/)]);
    expect(request.headers.host).not.toBe('127.0.0.1');
    expect(all(request, 'accept-encoding')).toEqual(['identity']);
  });

  it('accepts what the client accepts', async () => {
    const fields = FIELDS.filter((field) => !field.startsWith('accept'));
    for (const [accept, expected] of [
      [['Accept: application/json'], ['application/json']],
      [
        ['Accept: text/event-stream;q=0.1', 'accept: */*'],
        ['text/event-stream;q=0.1', '*/*'],
      ],
      [[], ['application/json, text/event-stream']],
    ] as const) {
      const { gateway, upstream } = await startPair(done);
      await sendRaw(gateway.port, rawRequest('POST /mcp', [...fields, ...accept], requestText(METHOD)));
      expect(all(await upstream.request(0), 'accept')).toEqual(expected);
    }
  });

  it('comes with the fields of the configuration instead of the client’s', async () => {
    const { upstream } = await startPair(done);
    const { gateway } = await startPair(undefined, {
      route: {
        upstream: {
          url: upstream.url,
          headers: { Authorization: 'Bearer own', 'X-Tenant': 'a', host: 'ze.internal' },
        },
      },
    });
    const fields = [...FIELDS, 'authorization: Bearer client', 'X-TENANT: b', 'x-tenant: c', 'X_Tenant: d'];
    await sendRaw(gateway.port, rawRequest('POST /mcp', fields, requestText(METHOD)));
    const request = await upstream.request(0);
    expect(all(request, 'x_tenant')).toEqual([]);
    expect(all(request, 'authorization')).toEqual(['Bearer own']);
    expect(all(request, 'x-tenant')).toEqual(['a']);
    expect(all(request, 'host')).toEqual(['ze.internal']);
  });

  it('carries the trace that only the message names', async () => {
    const named = (traceparent: unknown, headers = {}) =>
      startPair(done).then(async ({ url, upstream }) => {
        await call(url, METHOD, { meta: { traceparent }, headers });
        return all(await upstream.request(0), 'traceparent');
      });
    expect(await named(TRACEPARENT)).toEqual([TRACEPARENT]);
    expect(await named('00-zz')).toEqual([]);
    expect(await named(7)).toEqual([]);
    expect(await named(TRACEPARENT.replace('4bf9', 'aaaa'), { traceparent: TRACEPARENT })).toEqual([
      TRACEPARENT,
    ]);
  });
});

describe('a field of the answer', () => {
  it.each([
    ['Set-Cookie', ['a=1; Path=/', 'b=2, c']],
    ['WWW-Authenticate', ['Bearer realm="x", error="y"', 'Basic']],
    ['Retry-After', ['7']],
    ['Cache-Control', ['private, no-store']],
    ['MCP-Protocol-Version', ['2026-07-28']],
    ['X-Odd', ['caf\u00e9']],
    ['X-Empty', ['']],
    ['Constructor', ['odd', 'even']],
    ['Date', ['Tue, 28 Jul 2026 00:00:00 GMT']],
  ])('is kept as often as it stands: %s', async (name, values) => {
    const answer = await answered(values.map((value) => [name, value] as const));
    expect(answer.status).toBe(200);
    expect(answer.all(name.toLowerCase())).toEqual(values);
  });

  it.each([
    [
      'ends at a proxy',
      [
        ['Keep-Alive', 'timeout=9'],
        ['Connection', 'keep-alive'],
      ],
      'keep-alive',
    ],
    ['asks a proxy to authenticate', [['Proxy-Authenticate', 'Basic']], 'proxy-authenticate'],
    [
      'is named by Connection',
      [
        ['X-Hop', '1'],
        ['Connection', 'close, X-Hop'],
      ],
      'x-hop',
    ],
    ['offers another HTTP', [['Upgrade', 'h2c']], 'upgrade'],
    ['names a session of earlier revisions', [['Mcp-Session-Id', 's']], 'mcp-session-id'],
    ['vouches for bytes that may change', [['Content-Digest', 'sha-256=:x:']], 'content-digest'],
    ['speaks for an origin policy', [['Access-Control-Allow-Origin', '*']], 'access-control-allow-origin'],
  ] as const)('stops here when it %s', async (_, fields, name) => {
    expect((await answered(fields)).one(name)).toBeUndefined();
  });

  it('tells of the way', async () => {
    expect((await answered([])).all('via')).toEqual(['1.1 mrtr-gateway']);
    expect((await answered([['Via', '1.1 inner']])).all('via')).toEqual(['1.1 inner', '1.1 mrtr-gateway']);
  });

  it('counts the bytes that are sent', async () => {
    const answer = await answered([]);
    expect(answer.all('content-length')).toEqual([String(answer.body.length)]);
    expect(answer.one('transfer-encoding')).toBeUndefined();
  });
});
