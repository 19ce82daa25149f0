/** Builders of what rules judge: each call names only what its test is about, the rest is a conforming exchange. */
import type {
  AdmitInput,
  Exchange,
  Facts,
  OriginPolicy,
  OutboundInput,
  ParseInput,
  Position,
  StateOpening,
} from '../../src/engine/exchange.js';
import type { RoutePolicy, SealPolicy } from '../../src/engine/policy.js';
import type { Profile } from '../../src/engine/rule.js';
import type { StateToken } from '../../src/engine/state.js';
import { readCapabilities } from '../../src/protocol/capabilities.js';
import {
  HEADER_METHOD,
  HEADER_NAME,
  HEADER_PROTOCOL_VERSION,
  META_CLIENT_CAPABILITIES,
  META_CLIENT_INFO,
  META_PROTOCOL_VERSION,
  METHOD_PROMPTS_GET,
  METHOD_RESOURCES_READ,
  METHOD_TOOLS_CALL,
  REVISION,
} from '../../src/protocol/constants.js';
import type { CredentialReader } from '../../src/protocol/credentials.js';
import { encodeMirrored, HeaderFields } from '../../src/protocol/headers.js';
import { readInputRequests } from '../../src/protocol/input-requests.js';
import {
  isObject,
  type JsonObject,
  type JsonValue,
  readClientMessage,
  readServerMessage,
} from '../../src/protocol/messages.js';
import type { Reading } from '../../src/protocol/reading.js';

/** Field values by name; several values stand for repeated lines, undefined takes a default field away. */
export type HeaderValues = Readonly<Record<string, string | readonly string[] | undefined>>;

export const PROFILES: readonly Profile[] = ['spec', 'ze'];

const ASKS_NOTHING: CredentialReader = {
  nameAsks: () => false,
  titleAsks: () => false,
  textAsks: () => false,
};

/** A compiled route of either profile; its rule lists are empty, since a rule's test calls the rule itself. */
export function policy(overrides: Partial<RoutePolicy> = {}): RoutePolicy {
  const ze = overrides.profile === 'ze';
  return {
    name: 'test',
    path: '/mcp',
    profile: 'spec',
    mode: 'enforce',
    requestState: ze ? 'forbid' : 'relay',
    tools: new Map(),
    inputRequests: {
      max: ze ? 1 : 16,
      kinds: new Set(ze ? ['elicitation'] : ['elicitation', 'sampling', 'roots']),
      modes: new Set(ze ? ['form'] : ['form', 'url']),
      modeStated: ze,
    },
    formSubset: ze ? 'plain' : 'revision',
    credentials: ASKS_NOTHING,
    legacy: 'refuse',
    capabilityErrorStatus: 400,
    versions: [REVISION],
    rules: { admit: [], parse: [], inbound: [], outbound: [] },
    rewrites: new Set(),
    listTtlMs: undefined,
    ...overrides,
  };
}

/** How a route seals: the defaults. */
export function sealPolicy(overrides: Partial<SealPolicy> = {}): SealPolicy {
  return {
    ttlMs: 600_000,
    operationMs: 3_600_000,
    maxRounds: 1000,
    maxBytes: 131_072,
    always: false,
    singleUse: false,
    storeFailure: 'refuse',
    ...overrides,
  };
}

/** A sealed state that opened. */
export function accepted(token: Partial<StateToken> = {}): StateOpening & { verdict: 'accepted' } {
  const issuedAt = 1_799_999_990_000;
  const bound = { route: 'test', method: METHOD_TOOLS_CALL, target: 'book', principal: '', params: 'digest' };
  const times = { issuedAt, firstAt: issuedAt, expiresAt: issuedAt + 600_000, round: 1 };
  const content = { ...bound, ...times, answered: '0', asked: [], inner: '"inner"', ...token };
  return { verdict: 'accepted', serial: 'serial', token: content };
}

export interface ExchangeOptions {
  /** A notification (no id) when the method starts with `notifications/` or `id` is null. */
  readonly id?: string | number | null;
  readonly method?: string;
  /** Members of `params` beside `_meta`. */
  readonly params?: JsonObject;
  /** Replaces the whole `_meta`; null leaves it out. */
  readonly meta?: JsonValue;
  readonly capabilities?: JsonValue;
  /** Members of the envelope beside jsonrpc, id, method and params. */
  readonly envelope?: JsonObject;
  /** Laid over the fields that the body calls for. */
  readonly headers?: HeaderValues;
  readonly policy?: RoutePolicy;
  readonly facts?: Partial<Facts>;
  readonly legacy?: boolean;
}

