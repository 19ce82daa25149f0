/** Lines of the gateway's own captures (src/capture/format.ts), read with all the distrust that a file deserves. */
import { CAPTURE_VERSION } from '../capture/format.js';
import { readBody } from '../client/reading.js';
import type { Received } from '../engine/received.js';
import { HEADER_CONTENT_ENCODING, NOTIFICATION_ACKNOWLEDGED } from '../protocol/constants.js';
import { readErrorAnswer } from '../protocol/error-answer.js';
import { HeaderFields } from '../protocol/headers.js';
import {
  arrayMember,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  type MessageId,
  member,
  numberMember,
  objectMember,
  stringMember,
} from '../protocol/messages.js';
import { FAULT_WORDS, type ReadFault, type Reading, readRequest, readResponse } from '../protocol/reading.js';
import { clientMessageOf, faultReading, NO_MESSAGE, serverMessageOf } from '../protocol/received.js';
import type { Item, RecordedAnswer, Recording } from './recording.js';

/** Undefined for an empty line. */
export function readCaptureLine(line: Buffer, place: string): Item | undefined {
  const { value } = readResponse(line);
  if (value === undefined && line.toString('utf8').trim() === '') return undefined;
  if (!isObject(value) || numberMember(value, 'capture') !== CAPTURE_VERSION)
    return { kind: 'unreadable', place };
  const dropped = numberMember(value, 'dropped');
  if (dropped !== undefined) return { kind: 'gap', count: dropped };
  return { kind: 'exchange', recording: recordingOf(value, place) };
}

function recordingOf(record: JsonObject, place: string): Recording {
  const request = objectMember(record, 'request') ?? {};
  const httpMethod = stringMember(record, 'httpMethod') ?? 'POST';
  const asked = httpMethod === 'POST' ? readingOf(objectMember(request, 'body'), readRequest) : NO_MESSAGE;
  const id = asked === undefined ? undefined : clientMessageOf(asked).id;
  const answer = objectMember(record, 'answer');
  return {
    place,
    at: Date.parse(stringMember(record, 'at') ?? '') || 0,
    route: stringMember(record, 'route'),
    path: stringMember(record, 'path') ?? '',
    httpMethod,
    headers: fieldsOf(arrayMember(request, 'headers')),
    asked,
    answer: answer && answerOf(answer, id),
    redacted: member(record, 'redacted') !== false,
  };
}

function answerOf(answer: JsonObject, id: MessageId | undefined): RecordedAnswer {
  const status = numberMember(answer, 'status') ?? 0;
  const events = arrayMember(answer, 'events');
  if (events !== undefined) {
    const readings = events.map((event) =>
      isObject(event) ? readingOf(objectMember(event, 'body'), readResponse) : undefined,
    );
    const omitted = readings.includes(undefined) || (numberMember(answer, 'eventsOmitted') ?? 0) > 0;
    const heard = streamOf(
      readings.filter((reading) => reading !== undefined),
      status,
    );
    return { status, heard, incomplete: omitted };
  }
  const body = objectMember(answer, 'body');
  if (body === undefined) return { status, heard: [], incomplete: false };
  const headers = decodedFields(fieldsOf(arrayMember(answer, 'headers')));
  const read = (bytes: Buffer): Reading => readBody({ status, headers }, bytes, id);
  // What is left of a redacted error answer is JSON, or nothing that could be judged.
  const reading = readingOf(body, status >= 300 ? (bytes) => readErrorAnswer(bytes, true, id) : read);
  if (reading === undefined) return { status, heard: [], incomplete: true };
  return { status, heard: [{ reading, status, stream: false, acknowledged: false }], incomplete: false };
}

/** Each message of a stream, with what went before it. */
export function streamOf(readings: readonly Reading[], status: number): readonly Received[] {
  let acknowledged = false;
  return readings.map((reading) => {
    const received = { reading, status, stream: true, acknowledged };
    const message = reading.fault === undefined ? serverMessageOf(reading) : undefined;
    acknowledged ||= message?.kind === 'notification' && message.method === NOTIFICATION_ACKNOWLEDGED;
    return received;
  });
}

/** The coding was undone before the body was written down. */
export function decodedFields(headers: HeaderFields): HeaderFields {
  const { lines } = headers;
  return new HeaderFields(lines.filter((_, index) => lines[index & ~1] !== HEADER_CONTENT_ENCODING));
}

/** Undefined: the body is not in the file. */
function readingOf(body: JsonObject | undefined, read: (bytes: Buffer) => Reading): Reading | undefined {
  if (body === undefined || member(body, 'omitted') === true) return undefined;
  const text = stringMember(body, 'text');
  if (text !== undefined) return read(Buffer.from(text));
  const base64 = stringMember(body, 'base64');
  if (base64 !== undefined) return read(Buffer.from(base64, 'base64'));
  const json = member(body, 'json');
  if (json !== undefined) return read(Buffer.from(JSON.stringify(json)));
  const fault = stringMember(body, 'fault');
  if (isFault(fault)) return faultReading(fault);
  return fault === undefined ? NO_MESSAGE : undefined;
}

function isFault(fault: string | undefined): fault is ReadFault {
  return fault !== undefined && Object.hasOwn(FAULT_WORDS, fault);
}

function fieldsOf(fields: readonly JsonValue[] | undefined): HeaderFields {
  const raw = (fields ?? []).flatMap((field) => {
    const [name, value] = isArray(field) ? field : [];
    return typeof name === 'string' && typeof value === 'string' ? [name, value] : [];
  });
  return new HeaderFields(raw);
}
