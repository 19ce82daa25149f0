/** What is still known of a long request while its answer is awaited: its bytes, and what is asked of it until the end. */
import {
  META_LOG_LEVEL,
  META_PROTOCOL_VERSION,
  METHOD_LISTEN,
  METHOD_TOOLS_CALL,
} from '../protocol/constants.js';
import {
  type ClientMessage,
  has,
  type JsonObject,
  type JsonValue,
  member,
  objectMember,
  stringMember,
} from '../protocol/messages.js';
import type { Reading } from '../protocol/reading.js';
import type { Exchange } from './exchange.js';
import type { ToolPolicy } from './policy.js';

const PARAMS: readonly string[] = ['name', 'uri', 'taskId'];
const META: readonly string[] = ['progressToken', META_LOG_LEVEL, META_PROTOCOL_VERSION];
const NOTHING: JsonObject = Object.freeze({});

/**
 * Drops, from the very objects that everybody holds, what has been made of the bytes. False: the message has to be kept,
 * since a subscription's filter is judged by for as long as it lasts, and arguments that are audited at its end.
 */
export function forget(exchange: Exchange, reading: Reading): boolean {
  Object.assign(reading, { text: '', value: undefined });
  const { message, policy, capabilities } = exchange;
  const tool =
    message.method === METHOD_TOOLS_CALL
      ? policy.tools.get(stringMember(message.params, 'name') ?? '')
      : undefined;
  if (message.method === METHOD_LISTEN || (tool?.auditArguments.length ?? 0) > 0) return false;
  Object.assign(message, remembered(message, tool));
  // Whether one is unknown is all that is asked of them.
  Object.assign(exchange, {
    capabilities: { ...capabilities, extensions: capabilities.extensions.slice(0, 2) },
  });
  return true;
}

function remembered(
  { params, meta }: ClientMessage,
  tool: ToolPolicy | undefined,
): Pick<ClientMessage, 'envelope' | 'params' | 'meta'> {
  const given = objectMember(params, 'arguments') ?? NOTHING;
  const elicited = (tool?.elicits ?? []).filter((name) => has(given, name)).map((name) => [name, true]);
  return {
    envelope: NOTHING,
    params: { ...scalars(params, PARAMS), arguments: Object.fromEntries(elicited) },
    meta: scalars(meta, META),
  };
}

function scalars(object: JsonObject, names: readonly string[]): JsonObject {
  const kept: [string, JsonValue][] = [];
  for (const name of names) {
    const value = member(object, name);
    if (value !== undefined && typeof value !== 'object') kept.push([name, value]);
  }
  return Object.fromEntries(kept);
}
