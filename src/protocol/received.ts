/** From readings to messages, and readings that never had bytes. */
import { spanOf } from './json.js';
import {
  type ClientMessage,
  isObject,
  type JsonObject,
  type MessageId,
  readClientMessage,
  readId,
  readServerMessage,
  type ServerMessage,
} from './messages.js';
import type { ReadFault, Reading } from './reading.js';

const NO_BYTES = Buffer.alloc(0);
const NO_MEMBERS: JsonObject = Object.freeze({});

/** A reading that failed before there was text to read. */
export function faultReading(fault: ReadFault): Reading {
  return { bytes: NO_BYTES, text: '', value: undefined, depth: 0, fault, at: '' };
}

/** Stands for the message of a request that carries none (a GET of an earlier revision). */
export const NO_MESSAGE: Reading = Object.freeze({
  bytes: NO_BYTES,
  text: '',
  value: undefined,
  depth: 0,
  fault: undefined,
  at: '',
});

export function clientMessageOf(reading: Reading): ClientMessage {
  return readClientMessage(isObject(reading.value) ? reading.value : NO_MEMBERS, lexemeOf(reading));
}

export function serverMessageOf(reading: Reading): ServerMessage | undefined {
  return isObject(reading.value) ? readServerMessage(reading.value, lexemeOf(reading)) : undefined;
}

/** The id of whatever was sent, for the refusal of it; undefined when there is none to be read. */
export function idOf(reading: Reading): MessageId | undefined {
  return isObject(reading.value) ? readId(reading.value, lexemeOf(reading)) : undefined;
}

function lexemeOf({ text }: Reading): () => string {
  return () => {
    const span = spanOf(text, ['id']);
    return span === undefined ? '' : text.slice(span.start, span.end);
  };
}
