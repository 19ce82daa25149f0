/** A conforming request as bytes: `_meta`, the fields that mirror the body, and what a caller lays over either. */
import {
  JSON_RPC_VERSION,
  META_CLIENT_CAPABILITIES,
  META_CLIENT_INFO,
  META_PROTOCOL_VERSION,
  REVISION,
} from '../protocol/constants.js';
import { encodeMirrored } from '../protocol/headers.js';
import { type JsonObject, type JsonValue, readClientMessage } from '../protocol/messages.js';
import { mirrorsOf } from '../protocol/mirrored.js';

export const JSON_TYPE = 'application/json';
export const EVENT_STREAM_TYPE = 'text/event-stream';

/** Field names as documents write them; `undefined` takes a field away. Names are compared without case. */
export type FieldValues = Readonly<Record<string, string | undefined>>;

export interface RequestOptions {
  /** What the client can do, on this request; the client's own otherwise. */
  readonly capabilities?: JsonObject | undefined;
  /** Laid over `params._meta`; a member that is undefined is left out. */
  readonly meta?: Readonly<Record<string, JsonValue | undefined>> | undefined;
  /** Laid over every field, the mirrored ones among them. */
  readonly headers?: FieldValues | undefined;
  readonly id?: string | number | undefined;
}

/** What is to be sent. Whoever wants to break a rule edits it: nothing is checked on the way out. */
export interface Outgoing {
  readonly method: string;
  /** Undefined for a notification, and for bytes that are nobody's message. */
  readonly id: string | number | undefined;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

export interface ClientInfo {
  readonly name: string;
  readonly version: string;
}

export interface Envelope {
  readonly id: string | number;
  readonly capabilities: JsonObject;
  readonly clientInfo: ClientInfo;
  readonly headers: FieldValues;
}

export function buildRequest(
  method: string,
  params: JsonObject,
  { id, capabilities, clientInfo, headers }: Envelope,
  options: RequestOptions = {},
): Outgoing {
  const _meta = {
    [META_PROTOCOL_VERSION]: REVISION,
    [META_CLIENT_INFO]: { ...clientInfo },
    [META_CLIENT_CAPABILITIES]: options.capabilities ?? capabilities,
    ...options.meta,
  };
  const envelope = { jsonrpc: JSON_RPC_VERSION, id: options.id ?? id, method, params: { ...params, _meta } };
  const body = Buffer.from(JSON.stringify(envelope));
  const fields = overlay(fieldsOf(envelope as unknown as JsonObject), headers, options.headers ?? {});
  return { method, id: envelope.id, headers: fields, body };
}

type Fields = readonly (readonly [string, string])[];

/** The fields that the body calls for. */
function fieldsOf(envelope: JsonObject): Fields {
  const message = readClientMessage(envelope, () => '');
  const fields: [string, string][] = [
    ['Content-Type', JSON_TYPE],
    ['Accept', `${JSON_TYPE}, ${EVENT_STREAM_TYPE}`],
  ];
  for (const { label, encoded, read } of mirrorsOf(message.method)) {
    const value = read(message);
    if (typeof value === 'string') fields.push([label, encoded ? encodeMirrored(value) : value]);
  }
  return fields;
}

/** Later layers win; a field keeps its place, a new one goes last. */
function overlay(fields: Fields, ...layers: readonly FieldValues[]): Fields {
  const merged = new Map(fields.map(([name, value]) => [name.toLowerCase(), [name, value] as const]));
  for (const layer of layers) {
    for (const [name, value] of Object.entries(layer)) {
      if (value === undefined) merged.delete(name.toLowerCase());
      else merged.set(name.toLowerCase(), [name, value]);
    }
  }
  return [...merged.values()];
}
