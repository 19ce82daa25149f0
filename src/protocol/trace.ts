/** W3C Trace Context as MCP carries it: HTTP fields, or the members of `_meta` of the same names (basic/index#meta). */
import type { HeaderFields } from './headers.js';
import { type JsonObject, stringMember } from './messages.js';

export const TRACEPARENT = 'traceparent';
export const TRACESTATE = 'tracestate';

/** Section 3.2: version, trace id, parent id, flags. Version ff is none. */
const VALID_TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
/** Section 3.3, as far as it concerns whoever only passes it on: legal characters, in bounds. */
const VALID_TRACESTATE = /^[\t\x20-\x7e]{1,512}$/;
const NO_META: JsonObject = {};

export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate: string | undefined;
  /** The caller named it in the message alone. */
  readonly inMessage: boolean;
}

/** The caller's trace: from the fields, or from `_meta` where there is no traceparent field. Undefined when malformed. */
export function traceContextOf(headers: HeaderFields, meta: JsonObject = NO_META): TraceContext | undefined {
  const inMessage = !headers.has(TRACEPARENT);
  const traceparent = inMessage ? stringMember(meta, TRACEPARENT) : headers.one(TRACEPARENT);
  if (traceparent === undefined || !VALID_TRACEPARENT.test(traceparent)) return undefined;
  const state = inMessage ? stringMember(meta, TRACESTATE) : headers.all(TRACESTATE).join(',');
  return {
    traceparent,
    tracestate: state !== undefined && VALID_TRACESTATE.test(state) ? state : undefined,
    inMessage,
  };
}
