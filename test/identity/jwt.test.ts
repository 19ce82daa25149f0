import { generateKeyPairSync } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AuthPolicy, Identified } from '../../src/engine/identity.js';
import { createIdentify } from '../../src/identity/identify.js';
import { bindingFor, caller, identified, METADATA_URL, PROTECTED } from './callers.js';

type Pair = Awaited<ReturnType<typeof generateKeyPair>>;

const ISSUER = 'https://auth.example.com';
const AUDIENCE = 'https://mcp.example.com/mcp';

let [first, second, other]: Pair[] = [];
let rsa: Pair;
let policy: AuthPolicy & { mode: 'jwt' };
const shortKey = generateKeyPairSync('rsa', { modulusLength: 1024 });

const publicKey = async (pair: Pair | undefined, kid: string | undefined, alg = 'ES256'): Promise<JWK> => ({
  ...(await exportJWK((pair as Pair).publicKey)),
  alg,
  ...(kid === undefined ? {} : { kid }),
});
const setOf = (...keys: JWK[]) => ({ set: JSON.stringify({ keys }) });

beforeAll(async () => {
  [first, second, other] = await Promise.all(
    [1, 2, 3].map(() => generateKeyPair('ES256', { extractable: true })),
  );
  rsa = await generateKeyPair('RS256', { extractable: true });
  policy = {
    ...PROTECTED,
    mode: 'jwt',
    issuer: ISSUER,
    audience: [AUDIENCE],
    keys: setOf(
      await publicKey(first, 'one'),
      await publicKey(second, 'two'),
      await publicKey(rsa, 'rsa', 'RS256'),
    ),
    algorithms: ['ES256'],
    leewaySeconds: 30,
    claim: 'sub',
  };
});

interface TokenOptions {
  readonly pair?: Pair | undefined;
  readonly kid?: string | undefined;
  readonly alg?: string;
  readonly without?: string;
}

async function tokenOf(claims: Record<string, unknown> = {}, options: TokenOptions = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const all: Record<string, unknown> = {
    iss: ISSUER,
    aud: AUDIENCE,
    sub: 'ada',
    exp: now + 300,
    iat: now,
    ...claims,
  };
  if (options.without !== undefined) delete all[options.without];
  const kid = 'kid' in options ? options.kid : 'one';
  return new SignJWT(all)
    .setProtectedHeader({
      alg: options.alg ?? 'ES256',
      ...(kid === undefined ? {} : { kid }),
    })
    .sign((options.pair ?? (first as Pair)).privateKey);
}

const bearing = (token: string) => ({ authorization: `Bearer ${token}` });
const seconds = (more: number) => Math.floor(Date.now() / 1000) + more;
const INVALID: Identified = {
  kind: 'denied',
  reason: 'invalid',
  challenge: `Bearer error="invalid_token", resource_metadata="${METADATA_URL}"`,
};

