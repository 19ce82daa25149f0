import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AuthPolicy } from '../../src/engine/identity.js';
import { bindingFor, identified, METADATA_URL, PROTECTED } from './callers.js';

const token = (name: string, text: string) => ({ name, hash: createHash('sha256').update(text).digest() });
const POLICY: AuthPolicy = {
  ...PROTECTED,
  mode: 'bearer',
  tokens: [token('ada', 'adas-token'), token('ada', 'adas-next-token'), token('bob', 'bobs-token')],
};
const bearing = (text: string) => ({ authorization: `Bearer ${text}` });

describe('mode bearer', () => {
  it('knows callers by the names of their tokens', async () => {
    const ada = await bindingFor(POLICY, bearing('adas-token'));
    expect(ada).toMatch(/^[\w-]{22}$/);
    expect(await bindingFor(POLICY, bearing('adas-next-token'))).toBe(ada);
    expect(await bindingFor(POLICY, bearing('bobs-token'))).not.toBe(ada);
  });

  it.each(['Bearer adas-token', 'bearer adas-token', 'BEARER   adas-token '])(
    'reads %j',
    async (authorization) => {
      expect(await bindingFor(POLICY, { authorization })).toBe(
        await bindingFor(POLICY, bearing('adas-token')),
      );
    },
  );

  it('asks for a token where there is none, and says where to get one', async () => {
    expect(await identified(POLICY, {})).toEqual({
      kind: 'denied',
      reason: 'missing',
      challenge: `Bearer resource_metadata="${METADATA_URL}"`,
    });
  });

  it.each([
    ['an unknown token', 'Bearer other'],
    ['a token with more at its end', 'Bearer adas-tokenx'],
    ['a part of a token', 'Bearer adas-toke'],
    ['another scheme', 'Basic adas-token'],
    ['no scheme', 'adas-token'],
    ['two tokens', 'Bearer adas-token bobs-token'],
    ['nothing', ''],
    ['two fields', ['Bearer adas-token', 'Bearer adas-token']],
  ])('refuses %s', async (_, authorization) => {
    expect(await identified(POLICY, { authorization })).toEqual({
      kind: 'denied',
      reason: 'invalid',
      challenge: `Bearer error="invalid_token", resource_metadata="${METADATA_URL}"`,
    });
  });

  it('has a challenge also where it is not known how clients see the gateway', async () => {
    const hidden: AuthPolicy = { ...POLICY, metadataUrl: undefined };
    expect(await identified(hidden, {})).toMatchObject({ challenge: 'Bearer realm="mrtr-gateway"' });
    expect(await identified(hidden, bearing('x'))).toMatchObject({
      challenge: 'Bearer error="invalid_token"',
    });
  });
});
