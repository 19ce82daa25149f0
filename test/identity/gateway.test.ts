import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { callTool, requestHeaders, requestText } from '../support/client.js';
import { type Gateway, type GatewayConfig, startPair } from '../support/pair.js';
import { rawRequest, sendRaw } from '../support/raw.js';
import { jsonReply, resultReply, type UpstreamRequest } from '../support/upstream.js';

const PUBLIC = 'https://mcp.example.com';
const METADATA = '/.well-known/oauth-protected-resource/mcp';
const METADATA_URL = `${PUBLIC}${METADATA}`;
const hashOf = (token: string) => `sha256:${createHash('sha256').update(token).digest('hex')}`;
const BEARER = { mode: 'bearer', tokens: { ada: [hashOf('adas-token')], bob: [hashOf('bobs-token')] } };
const ADA = { authorization: 'Bearer adas-token' };

const done = (request: UpstreamRequest) => resultReply(request, { resultType: 'complete', content: [] });

/** A route that identifies its callers so; its clients reach it at its public name. */
async function guarded(auth: unknown, { route, ...config }: GatewayConfig = {}, reply = done) {
  const hosts = { publicUrl: PUBLIC, allowedHosts: ['127.0.0.1'] };
  return startPair(reply, { ...hosts, ...config, route: { auth, ...route } });
}

const deniedBy = ({ told }: Gateway) =>
  told.filter(({ event }) => event === 'callerDenied').map(({ args }) => args[1]);

describe('a route with named tokens', () => {
  it('lets their holders in, and keeps the tokens to itself', async () => {
    const { url, upstream } = await guarded(BEARER);
    expect((await callTool(url, 'book', {}, { headers: ADA })).status).toBe(200);
    expect(upstream.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('sends a credential of its own where one is configured', async () => {
    const own = { headers: { authorization: 'Bearer of-the-gateway' } };
    const { url, upstream, gateway } = await guarded(BEARER);
    const route = { auth: BEARER, upstream: { url: upstream.url, ...own } };
    const other = await startPair(undefined, { publicUrl: PUBLIC, allowedHosts: ['127.0.0.1'], route });
    await callTool(other.url, 'book', {}, { headers: ADA });
    expect(upstream.requests.at(-1)?.headers.authorization).toBe('Bearer of-the-gateway');
    expect([url, gateway.errors.length]).toEqual([url, 0]);
  });

  it('hands the token on where that is wanted', async () => {
    const { url, upstream } = await guarded({ ...BEARER, forwardAuthorization: true });
    await callTool(url, 'book', {}, { headers: ADA });
    expect(upstream.requests[0]?.headers.authorization).toBe('Bearer adas-token');
  });

  it.each<[string, Record<string, string>, string, string]>([
    ['no token', {}, 'missing', `Bearer resource_metadata="${METADATA_URL}"`],
    [
      'another token',
      { authorization: 'Bearer zz-secret-zz' },
      'invalid',
      `Bearer error="invalid_token", resource_metadata="${METADATA_URL}"`,
    ],
  ])('refuses who has %s, and tells where to get one', async (_, headers, reason, challenge) => {
    const { url, upstream, gateway } = await guarded(BEARER);
    const { status, headers: fields, text, message } = await callTool(url, 'book', {}, { headers });
    expect(status).toBe(401);
    expect(fields.get('www-authenticate')).toBe(challenge);
    expect(message).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } });
    expect(text).not.toContain('zz-secret-zz');
    expect(upstream.requests).toHaveLength(0);
    expect(deniedBy(gateway)).toEqual([reason]);
    expect(await gateway.ended(0)).toMatchObject({ outcome: 'refused_inbound', status: 401 });
  });

  it('refuses before it reads the body', async () => {
    const { gateway } = await guarded(BEARER);
    const fields = ['Content-Type: application/json', 'Content-Length: 100'];
    const answer = await sendRaw(gateway.port, rawRequest('POST /mcp', fields));
    expect(answer.status).toBe(401);
  });

  it('looks at Origin and Host first', async () => {
    const { url } = await guarded(BEARER);
    const evil = await callTool(url, 'book', {}, { headers: { ...ADA, origin: 'https://evil.example' } });
    expect(evil.status).toBe(403);
    expect(evil.headers.get('www-authenticate')).toBeNull();
  });

  it('answers a preflight of an allowed origin, which carries no token', async () => {
    const { url } = await guarded(BEARER);
    const headers = { origin: PUBLIC, 'access-control-request-method': 'POST' };
    const preflight = await fetch(url, { method: 'OPTIONS', headers });
    expect(preflight.status).toBe(204);
    const refused = await callTool(url, 'book', {}, { headers: { origin: PUBLIC } });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
  });

  it('identifies who opens a stream of an earlier revision', async () => {
    const { url, upstream } = await guarded(BEARER, { route: { legacy: 'pass' } });
    const headers = { accept: 'text/event-stream' };
    expect((await fetch(url, { headers })).status).toBe(401);
    expect((await fetch(url, { method: 'DELETE', headers })).status).toBe(401);
    expect(upstream.requests).toHaveLength(0);
  });

  it.each([401, 403])(
    'takes an upstream that challenges with %i for one of the gateway’s own',
    async (code) => {
      const { url, gateway } = await guarded(BEARER, {}, () =>
        jsonReply('{}', {
          status: code,
          headers: { 'www-authenticate': 'Bearer resource_metadata="https://up"' },
        }),
      );
      const { status, headers, message } = await callTool(url, 'book', {}, { headers: ADA });
      expect([status, headers.get('www-authenticate')]).toEqual([502, null]);
      expect(message.error.message).toBe('the upstream does not accept the gateway’s credential');
      expect((await gateway.ended(0)).outcome).toBe('upstream_failed');
    },
  );

  it('passes on what an upstream forbids for reasons of its own', async () => {
    const { url } = await guarded(BEARER, {}, () => jsonReply('{"error":"no"}', { status: 403 }));
    expect((await callTool(url, 'book', {}, { headers: ADA })).status).toBe(403);
  });
});

