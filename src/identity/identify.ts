import type { AuthPolicy, Identify } from '../engine/identity.js';
import { identifyByToken } from './bearer.js';
import { NOBODY } from './binding.js';
import { identifyByJwt } from './jwt.js';
import { identifyByCredential } from './passthrough.js';

/** How a route finds out who asks. Keys that were fetched live as long as the function. */
export function createIdentify(policy: AuthPolicy): Identify {
  switch (policy.mode) {
    case 'none':
      return () => NOBODY;
    case 'passthrough':
      return identifyByCredential(policy);
    case 'bearer':
      return identifyByToken(policy);
    case 'jwt':
      return identifyByJwt(policy);
  }
}
