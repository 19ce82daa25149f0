/** What a conforming server of the revision asks of a request before it looks at the method. */
import {
  HEADER_METHOD,
  HEADER_NAME,
  HEADER_PROTOCOL_VERSION,
  META_CLIENT_CAPABILITIES,
  META_PROTOCOL_VERSION,
  METHOD_INITIALIZE,
  METHOD_RESOURCES_READ,
  METHOD_TASKS_CANCEL,
  METHOD_TASKS_GET,
  METHOD_TASKS_UPDATE,
  MRTR_METHODS,
  REVISION,
} from '../protocol/constants.js';
import { decodeMirrored, type HeaderFields } from '../protocol/headers.js';
import { lexemeAt } from '../protocol/json.js';
import {
  type ClientMessage,
  has,
  isJsonRpc,
  isObject,
  objectMember,
  readClientMessage,
  stringMember,
} from '../protocol/messages.js';
import { parseJson } from '../protocol/parse.js';
import { type DemoReply, refuse } from './reply.js';

const REQUEST_STATE_SENTENCE =
  'invalid params: params.requestState is not accepted; this server issues no requestState, so a retry must not carry one';

const TASK_METHODS: ReadonlySet<string> = new Set([
  METHOD_TASKS_GET,
  METHOD_TASKS_UPDATE,
  METHOD_TASKS_CANCEL,
]);

/** The message that a body is, or why it is none. */
export function readBody(text: string): ClientMessage | DemoReply {
  const value = parseJson(text);
  if (value === undefined) return refuse('parseError', 'parse error');
  if (!isObject(value) || !isJsonRpc(value)) return refuse('invalidRequest', 'invalid request');
  const message = readClientMessage(value, () => lexemeAt(text, ['id']) ?? '');
  if (message.method === '' || (has(value, 'id') && message.id === undefined))
    return refuse('invalidRequest', 'invalid request');
  return message;
}

/** The refusal of a request whose headers, version or metadata are not as the revision says; else undefined. */
export function admitRequest(message: ClientMessage, headers: HeaderFields): DemoReply | undefined {
  const named = stringMember(message.meta, META_PROTOCOL_VERSION);
  const header = headers.one(HEADER_PROTOCOL_VERSION);
  const legacy = message.method === METHOD_INITIALIZE && named === undefined;
  if (legacy) return unsupportedVersion(stringMember(message.params, 'protocolVersion') ?? '');
  if (header === undefined || (named !== undefined && named !== header))
    return refuse('headerMismatch', 'header mismatch: MCP-Protocol-Version');
  if (header !== REVISION) return unsupportedVersion(header);
  if (headers.one(HEADER_METHOD) !== message.method)
    return refuse('headerMismatch', 'header mismatch: Mcp-Method');
  const mirrored = mirroredName(message);
  if (mirrored !== undefined && decodeMirrored(headers.one(HEADER_NAME) ?? '') !== mirrored)
    return refuse('headerMismatch', 'header mismatch: Mcp-Name');
  if (named === undefined || objectMember(message.meta, META_CLIENT_CAPABILITIES) === undefined)
    return refuse('invalidParams', 'invalid params: params._meta lacks a required field');
  if (has(message.params, 'requestState')) return refuse('invalidParams', REQUEST_STATE_SENTENCE);
  return undefined;
}

function unsupportedVersion(requested: string): DemoReply {
  return refuse('unsupportedVersion', 'unsupported protocol version', { supported: [REVISION], requested });
}

function mirroredName({ method, params }: ClientMessage): string | undefined {
  if (method === METHOD_RESOURCES_READ) return stringMember(params, 'uri');
  if (MRTR_METHODS.has(method)) return stringMember(params, 'name');
  return TASK_METHODS.has(method) ? stringMember(params, 'taskId') : undefined;
}
