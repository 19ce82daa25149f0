/** What was asked, in the short form that is kept until the answer comes: enough to hold the answer against it. */
import { METHOD_ROOTS, METHOD_SAMPLE } from './constants.js';
import { elicitationMode } from './elicitations.js';
import type { InputRequest } from './input-requests.js';
import {
  arrayMember,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  member,
  objectMember,
} from './messages.js';

export type AskedKind = 'elicitation_form' | 'elicitation_url' | 'sampling' | 'roots';

export interface AskedInput {
  readonly key: string;
  readonly kind: AskedKind;
  /** Of a form: the part of `requestedSchema` that an answer is held against. */
  readonly schema: JsonObject | undefined;
}

const MODES = { form: 'elicitation_form', url: 'elicitation_url', unknown: undefined } as const;

/** Keywords that bound an answer, with the type that they count in. */
const BOUNDS = new Map([
  ['type', 'string'],
  ['format', 'string'],
  ['minLength', 'number'],
  ['maxLength', 'number'],
  ['minimum', 'number'],
  ['maximum', 'number'],
  ['minItems', 'number'],
  ['maxItems', 'number'],
]);

/** Entries of no kind that the revision knows are left out: nothing is known of their answers. */
export function askedInputs(asked: readonly InputRequest[]): readonly AskedInput[] {
  const inputs: AskedInput[] = [];
  for (const request of asked) {
    const kind = askedKind(request);
    if (kind === undefined) continue;
    const schema = kind === 'elicitation_form' ? request.params && requestedForm(request.params) : undefined;
    inputs.push({ key: request.key, kind, schema });
  }
  return inputs;
}

export function askedKind(request: InputRequest): AskedKind | undefined {
  if (request.method === METHOD_SAMPLE) return 'sampling';
  if (request.method === METHOD_ROOTS) return 'roots';
  const mode = elicitationMode(request);
  return mode && MODES[mode];
}

/** Bytes of what is kept of a server's own text: its state as it was written, and what it asked for. */
export function keptBytes(state: string, asked: readonly AskedInput[]): number {
  return Buffer.byteLength(state) + Buffer.byteLength(JSON.stringify(asked));
}

function requestedForm(params: JsonObject): JsonObject | undefined {
  const schema = objectMember(params, 'requestedSchema');
  if (schema === undefined) return undefined;
  const properties = record();
  for (const [name, field] of Object.entries(objectMember(schema, 'properties') ?? {})) {
    if (isObject(field)) properties[name] = boundsOf(field);
  }
  const form: Record<string, JsonValue> = { properties };
  const required = texts(arrayMember(schema, 'required'));
  if (required !== undefined) form.required = required;
  return form;
}

/** Titles, descriptions and defaults bound nothing; titled options become the enum of their constants. */
function boundsOf(field: JsonObject): JsonObject {
  const bounds = record();
  for (const [keyword, type] of BOUNDS) {
    const value = member(field, keyword);
    if (typeof value === type) bounds[keyword] = value as JsonValue;
  }
  const options = texts(arrayMember(field, 'enum')) ?? constants(field, 'oneOf');
  if (options !== undefined) bounds.enum = options;
  const items = objectMember(field, 'items');
  const choices = items && (texts(arrayMember(items, 'enum')) ?? constants(items, 'anyOf'));
  if (choices !== undefined) bounds.items = { enum: choices };
  return bounds;
}

function constants(holder: JsonObject, keyword: string): readonly string[] | undefined {
  const options = arrayMember(holder, keyword);
  return (
    options && texts(options.map((option) => (isObject(option) ? (member(option, 'const') ?? null) : null)))
  );
}

/** A list that is not of strings alone bounds nothing: it is no form's. */
function texts(value: readonly JsonValue[] | undefined): readonly string[] | undefined {
  return isArray(value) && value.every((item) => typeof item === 'string')
    ? (value as readonly string[])
    : undefined;
}

/** A name like `__proto__` is an ordinary member of it. */
function record(): Record<string, JsonValue> {
  return Object.create(null) as Record<string, JsonValue>;
}