/** A conforming exchange (tools/call of `book`) with the given differences. */
export function exchange(options: ExchangeOptions = {}): Exchange {
  const method = options.method ?? METHOD_TOOLS_CALL;
  const meta = options.meta === undefined ? requestMeta(options.capabilities ?? {}) : options.meta;
  const own = options.params ?? (method === METHOD_TOOLS_CALL ? { name: 'book', arguments: {} } : {});
  const params = meta === null ? own : { ...own, _meta: meta };
  const id = options.id === undefined ? (method.startsWith('notifications/') ? null : 1) : options.id;
  const envelope = {
    jsonrpc: '2.0',
    ...(id === null ? {} : { id }),
    method,
    params,
    ...options.envelope,
  };
  const message = readClientMessage(envelope, () => String(id));
  return {
    policy: options.policy ?? policy(),
    headers: headers({ ...mirroredHeaders(method, own), ...options.headers }),
    message,
    capabilities: readCapabilities(message.meta),
    legacy: options.legacy ?? false,
    facts: { now: 1_800_000_000_000, principal: undefined, state: undefined, ...options.facts },
  };
}

/** The `_meta` of a conforming request. */
export function requestMeta(capabilities: JsonValue = {}): JsonObject {
  return {
    [META_PROTOCOL_VERSION]: REVISION,
    [META_CLIENT_INFO]: { name: 'TestClient', version: '1.0.0' },
    [META_CLIENT_CAPABILITIES]: capabilities,
  };
}

function mirroredHeaders(method: string, params: JsonObject): HeaderValues {
  const name = method === METHOD_RESOURCES_READ ? params.uri : params.name;
  const named =
    method === METHOD_TOOLS_CALL || method === METHOD_PROMPTS_GET || method === METHOD_RESOURCES_READ;
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    [HEADER_PROTOCOL_VERSION]: REVISION,
    [HEADER_METHOD]: method,
    [HEADER_NAME]: named && typeof name === 'string' ? encodeMirrored(name) : undefined,
  };
}

export function headers(values: HeaderValues): HeaderFields {
  const raw: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    for (const line of typeof value === 'string' ? [value] : (value ?? [])) raw.push(name, line);
  }
  return new HeaderFields(raw);
}

export interface OutboundOptions {
  readonly exchange?: Exchange;
  /** A `result` answering the exchange's request; or give `error`, or the whole `message`. */
  readonly result?: JsonValue;
  readonly error?: JsonValue;
  /** The upstream's whole message, as JSON. */
  readonly message?: JsonValue;
  readonly position?: Position;
  readonly status?: number;
  readonly acknowledged?: boolean;
  readonly reading?: Partial<Reading>;
}

/** An upstream's answer: by default a complete, empty result with the request's id, as a whole body. */
export function outbound(options: OutboundOptions = {}): OutboundInput {
  const judged = options.exchange ?? exchange();
  const value = options.message ?? {
    jsonrpc: '2.0',
    id: judged.message.id?.value ?? null,
    ...(options.error === undefined
      ? { result: options.result ?? { resultType: 'complete' } }
      : { error: options.error }),
  };
  const read = reading(value, options.reading);
  const message =
    read.fault === undefined && isObject(read.value)
      ? readServerMessage(read.value, () => idText(read.value))
      : undefined;
  return {
    exchange: judged,
    position: options.position ?? 'body',
    status: options.status ?? 200,
    reading: read,
    message,
    asked: readInputRequests(message, judged.legacy),
    acknowledged: options.acknowledged ?? false,
  };
}

/** An answer that asks the user for something: `inputRequests` of an input_required result. */
export function inputRequired(inputRequests: JsonValue, options: OutboundOptions = {}): OutboundInput {
  return outbound({ ...options, result: { resultType: 'input_required', inputRequests } });
}

/** A notification in a stream. */
export function event(method: string, params: JsonObject = {}, options: OutboundOptions = {}): OutboundInput {
  return outbound({ position: 'event', ...options, message: { jsonrpc: '2.0', method, params } });
}

/** A body as read: the given value, its text and its depth. */
export function reading(value: JsonValue | undefined, overrides: Partial<Reading> = {}): Reading {
  const text = overrides.text ?? (value === undefined ? '' : JSON.stringify(value));
  return {
    bytes: Buffer.from(text, 'utf8'),
    text,
    value,
    depth: value === undefined ? 0 : depthOf(value),
    fault: undefined,
    at: '',
    ...overrides,
  };
}

export function parseInput(value: JsonValue | undefined, overrides: Partial<Reading> = {}): ParseInput {
  return { reading: reading(value, overrides), legacy: false };
}

export interface AdmitOptions {
  readonly httpMethod?: string;
  readonly headers?: HeaderValues;
  readonly origins?: Partial<OriginPolicy>;
  readonly carriesMessage?: boolean;
}

/** A POST to a loopback listener with neither public URL nor allow lists. */
export function admitInput(options: AdmitOptions = {}): AdmitInput {
  return {
    httpMethod: options.httpMethod ?? 'POST',
    headers: headers({ host: '127.0.0.1:9719', 'content-type': 'application/json', ...options.headers }),
    origins: {
      loopback: true,
      origins: new Set(),
      hosts: new Set(),
      checkHost: true,
      ...options.origins,
    },
    carriesMessage: options.carriesMessage ?? true,
  };
}

function depthOf(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members: readonly JsonValue[] = Array.isArray(value) ? value : Object.values(value);
  return 1 + members.reduce<number>((deepest, member) => Math.max(deepest, depthOf(member)), 0);
}

function idText(value: JsonValue | undefined): string {
  return isObject(value) ? JSON.stringify(value.id) : '';
}
