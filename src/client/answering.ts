/** Answers to input requests, made of what a script or a user says. */
import { elicitationMode } from '../protocol/elicitations.js';
import type { InputRequest } from '../protocol/input-requests.js';
import { isObject, type JsonObject, type JsonValue } from '../protocol/messages.js';
import { parseJson } from '../protocol/parse.js';
import { defaultsOf, type Field, readFields, soleField, typedValue } from './fields.js';

export type Action = 'accept' | 'decline' | 'cancel';

/** What a script says: an action, and text beside it that is the value of the form's one field, or JSON. */
export interface Said {
  readonly action: Action;
  readonly value?: string | undefined;
}

export type Made = { readonly result: JsonObject } | { readonly problem: string };

/** The result of an elicitation (client/elicitation#response-actions). A problem is for whoever wrote the script. */
export function elicitResult(request: InputRequest, { action, value }: Said): Made {
  if (action !== 'accept') return { result: { action } };
  if (elicitationMode(request) === 'url') return { result: { action } };
  const fields = readFields(request);
  if (value === undefined) return { result: { action, content: defaultsOf(fields) } };
  const json = jsonOf(value);
  if (isObject(json)) return { result: { action, content: json } };
  const field = soleField(fields);
  if (field === undefined) return { problem: manyFields(fields) };
  return { result: { action, content: { [field.name]: typedValue(field, value) } } };
}

/** A whole sampling answer, when it is JSON; else the text of an assistant's message. */
export function sampleResult(said: string): JsonObject {
  const json = jsonOf(said);
  if (isObject(json)) return json;
  return { role: 'assistant', content: { type: 'text', text: said }, model: 'probe', stopReason: 'endTurn' };
}

export function rootsResult(uris: readonly string[]): JsonObject {
  return { roots: uris.map((uri) => ({ uri })) };
}

function manyFields(fields: readonly Field[]): string {
  if (fields.length === 0) return 'the form has no field that a value could be for';
  return 'the form has several fields: give their values as JSON, {"name": value, …}';
}

function jsonOf(text: string): JsonValue | undefined {
  return text.trimStart().startsWith('{') ? parseJson(text) : undefined;
}