describe('the metadata of the route', () => {
  it('is the gateway’s own, for anyone', async () => {
    const auth = { ...BEARER, authorizationServers: ['https://auth.example.com'] };
    const { gateway, upstream } = await guarded(auth);
    const answer = await fetch(`${gateway.origin}${METADATA}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toEqual({
      resource: `${PUBLIC}/mcp`,
      authorization_servers: ['https://auth.example.com'],
      bearer_methods_supported: ['header'],
    });
    expect(upstream.requests).toHaveLength(0);
  });

  it('is also where clients look for it that see the gateway below a path', async () => {
    const { gateway } = await guarded(BEARER, { publicUrl: `${PUBLIC}/gateway` });
    const answer = await fetch(`${gateway.origin}/.well-known/oauth-protected-resource/gateway/mcp`);
    expect(await answer.json()).toMatchObject({ resource: `${PUBLIC}/gateway/mcp` });
  });

  it('is only read', async () => {
    const { gateway } = await guarded(BEARER);
    const answer = await fetch(`${gateway.origin}${METADATA}`, { method: 'POST' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const head = await fetch(`${gateway.origin}${METADATA}`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('is nobody’s where it is not known how clients see the gateway', async () => {
    const { gateway, upstream } = await startPair(done, { route: { auth: BEARER } });
    expect((await fetch(`${gateway.origin}${METADATA}`)).status).toBe(404);
    expect(upstream.requests).toHaveLength(0);
  });

  it('is the upstream’s where the upstream authenticates', async () => {
    const { gateway, upstream } = await startPair(() => jsonReply({ resource: 'theirs' }));
    expect(await (await fetch(`${gateway.origin}${METADATA}`)).json()).toEqual({ resource: 'theirs' });
    expect(upstream.requests[0]?.target).toBe(METADATA);
  });
});

describe('a route with access tokens of an authorization server', () => {
  type Pair = Awaited<ReturnType<typeof generateKeyPair>>;
  let keys: Pair;
  beforeAll(async () => {
    keys = await generateKeyPair('ES256', { extractable: true });
  });

  async function authorizationServer(status = 200): Promise<string> {
    const set = { keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'k', alg: 'ES256' }] };
    const server = createServer((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(set));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const bearing = async (issuer: string, claims: Record<string, unknown> = {}) => {
    const token = await new SignJWT({ sub: 'ada', ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'k' })
      .setIssuer(issuer)
      .setAudience((claims.aud as string | undefined) ?? `${PUBLIC}/mcp`)
      .setExpirationTime('5m')
      .sign(keys.privateKey);
    return { headers: { authorization: `Bearer ${token}` } };
  };

  it('lets in who has one for this very resource', async () => {
    const issuer = await authorizationServer();
    const { url, upstream } = await guarded({ mode: 'jwt', issuer, jwks: `${issuer}/jwks` });
    expect((await callTool(url, 'book', {}, await bearing(issuer))).status).toBe(200);
    expect(upstream.requests[0]?.headers).not.toHaveProperty('authorization');
    const other = await callTool(url, 'book', {}, await bearing(issuer, { aud: `${PUBLIC}/other` }));
    expect(other.status).toBe(401);
  });

  it('tells which scopes are missing', async () => {
    const issuer = await authorizationServer();
    const auth = { mode: 'jwt', issuer, jwks: `${issuer}/jwks`, scopes: ['mcp:call'] };
    const { url, gateway } = await guarded(auth);
    const refused = await callTool(url, 'book', {}, await bearing(issuer, { scope: 'openid' }));
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toBe(
      `Bearer error="insufficient_scope", scope="mcp:call", resource_metadata="${METADATA_URL}"`,
    );
    expect((await callTool(url, 'book', {}, await bearing(issuer, { scope: 'mcp:call' }))).status).toBe(200);
    expect(deniedBy(gateway)).toEqual(['insufficient_scope']);
    expect(await (await fetch(`${gateway.origin}${METADATA}`)).json()).toEqual({
      resource: `${PUBLIC}/mcp`,
      authorization_servers: [issuer],
      scopes_supported: ['mcp:call'],
      bearer_methods_supported: ['header'],
    });
  });

  it('does not blame the caller when the keys cannot be had', async () => {
    const issuer = await authorizationServer(500);
    const { url, gateway } = await guarded({ mode: 'jwt', issuer, jwks: `${issuer}/jwks` });
    const answer = await callTool(url, 'book', {}, await bearing(issuer));
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(answer.headers.get('www-authenticate')).toBeNull();
    expect(deniedBy(gateway)).toEqual(['unavailable']);
  });
});

describe('a route whose upstream authenticates', () => {
  it('hands credentials on, and the upstream’s challenges back', async () => {
    const challenge = 'Bearer resource_metadata="https://up.example.com/metadata"';
    const { url, upstream } = await startPair(() =>
      jsonReply('{"error":"invalid_token"}', { status: 401, headers: { 'www-authenticate': challenge } }),
    );
    const answer = await callTool(url, 'book', {}, { headers: ADA });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, challenge]);
    expect(upstream.requests[0]?.headers.authorization).toBe('Bearer adas-token');
  });

  it('takes a name away that no trusted proxy gave', async () => {
    const auth = { proxyHeader: 'x-user' };
    const headers = { 'x-user': 'ada', X_User: 'ada', 'x.user': 'ada' };
    const far = await startPair(done, { trustedProxies: ['192.0.2.1'], route: { auth } });
    await callTool(far.url, 'book', {}, { headers });
    expect(far.upstream.requests[0]?.text).toContain('book');
    expect(far.upstream.requests[0]?.rawHeaders).not.toContain('ada');
    const near = await startPair(done, { trustedProxies: ['127.0.0.1'], route: { auth } });
    await callTool(near.url, 'book', {}, { headers });
    expect(near.upstream.requests[0]?.rawHeaders.filter((text) => text === 'ada')).toHaveLength(1);
    expect(near.upstream.requests[0]?.headers['x-user']).toBe('ada');
  });

  it('takes away a name that stands beside another', async () => {
    const auth = { proxyHeader: 'x-user' };
    const { gateway, upstream } = await startPair(done, { trustedProxies: ['127.0.0.1'], route: { auth } });
    const options = { params: { name: 'book', arguments: {} } };
    const fields = Object.entries(requestHeaders('tools/call', options)).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const named = [...fields, 'X-User: ada', 'X-User: bob'];
    await sendRaw(gateway.port, rawRequest('POST /mcp', named, requestText('tools/call', options)));
    expect((await upstream.request(0)).headers).not.toHaveProperty('x-user');
  });

  it('names callers in logs by a pseudonym, and nobody by none', async () => {
    const { url, gateway } = await startPair(done);
    await callTool(url, 'book', {}, { headers: ADA });
    await callTool(url, 'book', {}, { headers: ADA });
    await callTool(url, 'book');
    const names = await Promise.all(
      [0, 1, 2].map(async (n) => (await gateway.ended(n)).exchange?.facts.principal),
    );
    expect(names[0]).toMatch(/^[\w-]{16}$/);
    expect(names[1]).toBe(names[0]);
    expect(names[2]).toBeUndefined();
  });
});
