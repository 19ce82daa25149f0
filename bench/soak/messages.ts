/** Messages that the upstream of a soak sends and its client expects, word for word. */
import { META_SUBSCRIPTION_ID } from '../../src/protocol/constants.js';

/** Field by which the client tells the upstream what to do: a word, and its arguments. */
export const ACT = 'x-soak-act';
/** Names each request once. */
export const SERIAL = 'x-soak-serial';

export type Id = string | number;

export interface Message {
  readonly id?: Id;
  readonly method?: string;
  readonly params?: {
    readonly name?: string;
    readonly arguments?: Readonly<Record<string, unknown>>;
    readonly requestState?: string;
    readonly inputResponses?: Readonly<
      Record<string, { readonly action?: string; readonly content?: unknown }>
    >;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
  readonly result?: Readonly<Record<string, unknown>> & {
    readonly resultType?: string;
    readonly requestState?: string;
  };
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: { readonly rule?: string };
  };
}

export function result(id: Id, content: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result: content });
}

export function said(text: string, more: object = {}): object {
  return { resultType: 'complete', content: [{ type: 'text', text }], ...more };
}

export function failure(id: Id, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}

function notification(name: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', method: `notifications/${name}`, params });
}

export function progress(progressToken: unknown, done: number): string {
  return notification('progress', { progressToken, progress: done });
}

export function logged(data: string): string {
  return notification('message', { level: 'info', data });
}

function tag(id: Id): object {
  return { [META_SUBSCRIPTION_ID]: id };
}

export function acknowledged(id: Id): string {
  return notification('subscriptions/acknowledged', {
    _meta: tag(id),
    notifications: { toolsListChanged: true },
  });
}

export function toolsChanged(id: Id): string {
  return notification('tools/list_changed', { _meta: tag(id) });
}

export function closing(id: Id): string {
  return result(id, { resultType: 'complete', _meta: tag(id) });
}

export function question(round: number, state: string | undefined): object {
  const properties = { name: { type: 'string', maxLength: 20 }, seats: { type: 'integer', maximum: 12 } };
  const requestedSchema = { type: 'object', properties, required: ['name'] };
  const params = { mode: 'form', message: `For whom? (${round})`, requestedSchema };
  return {
    resultType: 'input_required',
    inputRequests: { guest: { method: 'elicitation/create', params } },
    ...(state !== undefined && { requestState: state }),
  };
}

/** A list of this many tools, `ze_execute` first. */
export function toolList(
  length: number,
  required: readonly string[] | undefined,
  cacheScope: string,
): object {
  const first = {
    name: 'ze_execute',
    inputSchema: {
      type: 'object',
      properties: { command: { type: 'string' } },
      ...(required !== undefined && { required }),
    },
  };
  const others = Array.from({ length: length - 1 }, (_, index) => ({
    name: `tool_${index}`,
    title: `Tool number ${index}`,
    description: `Does a thing with "quotes" and returns the result of operation ${index}`,
    inputSchema: {
      type: 'object',
      properties: { text: { type: 'string' }, limit: { type: 'integer', minimum: 0 } },
    },
  }));
  return { resultType: 'complete', tools: [first, ...others], ttlMs: 60_000, cacheScope };
}

export function discovery(...supportedVersions: readonly string[]): object {
  const capabilities = { tools: {} };
  return { resultType: 'complete', supportedVersions, capabilities, ttlMs: 60_000, cacheScope: 'public' };
}

/** Text of this many bytes, each time the same. */
export function filling(bytes: number): string {
  return 'All work and no play makes a dull gateway. '.repeat(Math.ceil(bytes / 43)).slice(0, bytes);
}
