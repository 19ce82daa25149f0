/** Reads an answer's body as the gateway does, so that its rules can judge it. */
import { readErrorAnswer } from '../protocol/error-answer.js';
import type { HeaderFields } from '../protocol/headers.js';
import { isUtf8, parseMediaType } from '../protocol/media-type.js';
import type { MessageId } from '../protocol/messages.js';
import { type Reading, readResponse } from '../protocol/reading.js';
import { faultReading } from '../protocol/received.js';
import { EVENT_STREAM_TYPE, JSON_TYPE } from './request.js';

export interface Head {
  readonly status: number;
  readonly headers: HeaderFields;
}

/** The answer is an event stream; with any other status than a 2xx it is none that counts. */
export function isEventStream({ status, headers }: Head): boolean {
  return status >= 200 && status < 300 && typeOf(headers)?.type === EVENT_STREAM_TYPE && !isCoded(headers);
}

/** A body that is no stream. `id` is the request's: an error answer without one is given it. */
export function readBody({ status, headers }: Head, bytes: Buffer, id: MessageId | undefined): Reading {
  if (status >= 300 && status < 400) return faultReading('redirect');
  if (isCoded(headers)) return faultReading('coding');
  const type = typeOf(headers);
  const json = type?.type === JSON_TYPE;
  if (status >= 300)
    return type?.type === EVENT_STREAM_TYPE ? faultReading('media-type') : readErrorAnswer(bytes, json, id);
  if (!json) return faultReading(bytes.length === 0 ? 'empty' : 'media-type');
  return isUtf8(type) ? readResponse(bytes) : faultReading('charset');
}

function typeOf(headers: HeaderFields): ReturnType<typeof parseMediaType> {
  return parseMediaType(headers.one('content-type') ?? '');
}

/** No coding was asked for. */
function isCoded(headers: HeaderFields): boolean {
  return headers.all('content-encoding').some((value) => !/^\s*(identity)?\s*$/i.test(value));
}
