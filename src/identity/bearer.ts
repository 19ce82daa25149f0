/** Named tokens: only their hashes are known here. */
import { hash, timingSafeEqual } from 'node:crypto';
import type { AuthPolicy, Identify, NamedToken } from '../engine/identity.js';
import { bindingOf, known } from './binding.js';
import { bearerToken, denied } from './challenge.js';

type BearerPolicy = AuthPolicy & { readonly mode: 'bearer' };

export function identifyByToken(policy: BearerPolicy): Identify {
  return ({ headers }) => {
    const given = bearerToken(headers);
    if (typeof given === 'string') return denied(given, policy);
    const name = findName(policy.tokens, given.token);
    return name === undefined ? denied('invalid', policy) : known(bindingOf('bearer', name));
  };
}

/** Looks at every token, whichever it is. */
function findName(tokens: readonly NamedToken[], token: string): string | undefined {
  const given = hash('sha256', token, 'buffer');
  let found: string | undefined;
  for (const { name, hash: expected } of tokens) {
    if (timingSafeEqual(given, expected)) found = name;
  }
  return found;
}
