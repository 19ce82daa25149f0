/** What an exchange came to, for whoever acts on it. */
import { RESULT_COMPLETE, RESULT_INPUT_REQUIRED, RESULT_TASK } from '../protocol/constants.js';
import { type InputRequest, readInputRequests } from '../protocol/input-requests.js';
import { type JsonObject, type JsonValue, member, type RpcError } from '../protocol/messages.js';
import type { ReadFault } from '../protocol/reading.js';
import { resultTypeOf } from '../protocol/results.js';
import type { RecordedExchange, ServerResponse, Trouble } from './record.js';

export type Outcome =
  | { readonly kind: 'complete'; readonly result: JsonObject }
  | {
      readonly kind: 'input_required';
      readonly result: JsonObject;
      readonly asked: readonly InputRequest[];
      /** As it came, whatever its type; undefined when the result has none. */
      readonly requestState: JsonValue | undefined;
    }
  | { readonly kind: 'task'; readonly result: JsonObject; readonly taskId: JsonValue | undefined }
  /** A result of a type that the revision does not know. */
  | { readonly kind: 'unknown'; readonly result: JsonObject }
  | { readonly kind: 'error'; readonly status: number; readonly error: RpcError }
  /** An answer of HTTP alone: an error status, a redirect. */
  | { readonly kind: 'http'; readonly status: number }
  /** A 2xx that holds no response to the request. */
  | { readonly kind: 'unanswered'; readonly status: number; readonly fault: ReadFault | undefined }
  | { readonly kind: 'trouble'; readonly trouble: Trouble };

export function outcomeOf(record: RecordedExchange): Outcome {
  const { response, status = 0, trouble } = record;
  if (response?.error !== undefined) return { kind: 'error', status, error: response.error };
  if (response?.result !== undefined) return resultOutcome(response, response.result);
  if (trouble !== undefined) return { kind: 'trouble', trouble };
  if (status >= 300) return { kind: 'http', status };
  return { kind: 'unanswered', status, fault: faultOf(record) };
}

function resultOutcome(response: ServerResponse, result: JsonObject): Outcome {
  const type = resultTypeOf(result);
  if (type === RESULT_INPUT_REQUIRED) {
    const asked = readInputRequests(response);
    return { kind: 'input_required', result, asked, requestState: member(result, 'requestState') };
  }
  if (type === RESULT_TASK) return { kind: 'task', result, taskId: member(result, 'taskId') };
  return { kind: type === RESULT_COMPLETE ? 'complete' : 'unknown', result };
}

function faultOf({ heard }: RecordedExchange): ReadFault | undefined {
  return heard.find(({ reading }) => reading.fault !== undefined)?.reading.fault;
}
