/** One exchange through the gateway, in front of a server that issues no requestState and answers as it is told to. */
import { expect } from 'vitest';
import { type CallOptions, post, type Received, requestHeaders, requestText } from '../support/client.js';
import { type GatewayConfig, type Pair, startPair } from '../support/pair.js';
import {
  type HttpReply,
  jsonReply,
  type Reply,
  type ReplyFunction,
  sseEvent,
  sseReply,
  type UpstreamRequest,
} from '../support/upstream.js';

export const DONE = { resultType: 'complete', content: [{ type: 'text', text: 'done' }], isError: false };
export const ANSWERED = { jsonrpc: '2.0', id: 1, result: DONE };

export interface Asked extends CallOptions {
  readonly method?: string;
  /** The body as it is, instead of what the other members make. */
  readonly body?: string;
  /** What the server answers: a message, or a whole reply. */
  readonly reply?: unknown;
  readonly config?: GatewayConfig;
}

export interface Exchanged extends Received, Pair {
  /** What reached the server. */
  readonly requests: readonly UpstreamRequest[];
}

export async function exchange(asked: Asked = {}): Promise<Exchanged> {
  const { method = 'tools/call', reply = ANSWERED, config } = asked;
  const options: CallOptions = { ...asked, params: asked.params ?? paramsOf(method) };
  const { route, ...keys } = config ?? {};
  const pair = await startPair(() => replyOf(reply), {
    ...keys,
    route: { requestState: 'forbid', ...route },
  });
  const body = asked.body ?? requestText(method, options);
  const answer = await post(pair.url, body, requestHeaders(method, options));
  return { ...answer, ...pair, requests: pair.upstream.requests };
}

/** A server that issues no requestState, and the gateway in front of it. */
export function start(reply: ReplyFunction, { route, ...keys }: GatewayConfig = {}): Promise<Pair> {
  return startPair(reply, { ...keys, route: { requestState: 'forbid', ...route } });
}

function paramsOf(method: string): Record<string, unknown> {
  if (method === 'resources/read') return { uri: 'file:///a.txt' };
  return method === 'tools/call' || method === 'prompts/get' ? { name: 'book', arguments: {} } : {};
}

function replyOf(reply: unknown): Reply {
  const whole = typeof reply === 'object' && reply !== null;
  return whole && ['body', 'never', 'raw'].some((name) => name in reply)
    ? (reply as Reply)
    : jsonReply(reply);
}

/** A result that asks for these fields by form. */
export function form(properties: object, more: object = {}): Record<string, unknown> {
  const requestedSchema = { type: 'object', properties, required: Object.keys(properties) };
  const params = { mode: 'form', message: 'One thing is missing', requestedSchema };
  return asking({ q: { method: 'elicitation/create', params } }, more);
}

export function asking(inputRequests: unknown, more: object = {}): Record<string, unknown> {
  return { resultType: 'input_required', inputRequests, ...more };
}

export function resultOf(result: unknown, id: string | number = 1): Record<string, unknown> {
  return { jsonrpc: '2.0', id, result };
}

/** The same message as a stream of one event, or as these bytes of one. */
export function streamed(message: unknown): HttpReply {
  return sseReply(typeof message === 'string' ? message : sseEvent(message));
}

/** The answer is an error of this rule, with the request's id, and nothing of what was refused. */
export function expectRefusal(
  answer: Received,
  expected: { readonly status: number; readonly code: number; readonly rule: string; readonly id?: unknown },
): void {
  const { status, message } = answer;
  const got = { status, code: message?.error?.code, rule: message?.error?.data?.rule, id: message?.id };
  expect(got).toEqual({ id: 1, ...expected });
  expect(Object.keys(message).sort()).toEqual(
    [...(got.id === undefined ? [] : ['id']), 'error', 'jsonrpc'].sort(),
  );
}