describe('mode jwt', () => {
  it('knows a caller again by issuer and subject, from any token', async () => {
    const ada = await bindingFor(policy, bearing(await tokenOf()));
    expect(ada).toMatch(/^[\w-]{22}$/);
    const renewed = await tokenOf({ exp: seconds(900), jti: 'x' }, { pair: second, kid: 'two' });
    expect(await bindingFor(policy, bearing(renewed))).toBe(ada);
    expect(await bindingFor(policy, bearing(await tokenOf({ sub: 'bob' })))).not.toBe(ada);
  });

  it('takes one of several audiences, and one token for several resources', async () => {
    const wide = { ...policy, audience: ['https://old.example.com/mcp', AUDIENCE] };
    const token = await tokenOf({ aud: ['https://else.example.com', AUDIENCE] });
    expect(await bindingFor(wide, bearing(token))).toBeDefined();
  });

  it('lets clocks differ by the leeway', async () => {
    expect(await bindingFor(policy, bearing(await tokenOf({ exp: seconds(-20) })))).toBeDefined();
    expect(await bindingFor(policy, bearing(await tokenOf({ nbf: seconds(20) })))).toBeDefined();
  });

  it('names the caller by another claim where one is configured', async () => {
    const byClient = { ...policy, claim: 'client_id' };
    expect(await bindingFor(byClient, bearing(await tokenOf({ client_id: 'c' })))).toBeDefined();
    expect(await identified(byClient, bearing(await tokenOf()))).toEqual(INVALID);
  });

  it('tries every key for a token that names none', async () => {
    const unnamed = { ...policy, keys: setOf(await publicKey(other, 'x'), await publicKey(second, 'y')) };
    const token = await tokenOf({}, { pair: second, kid: undefined });
    expect(await bindingFor(unnamed, bearing(token))).toBeDefined();
    expect(await identified(unnamed, bearing(await tokenOf({}, { kid: undefined })))).toEqual(INVALID);
  });

  it('asks for a token where there is none', async () => {
    expect(await identified(policy, {})).toMatchObject({
      reason: 'missing',
      challenge: `Bearer resource_metadata="${METADATA_URL}"`,
    });
  });

  it.each<[string, () => Promise<string>]>([
    ['of another issuer', () => tokenOf({ iss: 'https://evil.example.com' })],
    ['for another audience', () => tokenOf({ aud: 'https://else.example.com' })],
    ['for nobody', () => tokenOf({}, { without: 'aud' })],
    ['of no issuer', () => tokenOf({}, { without: 'iss' })],
    ['that never expires', () => tokenOf({}, { without: 'exp' })],
    ['that expired', () => tokenOf({ exp: seconds(-31) })],
    ['that is not valid yet', () => tokenOf({ nbf: seconds(60) })],
    ['of nobody', () => tokenOf({}, { without: 'sub' })],
    ['of an empty subject', () => tokenOf({ sub: '' })],
    ['signed by a stranger', () => tokenOf({}, { pair: other })],
    ['signed with a key that is not in the set', () => tokenOf({}, { pair: other, kid: 'three' })],
    ['of an algorithm that is not allowed', () => tokenOf({}, { pair: rsa, kid: 'rsa', alg: 'RS256' })],
    ['that is none', async () => 'opaque-token'],
    ['with another payload', async () => swapPayload(await tokenOf(), { sub: 'bob' })],
    ['without signature', async () => `${(await tokenOf()).split('.').slice(0, 2).join('.')}.`],
    ['of algorithm none', async () => unsigned()],
    ['signed with the public key as a secret', async () => hmacConfusion()],
  ])('refuses a token %s', async (_, make) => {
    expect(await identified(policy, bearing(await make()))).toEqual(INVALID);
  });

  it.each<[string, () => JWK, string]>([
    ['no point of its curve', () => ({ kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' }), 'ES256'],
    ['too short', () => shortKey.publicKey.export({ format: 'jwk' }) as JWK, 'RS256'],
  ])('does not blame the caller, nor itself, for a key that is %s', async (_, key, alg) => {
    const keys = setOf({ ...key(), kid: 'one', alg });
    const denied = { kind: 'denied', reason: 'unavailable', challenge: undefined };
    const [head, payload] = [{ alg, kid: 'one' }, { sub: 'ada' }].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    const token = bearing(`${head}.${payload}.${'A'.repeat(86)}`);
    expect(await identified({ ...policy, algorithms: [alg], keys }, token)).toEqual(denied);
  });

  it('names the scopes that are missing, all of them', async () => {
    const scoped = { ...policy, scopes: ['mcp:call', 'mcp:read'] };
    const answer = await identified(scoped, bearing(await tokenOf({ scope: 'mcp:read other' })));
    expect(answer).toEqual({
      kind: 'denied',
      reason: 'insufficient_scope',
      challenge: `Bearer error="insufficient_scope", scope="mcp:call mcp:read", resource_metadata="${METADATA_URL}"`,
    });
    expect(await identified(scoped, {})).toMatchObject({
      challenge: `Bearer scope="mcp:call mcp:read", resource_metadata="${METADATA_URL}"`,
    });
  });

  it.each([
    ['in one text', { scope: 'mcp:read mcp:call' }],
    ['as a list under another name', { scp: ['mcp:call', 'mcp:read'] }],
  ])('finds scopes %s', async (_, claims) => {
    const scoped = { ...policy, scopes: ['mcp:call', 'mcp:read'] };
    expect(await bindingFor(scoped, bearing(await tokenOf(claims)))).toBeDefined();
  });

  it('keeps its keys from request to request', async () => {
    const identify = createIdentify(policy);
    for (let round = 0; round < 3; round += 1) {
      expect((await identify(caller(bearing(await tokenOf())))).kind).toBe('known');
    }
  });
});

function swapPayload(token: string, claims: object): string {
  const [header, payload, signature] = token.split('.');
  const old = JSON.parse(Buffer.from(payload as string, 'base64url').toString()) as object;
  return [header, Buffer.from(JSON.stringify({ ...old, ...claims })).toString('base64url'), signature].join(
    '.',
  );
}

function unsigned(): string {
  const claims = { iss: ISSUER, aud: AUDIENCE, sub: 'ada', exp: seconds(60) };
  return [{ alg: 'none' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
    .concat('.');
}

async function hmacConfusion(): Promise<string> {
  const secret = new TextEncoder().encode(JSON.stringify(await publicKey(first, 'one')));
  return new SignJWT({ iss: ISSUER, aud: AUDIENCE, sub: 'ada', exp: seconds(60) })
    .setProtectedHeader({ alg: 'HS256', kid: 'one' })
    .sign(secret);
}
