/** The lines of a capture: one exchange each, JSON in ASCII. */

import { isUtf8 } from 'node:buffer';
import type { ExchangeSummary } from '../engine/observer.js';
import type { JsonValue } from '../protocol/messages.js';
import { MAX_DEPTH, type ReadFault, type Reading } from '../protocol/reading.js';
import { type Echoes, type Keep, redact } from './redact.js';
import type { Fields } from './redact-head.js';

export const CAPTURE_VERSION = 1;

/** What is written of a body. Without any of the further members there was nothing that is JSON in it. */
export interface CapturedBody {
  readonly bytes: number;
  /** Redacted. */
  readonly json?: JsonValue;
  /** As it was: text where it is UTF-8, else Base64. */
  readonly text?: string;
  readonly base64?: string;
  /** It could not be read, and why. */
  readonly fault?: ReadFault;
  /** It is longer than a capture takes. */
  readonly omitted?: true;
}

export interface CapturedEvent {
  readonly afterMs: number;
  readonly body: CapturedBody;
}

export interface CapturedAnswer {
  readonly status: number;
  readonly headers: Fields;
  /** Undefined for a stream, and where no body was waited for. */
  readonly body?: CapturedBody;
  readonly events?: readonly CapturedEvent[];
  /** Events that a capture does not take any more. */
  readonly eventsOmitted?: number;
}

export interface CapturedExchange {
  readonly capture: number;
  readonly redacted: boolean;
  /** ISO time of the exchange's beginning. */
  readonly at: string;
  readonly route: string;
  readonly path: string;
  readonly httpMethod: string;
  readonly request: { readonly headers: Fields; readonly body?: CapturedBody };
  /** Of the upstream; undefined when it was not asked, or did not answer. */
  readonly answer?: CapturedAnswer;
  readonly outcome: ExchangeSummary['outcome'];
  /** Of the reply to the client. */
  readonly status: number;
  readonly durationMs: number;
  readonly findings: readonly CapturedFinding[];
}

/** What the gateway that wrote the capture found. */
export interface CapturedFinding {
  readonly stage: string;
  readonly rule: string;
  readonly severity: 'enforce' | 'report';
}

/** Stands where exchanges were not written, since the file did not keep up. */
export interface CaptureGap {
  readonly capture: number;
  readonly dropped: number;
}

const MOST_BYTES = 1_048_576;

/** `keep` undefined: as it is. */
export function captureBody(reading: Reading, keep: Keep | undefined, echoes: Echoes = []): CapturedBody {
  const { bytes, depth, fault, text, value } = reading;
  const size = { bytes: bytes.length };
  if (bytes.length > MOST_BYTES) return { ...size, omitted: true };
  if (keep === undefined && bytes.length > 0)
    return {
      ...size,
      ...(isUtf8(bytes) ? { text: text || bytes.toString() } : { base64: bytes.toString('base64') }),
    };
  if (fault !== undefined) return { ...size, fault };
  if (value === undefined || keep === undefined) return size;
  return depth > MAX_DEPTH ? { ...size, fault: 'too-deep' } : { ...size, json: redact(value, keep, echoes) };
}

/** A terminal, an editor and `grep` get along with what stands in it. */
export function captureLine(record: CapturedExchange | CaptureGap): string {
  const json = JSON.stringify(record).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${json}\n`;
}
