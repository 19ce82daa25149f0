import { type Exchange, passesAsLegacy } from '../../engine/exchange.js';
import type { Rule, Violation } from '../../engine/rule.js';
import {
  HEADER_PROTOCOL_VERSION,
  META_PROTOCOL_VERSION,
  METHOD_INITIALIZE,
} from '../../protocol/constants.js';
import { declaredVersion } from '../../protocol/legacy.js';
import { pointer, stringMember } from '../../protocol/messages.js';

const MAX_REQUESTED = 64;

export const protocolVersionSupported: Rule<'inbound'> = {
  id: 'protocol-version-supported',
  stage: 'inbound',
  guarantees:
    'A message speaks a protocol version that the route lets through; any other is told which those are.',
  clause: {
    page: 'basic/transports/streamable-http',
    anchor: 'protocol-version-header',
    keyword: 'MUST',
    quote:
      'If the server does not implement the requested protocol version (whether the version is unknown to the server, or is a known version the server has chosen not to support), it MUST respond with `400 Bad Request` and an `UnsupportedProtocolVersionError` listing its supported versions.',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  remedy: { refuse: 'unsupportedVersion' },
  check(exchange) {
    if (passesAsLegacy(exchange)) return undefined;
    const { headers, message, policy } = exchange;
    const declared = declaredVersion(message.meta);
    if (declared !== undefined && !policy.versions.includes(declared)) {
      return unsupported(pointer('params', '_meta', META_PROTOCOL_VERSION), declared);
    }
    const header = headers.one(HEADER_PROTOCOL_VERSION) || undefined;
    if (header === undefined ? declared !== undefined : policy.versions.includes(header)) return undefined;
    if (declared === undefined && message.method === METHOD_INITIALIZE) return legacyInitialize(exchange);
    return header === undefined ? undefined : unsupported(HEADER_PROTOCOL_VERSION, header);
  },
};

/** The handshake of earlier revisions names its version in the body. */
function legacyInitialize({ message }: Exchange): Violation {
  return unsupported('/params/protocolVersion', stringMember(message.params, 'protocolVersion') ?? '');
}

function unsupported(at: string, version: string): Violation {
  const requested = version.slice(0, MAX_REQUESTED).replace(/[^\w.+-]/g, '');
  return { at, message: 'Unsupported protocol version', detail: { kind: 'version', requested } };
}
