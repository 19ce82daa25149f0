/** The upstream authenticates: here it is only known that two requests come with the same credential, or name the same caller. */
import type { AuthPolicy, Caller, Identify } from '../engine/identity.js';
import { isObject, member } from '../protocol/messages.js';
import { parseJson } from '../protocol/parse.js';
import { bindingOf, known, NOBODY } from './binding.js';

type PassthroughPolicy = AuthPolicy & { readonly mode: 'passthrough' };

const JWT = /^bearer +[\w-]+\.([\w-]+)\.[\w-]* *$/i;

export function identifyByCredential({ credential, claim, proxyHeader }: PassthroughPolicy): Identify {
  return (caller) => {
    const named = proxyHeader === undefined ? undefined : namedByProxy(caller, proxyHeader);
    if (named !== undefined) return known(bindingOf('proxy', named));
    const lines = caller.headers.all(credential);
    if (lines.length === 0) return NOBODY;
    const claimed =
      claim === undefined || lines.length > 1 ? undefined : readClaim(lines[0] as string, claim);
    return known(claimed ?? bindingOf('credential', ...lines));
  };
}

function namedByProxy({ headers, trusted }: Caller, field: string): string | undefined {
  const name = trusted ? headers.one(field) : undefined;
  return name === '' ? undefined : name;
}

/** Unverified: the upstream does not serve whoever made the claim up. */
function readClaim(authorization: string, claim: string): string | undefined {
  const payload = JWT.exec(authorization)?.[1];
  if (payload === undefined) return undefined;
  const claims = parseJson(Buffer.from(payload, 'base64url').toString('utf8'));
  if (!isObject(claims)) return undefined;
  const value = member(claims, claim);
  const issuer = member(claims, 'iss');
  if (typeof value !== 'string' || value === '') return undefined;
  return bindingOf('claim', typeof issuer === 'string' ? issuer : '', claim, value);
}
