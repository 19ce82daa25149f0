/** WWW-Authenticate for those who are not let in (RFC 6750 section 3, RFC 9728 section 5.1). */
import type { DenialReason, Identified, Protected } from '../engine/identity.js';
import type { HeaderFields } from '../protocol/headers.js';

const ERRORS: Readonly<Record<Exclude<DenialReason, 'unavailable'>, string | undefined>> = {
  // A caller who sent nothing is told of no error.
  missing: undefined,
  invalid: 'invalid_token',
  insufficient_scope: 'insufficient_scope',
};
/** The scheme wants at least one parameter. */
const REALM = 'realm="mrtr-gateway"';
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

export function denied(reason: DenialReason, { scopes, metadataUrl }: Protected): Identified {
  if (reason === 'unavailable') return { kind: 'denied', reason, challenge: undefined };
  const parameters = [
    ['error', ERRORS[reason]],
    ['scope', scopes.length > 0 ? scopes.join(' ') : undefined],
    ['resource_metadata', metadataUrl],
  ].flatMap(([name, value]) => (value === undefined ? [] : [`${name}="${value}"`]));
  return { kind: 'denied', reason, challenge: `Bearer ${parameters.join(', ') || REALM}` };
}

/** The bearer token of a request; `missing` when there is no Authorization, `invalid` when it is no single bearer token. */
export function bearerToken(headers: HeaderFields): { token: string } | 'missing' | 'invalid' {
  const lines = headers.all('authorization');
  if (lines.length === 0) return 'missing';
  const token = lines.length === 1 ? BEARER.exec(lines[0] as string)?.[1] : undefined;
  return token === undefined ? 'invalid' : { token };
}
