/**
 * The client half of Multi Round-Trip Requests. What commands use:
 *
 * - `createClient({ url, capabilities, … })`: a client of one server. `request(method, params, options)` sends one
 *   conforming request and resolves to a RecordedExchange (record.ts); `build` and `send` are its two halves, for whoever
 *   wants to send something else. Nothing here rejects or hangs: what went wrong is `record.trouble`.
 * - `outcomeOf(record)` (outcome.ts): what the answer comes to, as a closed union.
 * - `call(client, request, options)` (call.ts): the loop. Answers input requests and retries under a new id, with
 *   `requestState` exactly as it came and only when it came, for a bounded number of rounds.
 * - `pollTask(client, id, options)` (task.ts): follows a task to its end, answering what it asks.
 * - `listen(client, filter, options)` (listen.ts): a subscription for so long.
 * - `display`, `displayLines`, `displayBytes`, `displayJson` (display.ts): the only way of a peer's text to a terminal.
 * - `readFields` (fields.ts): a form's fields for whoever shows them; `elicitResult` (answering.ts): the answer to an
 *   elicitation, made of an action and what stands beside it.
 *
 * A certificate authority of one's own is named by NODE_EXTRA_CA_CERTS.
 */
import type { JsonObject } from '../protocol/messages.js';
import type { RecordedExchange } from './record.js';
import {
  buildRequest,
  type ClientInfo,
  type FieldValues,
  type Outgoing,
  type RequestOptions,
} from './request.js';
import { type Bounds, type SendOptions, send, type Watcher } from './send.js';

export const DEFAULT_BOUNDS: Bounds = Object.freeze({
  connectMs: 5_000,
  headMs: 30_000,
  totalMs: 60_000,
  maxBytes: 16_777_216,
});

export interface ClientOptions {
  readonly url: URL;
  /** What is declared on every request; nothing by default. */
  readonly capabilities?: JsonObject;
  readonly clientInfo?: ClientInfo;
  /** On every request, laid over what the protocol calls for. */
  readonly headers?: FieldValues;
  readonly bounds?: Partial<Bounds>;
  /** Of every exchange. */
  readonly watcher?: Watcher;
  readonly signal?: AbortSignal;
  /** The first id; each request takes the next integer. */
  readonly firstId?: number;
}

export type ExchangeOptions = Partial<Omit<SendOptions, 'bounds'>> & {
  readonly bounds?: Partial<Bounds> | undefined;
};

export interface Client {
  readonly url: URL;
  /** A conforming request, under the next id unless the options name one. */
  readonly build: (method: string, params?: JsonObject, options?: RequestOptions) => Outgoing;
  readonly send: (outgoing: Outgoing, options?: ExchangeOptions) => Promise<RecordedExchange>;
  readonly request: (
    method: string,
    params?: JsonObject,
    options?: RequestOptions & ExchangeOptions,
  ) => Promise<RecordedExchange>;
}

const NO_PARAMS: JsonObject = Object.freeze({});

export function createClient(options: ClientOptions): Client {
  const { url, capabilities = {}, headers = {} } = options;
  const clientInfo = options.clientInfo ?? { name: 'mrtr-gateway', version: '0' };
  let nextId = options.firstId ?? 1;
  const build: Client['build'] = (method, params = NO_PARAMS, more = {}) =>
    buildRequest(method, params, { id: more.id ?? nextId++, capabilities, clientInfo, headers }, more);
  const post: Client['send'] = (outgoing, { bounds, watcher, signal, stopAfterMs } = {}) =>
    send(url, outgoing, {
      bounds: { ...DEFAULT_BOUNDS, ...options.bounds, ...bounds },
      watcher: watcher ?? options.watcher,
      signal: signal ?? options.signal,
      stopAfterMs,
    });
  return {
    url,
    build,
    send: post,
    request: (method, params, more) => post(build(method, params, more), more),
  };
}
