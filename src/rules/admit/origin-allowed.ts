import type { OriginPolicy } from '../../engine/exchange.js';
import type { Rule } from '../../engine/rule.js';
import { HEADER_HOST, HEADER_ORIGIN } from '../../protocol/constants.js';
import { isLoopbackHost, isLoopbackOrigin, parseAuthority } from '../../protocol/origins.js';

export const originAllowed: Rule<'admit'> = {
  id: 'origin-allowed',
  stage: 'admit',
  guarantees:
    'A browser page of a foreign origin reaches no path, also not through a name that it made point here.',
  clause: {
    page: 'basic/transports/streamable-http',
    anchor: 'security--endpoint',
    keyword: 'MUST',
    quote:
      'Servers MUST validate the `Origin` header on all incoming connections to prevent DNS rebinding attacks.',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  locked:
    'letting foreign origins in undoes the protection against DNS rebinding; list them in allowedOrigins instead',
  remedy: { refuse: 'originForbidden' },
  check({ headers, origins }) {
    if (
      !headers.all(HEADER_ORIGIN).every((origin, index) => index === 0 && isAllowedOrigin(origin, origins))
    ) {
      return { at: HEADER_ORIGIN, message: 'Forbidden: the Origin header names no allowed origin' };
    }
    if (origins.checkHost && !isAllowedHost(headers.one(HEADER_HOST) ?? '', origins)) {
      return { at: HEADER_HOST, message: 'Forbidden: the Host header names no allowed host' };
    }
    return undefined;
  },
};

/** A sandboxed page sends `null`, which is no origin and on no list. */
function isAllowedOrigin(origin: string, { loopback, origins }: OriginPolicy): boolean {
  return origins.has(origin.toLowerCase()) || (loopback && isLoopbackOrigin(origin));
}

function isAllowedHost(value: string, { loopback, hosts }: OriginPolicy): boolean {
  const authority = parseAuthority(value);
  if (authority === undefined) return false;
  return (
    hosts.has(value.toLowerCase()) ||
    hosts.has(authority.host) ||
    (loopback && isLoopbackHost(authority.host))
  );
}
