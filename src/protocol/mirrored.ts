/** Body values that a client repeats in HTTP fields (basic/transports/streamable-http#standard-request-headers). */
import {
  HEADER_METHOD,
  HEADER_NAME,
  HEADER_PROTOCOL_VERSION,
  METHOD_PROMPTS_GET,
  METHOD_RESOURCES_READ,
  METHOD_TASKS_CANCEL,
  METHOD_TASKS_GET,
  METHOD_TASKS_UPDATE,
  METHOD_TOOLS_CALL,
  MRTR_METHODS,
} from './constants.js';
import { decodeMirrored, isLegalValue } from './headers.js';
import { declaredVersion } from './legacy.js';
import { type ClientMessage, type JsonValue, member, stringMember } from './messages.js';

/** One field and the body value that it repeats. */
export interface Mirror {
  readonly field: string;
  /** The field's name as documents write it. */
  readonly label: string;
  /** Where in the body the value stands, as documents write it. */
  readonly source: string;
  /** The value that is repeated; undefined when the body has none: the field is then compared with nothing. */
  readonly read: (message: ClientMessage) => JsonValue | undefined;
  /** The field may use the Base64 sentinel; others are literal and never empty. */
  readonly encoded: boolean;
  /** A request is malformed without the field; else it is compared when sent. */
  readonly required: boolean;
}

export type MirrorFault = 'missing' | 'repeated' | 'malformed' | 'different';

/** The member of `params` that `Mcp-Name` repeats; for tasks/* by SEP-2663, whose clients do not all send it. */
const NAME_SOURCES: ReadonlyMap<string, string> = new Map([
  [METHOD_TOOLS_CALL, 'name'],
  [METHOD_PROMPTS_GET, 'name'],
  [METHOD_RESOURCES_READ, 'uri'],
  [METHOD_TASKS_GET, 'taskId'],
  [METHOD_TASKS_UPDATE, 'taskId'],
  [METHOD_TASKS_CANCEL, 'taskId'],
]);

/** What the message is about: the tool, prompt, resource or task that it names; empty when it names none. */
export function targetOf({ method, params }: ClientMessage): string {
  return stringMember(params, NAME_SOURCES.get(method) ?? '') ?? '';
}

const VERSION: Mirror = {
  field: HEADER_PROTOCOL_VERSION,
  label: 'MCP-Protocol-Version',
  source: 'the protocol version in params._meta',
  read: ({ meta }) => declaredVersion(meta),
  encoded: false,
  required: true,
};

const METHOD: Mirror = {
  field: HEADER_METHOD,
  label: 'Mcp-Method',
  source: 'method',
  read: ({ method }) => method,
  encoded: false,
  required: true,
};

function named(method: string, source: string): readonly Mirror[] {
  const name: Mirror = {
    field: HEADER_NAME,
    label: 'Mcp-Name',
    source: `params.${source}`,
    read: ({ params }) => member(params, source),
    encoded: true,
    required: MRTR_METHODS.has(method),
  };
  return [VERSION, METHOD, name];
}

const NAMED: ReadonlyMap<string, readonly Mirror[]> = new Map(
  [...NAME_SOURCES].map(([method, source]) => [method, named(method, source)]),
);
const UNNAMED: readonly Mirror[] = [VERSION, METHOD];

/** The fields that a message of this method is sent with, in the order of judgement. Those of a notification are optional. */
export function mirrorsOf(method: string): readonly Mirror[] {
  return NAMED.get(method) ?? UNNAMED;
}

export function mirrorFault(
  mirror: Mirror,
  message: ClientMessage,
  lines: readonly string[],
): MirrorFault | undefined {
  const [value] = lines;
  if (lines.length > 1) return 'repeated';
  if (value === undefined || (value === '' && !mirror.encoded))
    return mirror.required && message.id !== undefined ? 'missing' : undefined;
  const said = mirror.encoded ? decodeMirrored(value) : literal(value);
  if (said === undefined) return 'malformed';
  const body = mirror.read(message);
  return body === undefined || said === body ? undefined : 'different';
}

function literal(value: string): string | undefined {
  return isLegalValue(value) ? value : undefined;
}
