/** Entries of HTTP archives (HAR 1.2), as browsers and proxies write them. */
import { isEventStream, readBody } from '../client/reading.js';
import { HEADER_CONTENT_TYPE } from '../protocol/constants.js';
import { HeaderFields } from '../protocol/headers.js';
import {
  arrayMember,
  isObject,
  type JsonObject,
  type MessageId,
  numberMember,
  objectMember,
  stringMember,
} from '../protocol/messages.js';
import { type Reading, readRequest, readResponse } from '../protocol/reading.js';
import { clientMessageOf, faultReading } from '../protocol/received.js';
import { SseDecoder } from '../protocol/sse.js';
import { decodedFields, streamOf } from './from-capture.js';
import type { Item, RecordedAnswer } from './recording.js';

const MOST_EVENT_BYTES = 67_108_864;

export function readHarEntry(text: Buffer, place: string): Item {
  const entry = parse(text);
  const request = entry && objectMember(entry, 'request');
  if (entry === undefined || request === undefined) return { kind: 'unreadable', place };
  const url = stringMember(request, 'url') ?? '';
  const posted = objectMember(request, 'postData');
  const bytes = posted && bytesOf(posted);
  const asked = bytes && readRequest(bytes);
  const id = asked && clientMessageOf(asked).id;
  return {
    kind: 'exchange',
    recording: {
      place,
      at: Date.parse(stringMember(entry, 'startedDateTime') ?? '') || 0,
      route: undefined,
      path: URL.canParse(url) ? new URL(url).pathname : '',
      httpMethod: stringMember(request, 'method') ?? '',
      headers: fieldsOf(request),
      asked,
      answer: answerOf(objectMember(entry, 'response'), id),
      redacted: false,
    },
  };
}

/** Status 0: the request was given up, or blocked. */
function answerOf(response: JsonObject | undefined, id: MessageId | undefined): RecordedAnswer | undefined {
  const status = (response && numberMember(response, 'status')) ?? 0;
  if (response === undefined || status === 0) return undefined;
  const content = objectMember(response, 'content') ?? {};
  const headers = withType(decodedFields(fieldsOf(response)), stringMember(content, 'mimeType'));
  const bytes = bytesOf(content);
  const size = numberMember(content, 'size') ?? 0;
  if (bytes === undefined)
    return { status, heard: [], incomplete: size > 0 || isEventStream({ status, headers }) };
  if (isEventStream({ status, headers }))
    return { status, heard: streamOf(eventsIn(bytes), status), incomplete: false };
  const reading = readBody({ status, headers }, bytes, id);
  return { status, heard: [{ reading, status, stream: false, acknowledged: false }], incomplete: false };
}

function eventsIn(bytes: Buffer): readonly Reading[] {
  return new SseDecoder(MOST_EVENT_BYTES).push(bytes).flatMap((item) => {
    if (item.kind === 'event') return [readResponse(item.data)];
    return item.kind === 'too-large' ? [faultReading('too-large')] : [];
  });
}

/** `text` of postData and of content; undefined where there is none. */
function bytesOf(holder: JsonObject): Buffer | undefined {
  const text = stringMember(holder, 'text');
  if (text === undefined) return undefined;
  return Buffer.from(text, stringMember(holder, 'encoding') === 'base64' ? 'base64' : 'utf8');
}

/** HTTP/2 has fields of its own that begin with a colon. */
function fieldsOf(message: JsonObject): HeaderFields {
  const raw = (arrayMember(message, 'headers') ?? []).flatMap((field) => {
    const name = isObject(field) ? stringMember(field, 'name') : undefined;
    const value = isObject(field) ? stringMember(field, 'value') : undefined;
    return name === undefined || value === undefined || name.startsWith(':') ? [] : [name, value];
  });
  return new HeaderFields(raw);
}

function withType(headers: HeaderFields, mimeType: string | undefined): HeaderFields {
  if (headers.has(HEADER_CONTENT_TYPE) || mimeType === undefined) return headers;
  return new HeaderFields([...headers.lines, HEADER_CONTENT_TYPE, mimeType]);
}

function parse(text: Buffer): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text.toString('utf8'));
    return isObject(value as JsonObject) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
