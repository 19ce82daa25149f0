/** What the stand-in answers, before it is bytes. */
import { JSON_RPC_VERSION, RESULT_COMPLETE } from '../protocol/constants.js';
import { REFUSALS, type RefusalKey } from '../protocol/errors.js';
import type { JsonObject, MessageId } from '../protocol/messages.js';

export type Payload = { readonly result: JsonObject } | { readonly error: JsonObject };

export interface DemoReply {
  readonly status: number;
  /** Messages that go ahead of the payload; with any, the reply is an event stream. */
  readonly ahead: readonly JsonObject[];
  readonly payload: Payload;
  /** JSON text of another id than the request's: only a misbehaving server has one. */
  readonly idText?: string;
}

export function complete(result: JsonObject): DemoReply {
  return { status: 200, ahead: [], payload: { result: { resultType: RESULT_COMPLETE, ...result } } };
}

export function toolText(text: string, isError = false): DemoReply {
  return complete({ content: [{ type: 'text', text }], isError });
}

export function refuse(key: RefusalKey, message: string, data?: JsonObject): DemoReply {
  const { code, status } = REFUSALS[key];
  return { status, ahead: [], payload: { error: { code, message, ...(data && { data }) } } };
}

export function replyText(reply: DemoReply, id: MessageId | undefined): string {
  const idText = reply.idText ?? id?.text;
  const head = `{"jsonrpc":"${JSON_RPC_VERSION}",${idText === undefined ? '' : `"id":${idText},`}`;
  return 'result' in reply.payload
    ? `${head}"result":${JSON.stringify(reply.payload.result)}}`
    : `${head}"error":${JSON.stringify(reply.payload.error)}}`;
}

export function notification(method: string, params: JsonObject): JsonObject {
  return { jsonrpc: JSON_RPC_VERSION, method, params };
}

export function eventText(message: JsonObject | string): string {
  return `data: ${typeof message === 'string' ? message : JSON.stringify(message)}\n\n`;
}
