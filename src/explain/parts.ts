/** Pieces that several examples are made of. */
import {
  METHOD_ELICIT,
  METHOD_SAMPLE,
  RESULT_INPUT_REQUIRED,
  TASKS_EXTENSION,
} from '../protocol/constants.js';
import type { JsonObject } from '../protocol/messages.js';
import type { AnswerExample, RequestExample } from './example.js';

export const FORM = { elicitation: { form: {} } } as const;
export const FORM_AND_URL = { elicitation: { form: {}, url: {} } } as const;
export const TASKS = { extensions: { [TASKS_EXTENSION]: {} } } as const;

/** A call of a client that can be asked. */
export const CALL: RequestExample = {
  params: { name: 'book_table', arguments: {} },
  capabilities: FORM,
};

export function form(properties: JsonObject, more: JsonObject = {}): JsonObject {
  const requestedSchema = { type: 'object', properties };
  return { method: METHOD_ELICIT, params: { mode: 'form', message: 'For whom?', requestedSchema, ...more } };
}

export const NAME_FORM = form({ name: { type: 'string' } });

export function page(url: string): JsonObject {
  return { method: METHOD_ELICIT, params: { mode: 'url', message: 'Connect your account', url } };
}

export const SAMPLING: JsonObject = {
  method: METHOD_SAMPLE,
  params: { messages: [{ role: 'user', content: { type: 'text', text: 'Which table?' } }], maxTokens: 20 },
};

export function asks(inputRequests: JsonObject, more: JsonObject = {}): AnswerExample {
  return { result: { resultType: RESULT_INPUT_REQUIRED, inputRequests, ...more } };
}

export function task(more: JsonObject): JsonObject {
  const at = '2026-07-28T12:00:00Z';
  return { taskId: '7f3a', status: 'working', createdAt: at, lastUpdatedAt: at, ttlMs: 60_000, ...more };
}

export const DONE: JsonObject = { resultType: 'complete', content: [{ type: 'text', text: 'Booked.' }] };
