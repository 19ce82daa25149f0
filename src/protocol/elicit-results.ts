/** A client's answers to elicitations, as `inputResponses` carries them (client/elicitation#response-actions). */
import { has, isArray, isObject, type JsonObject, type JsonValue, member } from './messages.js';

const ACTIONS: ReadonlySet<JsonValue | undefined> = new Set(['accept', 'decline', 'cancel']);

export interface ElicitResultFault {
  readonly sentence: string;
  /** Steps from the result to the fault. */
  readonly path: readonly string[];
}

/**
 * Where a result that has an action departs from ElicitResult. Members that the schema does not name, and the content of
 * a refusal, are the server's to ignore. Numbers need not be integers: schema.ts wins over schema.json.
 */
export function elicitResultFault(result: JsonObject): ElicitResultFault | undefined {
  const action = member(result, 'action');
  if (!ACTIONS.has(action)) return { sentence: 'action must be accept, decline or cancel', path: ['action'] };
  if (action !== 'accept' || !has(result, 'content')) return undefined;
  const content = member(result, 'content');
  if (!isObject(content)) return { sentence: 'content must be an object', path: ['content'] };
  const odd = Object.keys(content).find((name) => !isFieldValue(content[name]));
  if (odd === undefined) return undefined;
  return {
    sentence: 'content holds only strings, numbers, booleans and arrays of strings',
    path: ['content', odd],
  };
}

function isFieldValue(value: JsonValue | undefined): boolean {
  if (isArray(value)) return value.every((item) => typeof item === 'string');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
