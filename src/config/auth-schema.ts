import { z } from 'zod';
import { fieldNameFault, issuerFault, jwksFault, nameFault, scopeFault, tokenHashFault } from './formats.js';
import { list, noted, text, unsetText } from './values.js';

export const AUTH_MODES = ['none', 'passthrough', 'bearer', 'jwt'] as const;
export type AuthMode = (typeof AUTH_MODES)[number];

/** Public keys sign none of these away: a key set of an authorization server never holds a secret. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
] as const;

/** Which modes a key has a meaning in. */
export const AUTH_KEYS: ReadonlyMap<string, readonly AuthMode[]> = new Map<string, readonly AuthMode[]>([
  ['credential', ['passthrough']],
  ['proxyHeader', ['passthrough']],
  ['claim', ['passthrough', 'jwt']],
  ['tokens', ['bearer']],
  ['issuer', ['jwt']],
  ['audience', ['jwt']],
  ['jwks', ['jwt']],
  ['algorithms', ['jwt']],
  ['leewaySeconds', ['jwt']],
  ['scopes', ['jwt']],
  ['authorizationServers', ['bearer', 'jwt']],
  ['forwardAuthorization', ['bearer', 'jwt']],
]);

const keys = z.strictObject({
  mode: z
    .enum(AUTH_MODES)
    .default('passthrough')
    .describe(
      '`none`: callers are not told apart. `passthrough`: the upstream authenticates; callers are told apart by their credentials. `bearer`: named tokens. `jwt`: access tokens of an authorization server.',
    ),
  credential: text(fieldNameFault)
    .default('authorization')
    .describe('passthrough: the field that carries the credential.'),
  claim: noted(
    unsetText().describe(
      'passthrough: the claim of the JWT, which the upstream verifies, that names the caller instead of the whole credential. jwt: the claim that names the caller.',
    ),
    { derived: 'jwt: sub' },
  ),
  proxyHeader: unsetText(fieldNameFault).describe(
    'passthrough: the field in which a trusted proxy names the caller. From any other address it is taken away.',
  ),
  tokens: z
    .record(text(nameFault), z.array(noted(text(tokenHashFault), { file: true, secret: true })).min(1))
    .default({})
    .describe('bearer: lists of hashes of tokens, by caller, as `mrtr-gateway keygen --token` prints them.'),
  issuer: unsetText(issuerFault).describe('jwt: the authorization server, as its tokens name it.'),
  audience: noted(list().describe('jwt: what tokens must be meant for, one of these.'), {
    derived: 'the route’s URL below `publicUrl`',
  }),
  jwks: noted(
    unsetText(jwksFault).describe('jwt: URL of the authorization server’s key set, or the key set itself.'),
    { file: true },
  ),
  algorithms: z
    .array(z.enum(ALGORITHMS))
    .min(1)
    .default(['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'])
    .describe('jwt: signature algorithms that are accepted.'),
  leewaySeconds: z.int().min(0).max(300).default(30).describe('jwt: how far clocks may differ.'),
  scopes: list(scopeFault).describe('jwt: scopes that a token must have, all of them.'),
  authorizationServers: noted(
    list(issuerFault).describe('bearer, jwt: where clients get tokens, as the route’s metadata names it.'),
    { derived: 'jwt: the issuer' },
  ),
  forwardAuthorization: z
    .boolean()
    .default(false)
    .describe('bearer, jwt: the caller’s token reaches the upstream, for which it was not meant.'),
});

/** `auth: jwt` is `auth: { mode: jwt }`. */
export const auth = z.preprocess(
  (value: string | z.input<typeof keys>) => (typeof value === 'string' ? { mode: value as AuthMode } : value),
  keys,
);

export type AuthConfig = z.output<typeof keys>;
