import type { Rule, Violation } from '../../engine/rule.js';
import { NOTIFICATION_PREFIX } from '../../protocol/constants.js';
import { has, isJsonRpc, isObject, type JsonObject, member, stringMember } from '../../protocol/messages.js';
import { MAX_DEPTH } from '../../protocol/reading.js';

export const singleMessage: Rule<'parse'> = {
  id: 'single-message',
  stage: 'parse',
  guarantees:
    'A body is one JSON-RPC 2.0 request or notification: no batch, no response, no null id, bounded nesting.',
  clause: {
    page: 'basic/transports/streamable-http',
    anchor: 'sending-messages',
    keyword: 'MUST',
    quote: 'The body of the HTTP POST MUST be a single JSON-RPC request or notification.',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  locked: 'the rules after it judge exactly one request or notification',
  remedy: { refuse: 'invalidRequest' },
  check({ reading, legacy }) {
    if (reading.fault === 'too-deep' || reading.depth > MAX_DEPTH) {
      return violation(reading.at, 'the body is nested too deeply');
    }
    return isObject(reading.value)
      ? envelopeFault(reading.value, legacy)
      : violation('', 'the body is not a single JSON-RPC message');
  },
};

function envelopeFault(envelope: JsonObject, legacy: boolean): Violation | undefined {
  if (!isJsonRpc(envelope)) return violation('/jsonrpc', 'jsonrpc must be "2.0"');
  if (legacy && !has(envelope, 'method') && isId(envelope)) return undefined;
  if (has(envelope, 'result')) return violation('/result', 'a client sends no response');
  if (has(envelope, 'error')) return violation('/error', 'a client sends no response');
  const method = stringMember(envelope, 'method');
  if (method === undefined) return violation('/method', 'method must be a string');
  if (method.startsWith(NOTIFICATION_PREFIX)) return notificationFault(envelope);
  if (!has(envelope, 'id')) return violation('/id', 'a request must have an id');
  return isId(envelope) ? undefined : violation('/id', 'id must be a string or an integer');
}

/** Null stands for no params in some clients. A request without an object lacks the `_meta` that a later rule asks for. */
function notificationFault(envelope: JsonObject): Violation | undefined {
  if (has(envelope, 'id')) return violation('/id', 'a notification has no id');
  const params = member(envelope, 'params') ?? null;
  return params === null || isObject(params) ? undefined : violation('/params', 'params must be an object');
}

function isId(envelope: JsonObject): boolean {
  const id = member(envelope, 'id');
  return typeof id === 'string' || Number.isInteger(id);
}

function violation(at: string, fault: string): Violation {
  return { at, message: `Invalid request: ${fault}` };
}
