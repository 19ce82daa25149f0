import { passesAsLegacy } from '../../engine/exchange.js';
import type { Rule, Violation } from '../../engine/rule.js';
import { META_CLIENT_CAPABILITIES, META_PROTOCOL_VERSION } from '../../protocol/constants.js';
import { declaredVersion } from '../../protocol/legacy.js';
import { objectMember, pointer } from '../../protocol/messages.js';

export const requestMetaPresent: Rule<'inbound'> = {
  id: 'request-meta-present',
  stage: 'inbound',
  guarantees: 'Every request says in `_meta` which protocol version it speaks and what its client can do.',
  clause: {
    page: 'basic/index',
    anchor: 'meta',
    keyword: 'MUST',
    quote:
      'A request missing any required field is malformed; the server MUST reject it with JSON-RPC error code `-32602` (Invalid params).',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  remedy: { refuse: 'invalidParams' },
  check(exchange) {
    const { envelope, id, meta, params } = exchange.message;
    if (id === undefined || passesAsLegacy(exchange)) return undefined;
    if (objectMember(envelope, 'params') === undefined) return lacking('params', 'an object', 'params');
    if (objectMember(params, '_meta') === undefined)
      return lacking('params._meta', 'an object', 'params', '_meta');
    if (declaredVersion(meta) === undefined) return lackingKey(META_PROTOCOL_VERSION, 'a non-empty string');
    return objectMember(meta, META_CLIENT_CAPABILITIES) === undefined
      ? lackingKey(META_CLIENT_CAPABILITIES, 'an object')
      : undefined;
  },
};

function lackingKey(key: string, type: string): Violation {
  return lacking(`params._meta["${key}"]`, type, 'params', '_meta', key);
}

function lacking(name: string, type: string, ...path: readonly string[]): Violation {
  return { at: pointer(...path), message: `invalid params: ${name} is required and must be ${type}` };
}
