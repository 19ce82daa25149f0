/**
 * Tolerant typed readers over parsed JSON. Readers never throw and never trust a prototype: a member counts only when
 * it is the object's own.
 */
import { JSON_RPC_VERSION } from './constants.js';

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: JsonValue;
}

/** A JSON-RPC id: the parsed value, and its exact JSON text, since integers past 2^53 lose digits when parsed. */
export interface MessageId {
  readonly value: string | number;
  readonly text: string;
}

export interface RpcError {
  readonly code: JsonValue | undefined;
  readonly message: JsonValue | undefined;
  readonly data: JsonValue | undefined;
}

/** A message from the client after the parse stage: a request (with id) or a notification (without). */
export interface ClientMessage {
  readonly envelope: JsonObject;
  /** Undefined also for the response of a legacy client: its id is not one that is answered. */
  readonly id: MessageId | undefined;
  /** Empty when there is none. */
  readonly method: string;
  /** `params` when it is an object; else an empty object (`hasParams` says which). */
  readonly params: JsonObject;
  /** `params._meta` when it is an object; else an empty object. */
  readonly meta: JsonObject;
}

/** A message from the upstream, by its shape alone. `foreign` is a JSON value that is no JSON-RPC message. */
export type ServerMessage =
  | {
      readonly kind: 'response';
      readonly envelope: JsonObject;
      readonly id: MessageId | undefined;
      readonly result: JsonObject | undefined;
      readonly error: RpcError | undefined;
    }
  | {
      readonly kind: 'request' | 'notification';
      readonly envelope: JsonObject;
      readonly id: MessageId | undefined;
      readonly method: string;
      readonly params: JsonObject;
    }
  | { readonly kind: 'foreign'; readonly envelope: JsonObject };

const EMPTY: JsonObject = Object.freeze(Object.create(null) as JsonObject);

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

export function has(object: JsonObject, member: string): boolean {
  return Object.hasOwn(object, member);
}

/** The object's own member, whatever its type; undefined when it has none. */
export function member(object: JsonObject, name: string): JsonValue | undefined {
  const value = object[name];
  return value !== undefined && Object.hasOwn(object, name) ? value : undefined;
}

export function objectMember(object: JsonObject, name: string): JsonObject | undefined {
  const value = member(object, name);
  return isObject(value) ? value : undefined;
}

export function arrayMember(object: JsonObject, name: string): readonly JsonValue[] | undefined {
  const value = member(object, name);
  return isArray(value) ? value : undefined;
}

export function stringMember(object: JsonObject, name: string): string | undefined {
  const value = member(object, name);
  return typeof value === 'string' ? value : undefined;
}

export function numberMember(object: JsonObject, name: string): number | undefined {
  const value = member(object, name);
  return typeof value === 'number' ? value : undefined;
}

/** A string or an integer is an id; anything else is none. `lexeme` is asked only for integers past 2^53. */
export function readId(envelope: JsonObject, lexeme: () => string): MessageId | undefined {
  const value = member(envelope, 'id');
  if (typeof value === 'string') return { value, text: JSON.stringify(value) };
  if (typeof value !== 'number' || !Number.isInteger(value)) return undefined;
  return { value, text: Number.isSafeInteger(value) ? String(value) : lexeme() };
}

/** Ids are equal when type and every digit are: `1` and `"1"` differ. */
export function sameId(one: MessageId | undefined, other: MessageId | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one.value === other.value && (typeof one.value === 'string' || one.text === other.text);
}

export function readClientMessage(envelope: JsonObject, lexeme: () => string): ClientMessage {
  const params = objectMember(envelope, 'params') ?? EMPTY;
  const method = stringMember(envelope, 'method');
  return {
    envelope,
    id: method === undefined ? undefined : readId(envelope, lexeme),
    method: method ?? '',
    params,
    meta: objectMember(params, '_meta') ?? EMPTY,
  };
}

export function readServerMessage(envelope: JsonObject, lexeme: () => string): ServerMessage {
  const method = stringMember(envelope, 'method');
  if (method !== undefined) {
    const kind = has(envelope, 'id') ? 'request' : 'notification';
    const given = member(envelope, 'params') ?? null;
    const params = isObject(given) ? given : EMPTY;
    if (kind === 'notification' && params !== given && given !== null) return { kind: 'foreign', envelope };
    return { kind, envelope, id: readId(envelope, lexeme), method, params };
  }
  if (has(envelope, 'result') || has(envelope, 'error')) {
    const error = objectMember(envelope, 'error');
    return {
      kind: 'response',
      envelope,
      id: readId(envelope, lexeme),
      result: objectMember(envelope, 'result'),
      error: error && {
        code: member(error, 'code'),
        message: member(error, 'message'),
        data: member(error, 'data'),
      },
    };
  }
  return { kind: 'foreign', envelope };
}

export function isJsonRpc(envelope: JsonObject): boolean {
  return member(envelope, 'jsonrpc') === JSON_RPC_VERSION;
}

/** `/a/b~1c`: a JSON Pointer (RFC 6901) to the named place. */
export function pointer(...path: readonly (string | number)[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
