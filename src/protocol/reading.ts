import { isAscii, isUtf8 } from 'node:buffer';
import { boundedPointer, findRepeated, measure } from './json.js';
import type { JsonValue } from './messages.js';
import { CLIENT_ENVELOPE, findVariant, type Level, SERVER_ENVELOPE } from './names.js';
import { parseJson } from './parse.js';
import { LONG_BYTES, type Room, weigh } from './weight.js';

/** Why bytes could not become one unambiguous JSON value. A closed set: it labels findings, never quotes the bytes. */
export type ReadFault =
  | 'too-large'
  | 'media-type'
  | 'coding'
  | 'charset'
  | 'redirect'
  | 'not-utf8'
  | 'bom'
  | 'empty'
  | 'not-json'
  | 'duplicate-member'
  | 'variant-member'
  | 'too-deep'
  | 'error-shape';

/** Deepest nesting of a message that is judged: serialising it overflows the stack long before parsing does. */
export const MAX_DEPTH = 512;

const BYTE_ORDER_MARK = 0xfeff;

/** Bytes and what they say. With a fault the value is whatever could still be read (for the id), or undefined. */
export interface Reading {
  readonly bytes: Buffer;
  readonly text: string;
  readonly value: JsonValue | undefined;
  /** Deepest nesting of arrays and objects; a scalar is 0. */
  readonly depth: number;
  readonly fault: ReadFault | undefined;
  /** JSON Pointer of the fault where known (escaped, at most 200 characters); else ''. */
  readonly at: string;
}

/** Each fault as the end of a sentence. */
export const FAULT_WORDS: Readonly<Record<ReadFault, string>> = Object.freeze({
  'too-large': 'it is larger than the limit',
  'media-type': 'its media type is neither JSON nor an event stream',
  coding: 'its content coding is not supported',
  charset: 'its charset is not UTF-8',
  redirect: 'it is a redirect',
  'not-utf8': 'it is not valid UTF-8',
  bom: 'it begins with a byte order mark',
  empty: 'it is empty',
  'not-json': 'it is not one JSON value',
  'duplicate-member': 'an object names a member twice',
  'variant-member': 'a member is spelt almost like one of the protocol',
  'too-deep': 'it is nested too deeply',
  'error-shape': 'an error answer carries result, method or inputRequests',
});

/**
 * Reads a client's body. Nesting is not its fault here: a message that is too deep is still answered with its id.
 * Undefined where there is no room for its values.
 */
export function readRequest(bytes: Buffer): Reading;
export function readRequest(bytes: Buffer, room: Room | undefined): Reading | undefined;
export function readRequest(bytes: Buffer, room?: Room): Reading | undefined {
  return read(bytes, CLIENT_ENVELOPE, Number.POSITIVE_INFINITY, room);
}

/** Reads an upstream's body, or the data of one event. Undefined where there is no room for its values. */
export function readResponse(bytes: Buffer): Reading;
export function readResponse(bytes: Buffer, room: Room | undefined): Reading | undefined;
export function readResponse(bytes: Buffer, room?: Room): Reading | undefined {
  return read(bytes, SERVER_ENVELOPE, MAX_DEPTH, room);
}

/** The text of a message, also when the reading has forgotten it. */
export function textOf({ bytes, text }: Reading): string {
  return text === '' ? bytes.toString('utf8') : text;
}

function read(bytes: Buffer, envelope: Level, maxDepth: number, room: Room | undefined): Reading | undefined {
  if (bytes.length === 0) return unreadable(bytes, '', 'empty');
  // Most messages are ASCII, where each byte is a character: that is half the work.
  const encoding = isAscii(bytes) ? 'latin1' : isUtf8(bytes) ? 'utf8' : undefined;
  if (encoding === undefined) return unreadable(bytes, '', 'not-utf8');
  const weight = bytes.length > LONG_BYTES ? weigh(bytes) : undefined;
  if (weight !== undefined && room?.takeValues(weight.bytes) === false) return undefined;
  const text = bytes.toString(encoding);
  if (text.charCodeAt(0) === BYTE_ORDER_MARK) return unreadable(bytes, '', 'bom');
  const value = parseJson(text);
  if (value === undefined) return unreadable(bytes, text, text.trim() === '' ? 'empty' : 'not-json');
  const { depth, repeats } = measure(text, value, weight?.strings);
  if (depth > maxDepth) return { bytes, text, value, depth, fault: 'too-deep', at: '' };
  if (repeats) return { bytes, text, value, depth, fault: 'duplicate-member', at: findRepeated(text) ?? '' };
  const variant = findVariant(value, envelope);
  if (variant !== undefined)
    return { bytes, text, value, depth, fault: 'variant-member', at: boundedPointer(variant) };
  return { bytes, text, value, depth, fault: undefined, at: '' };
}

function unreadable(bytes: Buffer, text: string, fault: ReadFault): Reading {
  return { bytes, text, value: undefined, depth: 0, fault, at: '' };
}
