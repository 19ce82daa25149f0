import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { compile } from '../../src/config/compile.js';
import { showConfig } from '../../src/config/show.js';
import { load, problems } from './sources.js';

const UPSTREAM = 'http://ze.test/mcp';
const ISSUER = 'https://auth.test';
const HASH = `sha256:${'ab'.repeat(32)}`;
const JWT = { mode: 'jwt', issuer: ISSUER, jwks: `${ISSUER}/jwks` };
const BEARER = { mode: 'bearer', tokens: { ada: [HASH] } };

function yamlOf(auth: unknown, more: object = {}, route: object = {}): string {
  return JSON.stringify({ ...more, routes: [{ upstream: UPSTREAM, requestState: 'relay', auth, ...route }] });
}

const PUBLIC = { publicUrl: 'https://mcp.test' };
const routeOf = (yaml: string) => compile(load({ yaml }).config).routes[0];

describe('the ways to identify callers', () => {
  it('is by their credentials unless another is configured', () => {
    const route = routeOf(JSON.stringify({ routes: [{ upstream: UPSTREAM, requestState: 'relay' }] }));
    expect(route?.auth).toEqual({
      mode: 'passthrough',
      credential: 'authorization',
      claim: undefined,
      proxyHeader: undefined,
    });
    expect(route?.resource).toBeUndefined();
  });

  it.each(['none', 'passthrough'])('can be written as a word: %s', (mode) => {
    const yaml = yamlOf(mode);
    expect(routeOf(yaml)?.auth.mode).toBe(mode);
    expect(showConfig(load({ yaml }))).toContain(`mode: ${mode} # file`);
  });

  it('reads what passthrough goes by', () => {
    const auth = { credential: 'X-Api-Key', claim: 'sub', proxyHeader: 'X-User' };
    expect(routeOf(yamlOf(auth, { trustedProxies: ['10.0.0.0/8'] }))?.auth).toEqual({
      mode: 'passthrough',
      credential: 'x-api-key',
      claim: 'sub',
      proxyHeader: 'x-user',
    });
  });

  it('reads named tokens', () => {
    const auth = {
      ...BEARER,
      tokens: { ada: [HASH, HASH.replace('ab', 'cd')], bob: [HASH.replace('ab', 'ef')] },
    };
    const route = routeOf(yamlOf(auth));
    if (route?.auth.mode !== 'bearer') throw new Error('another mode');
    expect(route.auth.tokens.map(({ name, hash }) => [name, hash.length, hash[0]])).toEqual([
      ['ada', 32, 0xab],
      ['ada', 32, 0xcd],
      ['bob', 32, 0xef],
    ]);
    expect(route.auth).toMatchObject({ metadataUrl: undefined, forwardAuthorization: false, scopes: [] });
    expect(route.resource).toEqual({
      metadataPaths: ['/.well-known/oauth-protected-resource/mcp'],
      metadata: undefined,
    });
  });

  it('reads what tokens of an authorization server must be', () => {
    const route = routeOf(yamlOf({ ...JWT, scopes: ['mcp:call'] }, PUBLIC));
    expect(route?.auth).toEqual({
      mode: 'jwt',
      issuer: ISSUER,
      audience: ['https://mcp.test/mcp'],
      keys: { url: new URL(`${ISSUER}/jwks`) },
      algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'],
      leewaySeconds: 30,
      claim: 'sub',
      scopes: ['mcp:call'],
      metadataUrl: 'https://mcp.test/.well-known/oauth-protected-resource/mcp',
      forwardAuthorization: false,
    });
  });

  it('takes a key set from a file', () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'a' }, { kty: 'AKP' }];
    const set = JSON.stringify({ keys });
    const yaml = yamlOf({ ...JWT, jwks: { file: '/jwks.json' } }, PUBLIC);
    expect(compile(load({ yaml, files: { '/jwks.json': set } }).config).routes[0]?.auth).toMatchObject({
      keys: { set },
    });
  });
});

describe('the metadata of the protected resource', () => {
  const metadataOf = (publicUrl: string, auth: object, path = '/mcp') => {
    const resource = routeOf(yamlOf(auth, { publicUrl }, { path }))?.resource;
    return { ...resource, metadata: JSON.parse(resource?.metadata ?? 'null') as unknown };
  };

  it('names the resource, where its tokens come from, and its scopes', () => {
    expect(metadataOf('https://mcp.test', { ...JWT, scopes: ['a', 'b'] })).toEqual({
      metadataPaths: ['/.well-known/oauth-protected-resource/mcp'],
      metadata: {
        resource: 'https://mcp.test/mcp',
        authorization_servers: [ISSUER],
        scopes_supported: ['a', 'b'],
        bearer_methods_supported: ['header'],
      },
    });
  });

  it('is also where clients look for it, when they see the gateway below a path', () => {
    expect(metadataOf('https://example.test/gateway/', JWT)).toMatchObject({
      metadataPaths: [
        '/.well-known/oauth-protected-resource/mcp',
        '/.well-known/oauth-protected-resource/gateway/mcp',
      ],
      metadata: { resource: 'https://example.test/gateway/mcp' },
    });
  });

  it('names a resource without path without a slash', () => {
    expect(metadataOf('https://mcp.test', JWT, '/')).toMatchObject({
      metadataPaths: ['/.well-known/oauth-protected-resource'],
      metadata: { resource: 'https://mcp.test' },
    });
  });

  it('names other authorization servers where they are configured', () => {
    const servers = ['https://one.test', 'https://two.test'];
    expect(metadataOf('https://mcp.test', { ...JWT, authorizationServers: servers }).metadata).toMatchObject({
      authorization_servers: servers,
    });
    expect(metadataOf('https://mcp.test', BEARER).metadata).toEqual({
      resource: 'https://mcp.test/mcp',
      bearer_methods_supported: ['header'],
    });
  });
});

