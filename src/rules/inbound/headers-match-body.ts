import { type Exchange, passesAsLegacy } from '../../engine/exchange.js';
import type { Rule } from '../../engine/rule.js';
import { HEADER_PROTOCOL_VERSION, METHOD_INITIALIZE } from '../../protocol/constants.js';
import { isLegalValue } from '../../protocol/headers.js';
import { declaredVersion } from '../../protocol/legacy.js';
import { type Mirror, type MirrorFault, mirrorFault, mirrorsOf } from '../../protocol/mirrored.js';

export const headersMatchBody: Rule<'inbound'> = {
  id: 'headers-match-body',
  stage: 'inbound',
  guarantees: 'What a proxy reads in MCP-Protocol-Version, Mcp-Method and Mcp-Name is what the body says.',
  clause: {
    page: 'basic/transports/streamable-http',
    anchor: 'server-validation',
    keyword: 'MUST',
    quote:
      'Servers that process the request body MUST reject requests where the values specified in the headers do not match the corresponding values in the request body.',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  remedy: { refuse: 'headerMismatch' },
  check(exchange) {
    if (passesAsLegacy(exchange) || speaksAnotherVersion(exchange)) return undefined;
    const { headers, message } = exchange;
    for (const mirror of mirrorsOf(message.method)) {
      const fault = mirrorFault(mirror, message, headers.all(mirror.field));
      if (fault !== undefined) return { at: mirror.field, message: sentence(mirror, fault) };
    }
    return undefined;
  },
};

/** A legacy client: it sends none of the other fields, and is told the versions by the next rule. */
function speaksAnotherVersion({ headers, message, policy }: Exchange): boolean {
  if (declaredVersion(message.meta) !== undefined) return false;
  if (!headers.has(HEADER_PROTOCOL_VERSION)) return message.method === METHOD_INITIALIZE;
  const version = headers.one(HEADER_PROTOCOL_VERSION) ?? '';
  return version !== '' && isLegalValue(version) && !policy.versions.includes(version);
}

function sentence({ label, source }: Mirror, fault: MirrorFault): string {
  switch (fault) {
    case 'missing':
      return `Header mismatch: ${label} is missing`;
    case 'repeated':
      return `Header mismatch: ${label} is sent more than once`;
    case 'malformed':
      return `Header mismatch: ${label} holds invalid characters or malformed Base64`;
    case 'different':
      return `Header mismatch: ${label} does not match ${source}`;
  }
}
