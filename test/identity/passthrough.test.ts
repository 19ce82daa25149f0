import { describe, expect, it } from 'vitest';
import type { AuthPolicy } from '../../src/engine/identity.js';
import type { HeaderValues } from '../rules/fixtures.js';
import { bindingFor } from './callers.js';

const PLAIN = {
  mode: 'passthrough',
  credential: 'authorization',
  claim: undefined,
  proxyHeader: undefined,
} as const;
const CLAIM: AuthPolicy = { ...PLAIN, claim: 'sub' };
const PROXY: AuthPolicy = { ...PLAIN, proxyHeader: 'x-user' };
const ALICE = { authorization: 'Bearer alices-token' };

function jwt(claims: object, signature = 'c2ln'): HeaderValues {
  const encoded = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return { authorization: `Bearer eyJhbGciOiJub25lIn0.${encoded}.${signature}` };
}

describe('mode none', () => {
  it('tells nobody from anybody', async () => {
    expect(await bindingFor({ mode: 'none' }, ALICE)).toBe('');
    expect(await bindingFor({ mode: 'none' }, {})).toBe('');
  });
});

describe('mode passthrough', () => {
  it('knows a caller again by the credential, of which nothing shows', async () => {
    const binding = await bindingFor(PLAIN, ALICE);
    expect(binding).toMatch(/^[\w-]{22}$/);
    expect(await bindingFor(PLAIN, ALICE)).toBe(binding);
    expect(await bindingFor(PLAIN, { authorization: 'Bearer bobs-token' })).not.toBe(binding);
  });

  it('takes a caller without credential for nobody in particular', async () => {
    expect(await bindingFor(PLAIN, {})).toBe('');
    expect(await bindingFor(PROXY, {}, true)).toBe('');
  });

  it('tells two credentials from one that looks like both', async () => {
    const twice = await bindingFor(PLAIN, { authorization: ['a', 'b'] });
    expect(twice).not.toBe(await bindingFor(PLAIN, { authorization: 'a, b' }));
    expect(twice).not.toBe(await bindingFor(PLAIN, { authorization: 'ab' }));
    expect(twice).not.toBe(await bindingFor(PLAIN, { authorization: 'a' }));
  });

  it('reads the credential from another field where one is named', async () => {
    const policy: AuthPolicy = { ...PLAIN, credential: 'x-api-key' };
    expect(await bindingFor(policy, ALICE)).toBe('');
    expect(await bindingFor(policy, { 'x-api-key': 'k' })).toMatch(/^[\w-]{22}$/);
  });
});

describe('mode passthrough with a claim', () => {
  it('knows a caller again by the claim, whatever else the token says', async () => {
    const before = await bindingFor(CLAIM, jwt({ iss: 'i', sub: 'alice', exp: 1 }));
    expect(await bindingFor(CLAIM, jwt({ exp: 2, sub: 'alice', iss: 'i' }, 'b3Ro'))).toBe(before);
    expect(await bindingFor(CLAIM, jwt({ iss: 'i', sub: 'bob' }))).not.toBe(before);
    expect(await bindingFor(CLAIM, jwt({ iss: 'j', sub: 'alice' }))).not.toBe(before);
  });

  it.each<[string, HeaderValues]>([
    ['is no JWT', ALICE],
    ['lacks the claim', jwt({ iss: 'i' })],
    ['has an empty claim', jwt({ sub: '' })],
    ['has the claim as an object', jwt({ sub: { a: 1 } })],
    ['is no JSON', { authorization: 'Bearer a.b.c' }],
    ['is JSON but no object', { authorization: `Bearer a.${Buffer.from('[]').toString('base64url')}.c` }],
    ['is not a bearer token', { authorization: 'Basic YTpi' }],
  ])('falls back on the credential as a whole when it %s', async (_, values) => {
    expect(await bindingFor(CLAIM, values)).toBe(await bindingFor(PLAIN, values));
  });
});

describe('mode passthrough with the field of a proxy', () => {
  it('believes it from a trusted address alone', async () => {
    const named = { ...ALICE, 'x-user': 'ada' };
    const ada = await bindingFor(PROXY, named, true);
    expect(ada).toBe(await bindingFor(PROXY, { 'x-user': 'ada' }, true));
    expect(await bindingFor(PROXY, named, false)).toBe(await bindingFor(PLAIN, ALICE));
    expect(ada).not.toBe(await bindingFor(PLAIN, ALICE));
  });

  it('does not believe a field that is there twice, or empty', async () => {
    for (const value of [['ada', 'bob'], '']) {
      expect(await bindingFor(PROXY, { ...ALICE, 'x-user': value }, true)).toBe(
        await bindingFor(PLAIN, ALICE),
      );
    }
  });

  it('keeps the kinds of knowledge apart', async () => {
    const same = 'ada';
    const byProxy = await bindingFor(PROXY, { 'x-user': same }, true);
    const byCredential = await bindingFor(PLAIN, { authorization: same });
    const byClaim = await bindingFor(CLAIM, jwt({ sub: same }));
    expect(new Set([byProxy, byCredential, byClaim]).size).toBe(3);
  });
});