describe('problems of auth', () => {
  it.each<[unknown, object, string]>([
    ['basic', {}, 'routes[0].auth: expected one of none, passthrough, bearer, jwt'],
    [{ mode: 'bearer' }, {}, 'routes[0].auth.tokens: is required in mode bearer'],
    [{ mode: 'bearer', tokens: { ada: [] } }, {}, 'routes[0].auth.tokens.ada: must not be empty'],
    [
      { mode: 'bearer', tokens: { ada: ['s3cr3t'] } },
      {},
      'routes[0].auth.tokens.ada[0]: expected the hash of a token as `mrtr-gateway keygen --token` prints it',
    ],
    [{ mode: 'jwt', jwks: JWT.jwks }, PUBLIC, 'routes[0].auth.issuer: is required in mode jwt'],
    [{ mode: 'jwt', issuer: ISSUER }, PUBLIC, 'routes[0].auth.jwks: is required in mode jwt'],
    [
      JWT,
      {},
      'publicUrl: is required, since routes[0].auth has mode jwt: clients look for the metadata below it',
    ],
    [
      { ...JWT, issuer: 'http://auth.test' },
      PUBLIC,
      'routes[0].auth.issuer: expected an https URL, for example https://auth.example.com',
    ],
    [
      { ...JWT, jwks: 'http://auth.test/jwks' },
      PUBLIC,
      'routes[0].auth.jwks: expected an https URL, for example https://auth.example.com',
    ],
    [
      { ...JWT, jwks: '{"keys":[{"kty":"EC","d":"x"}]}' },
      PUBLIC,
      'routes[0].auth.jwks: expected a JSON Web Key Set of public keys',
    ],
    [
      { ...JWT, jwks: '{"keys":[{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}]}' },
      PUBLIC,
      'routes[0].auth.jwks: expected a JSON Web Key Set of public keys',
    ],
    [
      { ...JWT, jwks: '{"keys":1}' },
      PUBLIC,
      'routes[0].auth.jwks: expected a JSON Web Key Set of public keys',
    ],
    [
      { ...JWT, algorithms: ['HS256'] },
      PUBLIC,
      'routes[0].auth.algorithms[0]: expected one of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, Ed25519; did you mean `RS256`?',
    ],
    [{ ...JWT, algorithms: [] }, PUBLIC, 'routes[0].auth.algorithms: must not be empty'],
    [{ ...JWT, scopes: ['a b'] }, PUBLIC, 'routes[0].auth.scopes[0]: expected a single scope without spaces'],
    [
      { ...JWT, tokens: { ada: [HASH] } },
      PUBLIC,
      'routes[0].auth.tokens: has no meaning in mode jwt, only in bearer',
    ],
    [
      { claim: 'sub', mode: 'none' },
      {},
      'routes[0].auth.claim: has no meaning in mode none, only in passthrough and jwt',
    ],
    [
      { forwardAuthorization: true },
      {},
      'routes[0].auth.forwardAuthorization: has no meaning in mode passthrough, only in bearer and jwt',
    ],
    [
      { proxyHeader: 'x-user' },
      {},
      'routes[0].auth.proxyHeader: needs trustedProxies: nobody else is believed',
    ],
    [
      { credential: 'connection' },
      {},
      'routes[0].auth.credential: is a field that the gateway writes itself',
    ],
  ])('of %j with %j say what is wrong', (auth, more, problem) => {
    expect(problems({ yaml: yamlOf(auth, more) })).toEqual([problem]);
  });

  it('say that nobody verifies a claim where the upstream gets another credential', () => {
    const route = { upstream: { url: UPSTREAM, headers: { Authorization: 'Bearer own' } } };
    expect(problems({ yaml: yamlOf({ claim: 'sub' }, {}, route) })).toEqual([
      'routes[0].auth.claim: would be verified by nobody, since upstream.headers sends another authorization',
    ]);
    expect(problems({ yaml: yamlOf({ claim: 'sub', credential: 'x-jwt' }, {}, route) })).toEqual([]);
    expect(problems({ yaml: yamlOf({}, {}, route) })).toEqual([]);
    expect(problems({ yaml: yamlOf({ ...JWT, claim: 'client_id' }, PUBLIC, route) })).toEqual([]);
  });

  it('are none for a local authorization server, as in development', () => {
    const auth = { ...JWT, issuer: 'http://127.0.0.1:8080', jwks: 'http://localhost:8080/jwks' };
    expect(problems({ yaml: yamlOf(auth, PUBLIC) })).toEqual([]);
  });

  it('do not arise from the effective configuration, which spells everything out', () => {
    for (const auth of ['none', 'passthrough', { ...JWT, claim: 'client_id' }]) {
      const loaded = load({ yaml: yamlOf(auth, PUBLIC) });
      expect(load({ yaml: showConfig(loaded) }).config).toEqual(loaded.config);
    }
  });

  it('show no hash of a token', () => {
    expect(showConfig(load({ yaml: yamlOf(BEARER) }))).toContain('ada: ["***"] # file');
  });
});
