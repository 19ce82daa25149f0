/** What a server asks of the client's user: the entries of every `inputRequests` map in one message. */
import { METHOD_ELICIT, NOTIFICATION_TASKS } from './constants.js';
import {
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  member,
  objectMember,
  pointer,
  type ServerMessage,
  stringMember,
} from './messages.js';

export interface InputRequest {
  readonly key: string;
  /** JSON Pointer to the entry in the message. */
  readonly at: string;
  readonly value: JsonValue;
  /** `method` when the entry is an object that has one as a string. */
  readonly method: string | undefined;
  /** `params` when it is an object; else undefined. */
  readonly params: JsonObject | undefined;
}

const NONE: readonly InputRequest[] = Object.freeze([]);

/**
 * The entries that the message would put before a user: those of a result (an InputRequiredResult, a task, or any other
 * result that has the member) and of notifications/tasks. A list is read like a map, as a careless client would; anything
 * else yields none.
 */
export function readInputRequests(
  message: ServerMessage | undefined,
  legacy = false,
): readonly InputRequest[] {
  if (message === undefined || message.kind === 'foreign') return NONE;
  if (legacy && message.kind === 'request') return readLegacyInputRequests(message);
  if (message.kind === 'response') return entries(message.result, 'result');
  return message.method === NOTIFICATION_TASKS ? entries(message.params, 'params') : NONE;
}

/**
 * Legacy traffic asks by requests of its own: an elicitation/create is one entry without a key, and the entry is the
 * whole message. Other legacy requests carry no form.
 */
export function readLegacyInputRequests(message: ServerMessage | undefined): readonly InputRequest[] {
  if (message?.kind !== 'request' || message.method !== METHOD_ELICIT) return NONE;
  const { envelope, method } = message;
  return [{ key: '', at: '', value: envelope, method, params: objectMember(envelope, 'params') }];
}

function entries(holder: JsonObject | undefined, step: string): readonly InputRequest[] {
  const map = holder && member(holder, 'inputRequests');
  if (!isObject(map) && !isArray(map)) return NONE;
  return Object.entries(map as JsonObject).map(([key, value]) => {
    const entry = isObject(value) ? value : undefined;
    return {
      key,
      at: pointer(step, 'inputRequests', key),
      value,
      method: entry && stringMember(entry, 'method'),
      params: entry && objectMember(entry, 'params'),
    };
  });
}
