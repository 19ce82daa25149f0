import type { HeaderFields } from './headers.js';
import { type JsonObject, stringMember } from './messages.js';

/** W3C Trace Context, section 3.2: version, trace id, parent id, flags. */
const TRACEPARENT = /^[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The caller's traceparent: its header, or `_meta.traceparent` where the header is missing. Undefined when malformed. */
export function traceparentOf(headers: HeaderFields, meta: JsonObject): string | undefined {
  const value = headers.has('traceparent') ? headers.one('traceparent') : stringMember(meta, 'traceparent');
  return value !== undefined && TRACEPARENT.test(value) ? value : undefined;
}
