/** Which era a message speaks: per-request metadata (modern) or an `initialize` handshake (basic/versioning#terminology). */
import {
  HEADER_METHOD,
  HEADER_NAME,
  HEADER_PARAM_PREFIX,
  HEADER_PROTOCOL_VERSION,
  LEGACY_VERSIONS,
  META_PREFIX,
  META_PROTOCOL_VERSION,
} from './constants.js';
import type { HeaderFields } from './headers.js';
import { type ClientMessage, type JsonObject, stringMember } from './messages.js';

/** No `io.modelcontextprotocol/*` key in `_meta` and no field of the modern era. */
export function isLegacy(message: ClientMessage, headers: HeaderFields): boolean {
  return isLegacyHead(headers) && !Object.keys(message.meta).some((key) => key.startsWith(META_PREFIX));
}

/** The same for a request without a message (GET, DELETE): its version field is absent or names a legacy version. */
export function isLegacyHead(headers: HeaderFields): boolean {
  if (headers.has(HEADER_METHOD) || headers.has(HEADER_NAME)) return false;
  if (headers.lines.some((name, at) => at % 2 === 0 && name.startsWith(HEADER_PARAM_PREFIX))) return false;
  return (
    !headers.has(HEADER_PROTOCOL_VERSION) || LEGACY_VERSIONS.has(headers.one(HEADER_PROTOCOL_VERSION) ?? '')
  );
}

/** The version that a message's `_meta` declares; undefined when it is absent, empty or no string. */
export function declaredVersion(meta: JsonObject): string | undefined {
  return stringMember(meta, META_PROTOCOL_VERSION) || undefined;
}
