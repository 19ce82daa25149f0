/** Answers that are no 2xx: JSON-RPC errors, OAuth errors, or whatever text a server or a proxy in front of it says. */
import { applyEdits, spanOf } from './json.js';
import { isJsonRpc, isObject, type JsonValue, type MessageId, member } from './messages.js';
import { foldName } from './names.js';
import { type Reading, readResponse } from './reading.js';
import { faultReading } from './received.js';
import type { Room } from './weight.js';

const FORBIDDEN: ReadonlySet<string> = new Set(['result', 'method', 'inputRequests'].map(foldName));

/**
 * Reads the body of a non-2xx answer. JSON, declared or not, must be unambiguous and carry no result, method or
 * inputRequests; text that is no JSON passes as it is (its value is undefined). A JSON-RPC error without id, or with
 * `id: null`, is given the request's: without it the client cannot tell what failed. Undefined where there is no room for
 * its values.
 */
export function readErrorAnswer(bytes: Buffer, declaredJson: boolean, id: MessageId | undefined): Reading;
export function readErrorAnswer(
  bytes: Buffer,
  declaredJson: boolean,
  id: MessageId | undefined,
  room: Room | undefined,
): Reading | undefined;
export function readErrorAnswer(
  bytes: Buffer,
  declaredJson: boolean,
  id: MessageId | undefined,
  room?: Room,
): Reading | undefined {
  const read = readResponse(bytes, room);
  if (read === undefined) return undefined;
  const reading = toleratingNames(read);
  if (reading.fault !== undefined) {
    if (reading.fault !== 'empty' && (declaredJson || !isText(bytes))) return reading;
    return { ...reading, fault: undefined, value: undefined };
  }
  if (carriesForbidden(reading.value)) return faultReading('error-shape');
  return id !== undefined && lacksId(reading.value) ? withId(reading, id) : reading;
}

/** Also a client that takes stray bytes and a byte order mark finds no JSON in it. */
function isText(bytes: Buffer): boolean {
  const { fault } = readResponse(Buffer.from(bytes.toString('utf8').replace(/^\ufeff/, '')));
  return fault === 'not-json' || fault === 'empty';
}

/** Another protocol's error may say `Error` or `Message` where JSON-RPC would say it in small letters. */
function toleratingNames(reading: Reading): Reading {
  if (reading.fault !== 'variant-member' || isRpcError(reading.value)) return reading;
  return { ...reading, fault: undefined, at: '' };
}

/** Is it an error for a JSON-RPC client, rather than another protocol's? */
export function isRpcError(value: JsonValue | undefined): boolean {
  return isObject(value) && isJsonRpc(value) && isObject(member(value, 'error'));
}

function carriesForbidden(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return value.some(carriesForbidden);
  return isObject(value) && Object.keys(value).some((name) => FORBIDDEN.has(foldName(name)));
}

function lacksId(value: JsonValue | undefined): boolean {
  return isRpcError(value) && isObject(value) && (member(value, 'id') ?? null) === null;
}

function withId(reading: Reading, id: MessageId): Reading {
  const open = reading.text.indexOf('{') + 1;
  const nullId = spanOf(reading.text, ['id']);
  const edit =
    nullId === undefined
      ? { start: open, end: open, text: `"id":${id.text},` }
      : { ...nullId, text: id.text };
  return readResponse(Buffer.from(applyEdits(reading.text, [edit])));
}
