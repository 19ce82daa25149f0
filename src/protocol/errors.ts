/** THE table: what a refusal is on the wire. No other place in the sources chooses a code or a status. */
import { JSON_RPC_VERSION } from './constants.js';
import type { JsonObject, JsonValue, MessageId } from './messages.js';

export interface WireError {
  readonly code: number;
  readonly status: number;
}

export const REFUSALS = {
  parseError: { code: -32700, status: 400 },
  invalidRequest: { code: -32600, status: 400 },
  invalidParams: { code: -32602, status: 400 },
  headerMismatch: { code: -32020, status: 400 },
  missingCapability: { code: -32021, status: 400 },
  unsupportedVersion: { code: -32022, status: 400 },
  serverViolation: { code: -32603, status: 200 },
  upstreamInvalid: { code: -32603, status: 502 },
  upstreamUnreachable: { code: -32603, status: 502 },
  upstreamTooSlow: { code: -32603, status: 504 },
  internal: { code: -32603, status: 500 },
  overLimit: { code: -32603, status: 503 },
  tooManyRequests: { code: -32603, status: 429 },
  unavailable: { code: -32603, status: 503 },
  unauthorized: { code: -32600, status: 401 },
  insufficientScope: { code: -32600, status: 403 },
  originForbidden: { code: -32600, status: 403 },
  notFound: { code: -32600, status: 404 },
  methodNotAllowed: { code: -32600, status: 405 },
  requestTimeout: { code: -32600, status: 408 },
  bodyTooLarge: { code: -32600, status: 413 },
  headersTooLarge: { code: -32600, status: 431 },
  unsupportedMediaType: { code: -32600, status: 415 },
  expectationFailed: { code: -32600, status: 417 },
} as const satisfies Record<string, WireError>;

export type RefusalKey = keyof typeof REFUSALS;

/** Codes in the revision's own range that it defines (basic/index#error-codes); others in -32020..-32099 are undefined. */
export const DEFINED_PROTOCOL_CODES: ReadonlySet<number> = new Set([-32020, -32021, -32022]);
/** Codes of earlier revisions that this one removed. */
export const REMOVED_CODES: ReadonlySet<number> = new Set([-32042, -32002]);

/** The code is in the range that the revision reserves for itself, and the revision does not define it. */
export function isUndefinedProtocolCode(code: number): boolean {
  return code <= -32020 && code >= -32099 && !DEFINED_PROTOCOL_CODES.has(code);
}

export const METHOD_NOT_FOUND = -32601;

/** A JSON-RPC error response as text. Without `id` (the request's could not be read) the member is left out. */
export function errorText(
  id: MessageId | undefined,
  code: number,
  message: string,
  data?: JsonObject,
): string {
  const error: Record<string, JsonValue> = { code, message };
  if (data !== undefined) error.data = data;
  return `{"jsonrpc":"${JSON_RPC_VERSION}",${id === undefined ? '' : `"id":${id.text},`}"error":${JSON.stringify(error)}}`;
}
