/** What a result is: its type, whether it asks for input, and the task it stands for (basic/index#resulttype, SEP-2663). */
import {
  METHOD_TASKS_GET,
  METHOD_TOOLS_CALL,
  NOTIFICATION_TASKS,
  RESULT_COMPLETE,
  RESULT_INPUT_REQUIRED,
  RESULT_TASK,
} from './constants.js';
import {
  has,
  type JsonObject,
  type JsonValue,
  member,
  objectMember,
  type ServerMessage,
  stringMember,
} from './messages.js';

/** A message from the upstream and the request that it belongs to; an outbound input is one. */
export interface Answer {
  readonly exchange: { readonly message: { readonly method: string } };
  readonly message: ServerMessage | undefined;
}

export interface CarriedTask {
  readonly task: JsonObject;
  /** The member of the envelope that the task is: `result`, or `params` of notifications/tasks. */
  readonly step: 'result' | 'params';
}

/** The message's result; undefined for errors, requests, notifications and results that are no object. */
export function resultOf(message: ServerMessage | undefined): JsonObject | undefined {
  return message?.kind === 'response' ? message.result : undefined;
}

/** The result's type, an absent one being `complete`; undefined when the member is no string. */
export function resultTypeOf(result: JsonObject): string | undefined {
  return has(result, 'resultType') ? stringMember(result, 'resultType') : RESULT_COMPLETE;
}

/** The result calls itself a task, whatever the request was. */
export function isTaskResult(answer: Answer): boolean {
  const result = resultOf(answer.message);
  return result !== undefined && resultTypeOf(result) === RESULT_TASK;
}

/**
 * The result is to be judged as an InputRequiredResult: it says so, or it has `inputRequests` and is no place where a
 * task carries its own (an answer to tasks/get, a task that answers tools/call).
 */
export function isInputRequired(answer: Answer): boolean {
  const result = resultOf(answer.message);
  if (result === undefined) return false;
  const type = resultTypeOf(result);
  if (type === RESULT_INPUT_REQUIRED) return true;
  if (!has(result, 'inputRequests')) return false;
  const { method } = answer.exchange.message;
  return method !== METHOD_TASKS_GET && !(method === METHOD_TOOLS_CALL && type === RESULT_TASK);
}

/** The task that the message carries: an answer to tasks/get, a result of type `task`, or notifications/tasks. */
export function taskOf(answer: Answer): CarriedTask | undefined {
  const { exchange, message } = answer;
  if (message?.kind === 'notification') {
    return message.method === NOTIFICATION_TASKS ? { task: message.params, step: 'params' } : undefined;
  }
  const result = resultOf(message);
  if (result === undefined) return undefined;
  const carries = exchange.message.method === METHOD_TASKS_GET || resultTypeOf(result) === RESULT_TASK;
  return carries ? { task: result, step: 'result' } : undefined;
}

/** The task waits for input of the client, by its own word. */
export function awaitsInput(task: JsonObject): boolean {
  return member(task, 'status') === RESULT_INPUT_REQUIRED;
}

/** What the task's request came to, where it is already stored in the task. */
export function storedResultOf(task: JsonObject): JsonObject | undefined {
  return objectMember(task, 'result');
}

/** The code of the error that the task's request came to, where it failed. */
export function storedErrorCodeOf(task: JsonObject): JsonValue | undefined {
  return member(objectMember(task, 'error') ?? {}, 'code');
}
