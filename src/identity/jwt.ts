/** Access tokens that an authorization server signed (RFC 9068 in its essentials), verified by jose. */
import {
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose';
import type { AuthPolicy, Identified, Identify, JwksSource } from '../engine/identity.js';
import { bindingOf, known } from './binding.js';
import { bearerToken, denied } from './challenge.js';
import { KeysUnavailable, remoteKeys } from './remote-keys.js';

type JwtPolicy = AuthPolicy & { readonly mode: 'jwt' };

export function identifyByJwt(policy: JwtPolicy): Identify {
  const keys = keysOf(policy.keys);
  const options: JWTVerifyOptions = {
    issuer: policy.issuer,
    audience: [...policy.audience],
    algorithms: [...policy.algorithms],
    clockTolerance: policy.leewaySeconds,
    requiredClaims: ['exp', policy.claim],
  };
  return async ({ headers }) => {
    const given = bearerToken(headers);
    if (typeof given === 'string') return denied(given, policy);
    const claims = await verify(given.token, keys, options).catch(reasonOf);
    return typeof claims === 'string' ? denied(claims, policy) : judge(claims, policy);
  };
}

/** WebCrypto's own error, or jose's of a type: the authorization server's key is none, or none that is good enough. */
function reasonOf(error: unknown): 'unavailable' | 'invalid' {
  if (error instanceof errors.JOSEError) return 'invalid';
  const isOfKey = error instanceof DOMException || error instanceof TypeError;
  if (isOfKey || error instanceof KeysUnavailable) return 'unavailable';
  throw error;
}

function judge(claims: JWTPayload, policy: JwtPolicy): Identified {
  const name = claims[policy.claim];
  if (typeof name !== 'string' || name === '') return denied('invalid', policy);
  const granted = scopesOf(claims);
  if (!policy.scopes.every((scope) => granted.has(scope))) return denied('insufficient_scope', policy);
  return known(bindingOf('jwt', policy.issuer, policy.claim, name));
}

/** `scope` is a list in one text (RFC 9068); some authorization servers send `scp` instead. */
function scopesOf({ scope, scp }: JWTPayload): ReadonlySet<unknown> {
  const listed = [scope, scp].flatMap((value) => (typeof value === 'string' ? value.split(' ') : value));
  return new Set(listed);
}

/** A token that does not name its key is tried with every key that it may mean. */
async function verify(token: string, keys: JWTVerifyGetKey, options: JWTVerifyOptions): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, keys, options)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      try {
        return (await jwtVerify(token, key, options)).payload;
      } catch (failed) {
        if (!(failed instanceof errors.JWSSignatureVerificationFailed)) throw failed;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

function keysOf(source: JwksSource): JWTVerifyGetKey {
  return 'url' in source
    ? remoteKeys(source.url)
    : createLocalJWKSet(JSON.parse(source.set) as JSONWebKeySet);
}
