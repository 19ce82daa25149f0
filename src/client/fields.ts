/** A form's fields, read for whoever shows them (client/elicitation#requested-schema). Tolerant: a form may be anything. */
import { findSchemaFault } from '../protocol/answers.js';
import { askedInputs } from '../protocol/asked.js';
import { METHOD_ELICIT } from '../protocol/constants.js';
import type { InputRequest } from '../protocol/input-requests.js';
import {
  arrayMember,
  isObject,
  type JsonObject,
  type JsonValue,
  member,
  objectMember,
  stringMember,
} from '../protocol/messages.js';

/** `other`: no primitive of the revision's; only JSON can answer it. */
export type FieldType = 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'choices' | 'other';

export interface Option {
  readonly value: string;
  readonly title: string | undefined;
}

export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly required: boolean;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly default: JsonValue | undefined;
  readonly options: readonly Option[];
  /** What bounds a value, in words of this program; the numbers are the form's. */
  readonly bounds: readonly string[];
  /** Why the value does not fit the field, or nothing. */
  readonly fault: (value: JsonValue) => string | undefined;
}

const FORMATS: ReadonlySet<string | undefined> = new Set(['email', 'uri', 'date', 'date-time']);

export function readFields(request: InputRequest): readonly Field[] {
  const schema = request.params && objectMember(request.params, 'requestedSchema');
  const properties = (schema && objectMember(schema, 'properties')) ?? {};
  const required = new Set((schema && arrayMember(schema, 'required')) ?? []);
  return Object.keys(properties).map((name) => {
    const value = member(properties, name);
    return readField(name, isObject(value) ? value : {}, required.has(name));
  });
}

function readField(name: string, schema: JsonObject, required: boolean): Field {
  const options = optionsOf(schema) ?? optionsOf(objectMember(schema, 'items') ?? {});
  return {
    name,
    type: typeOf(schema, options),
    required,
    title: stringMember(schema, 'title'),
    description: stringMember(schema, 'description'),
    default: member(schema, 'default'),
    options: options ?? [],
    bounds: boundsOf(schema),
    fault: (value) => faultOf(name, schema, value),
  };
}

function typeOf(schema: JsonObject, options: readonly Option[] | undefined): FieldType {
  const type = stringMember(schema, 'type');
  if (type === 'string') return options === undefined ? 'text' : 'choice';
  if (type === 'array') return options === undefined ? 'other' : 'choices';
  return type === 'number' || type === 'integer' || type === 'boolean' ? type : 'other';
}

/** Of `enum` (with `enumNames`), or of titled constants. */
function optionsOf(schema: JsonObject): readonly Option[] | undefined {
  const titles = arrayMember(schema, 'enumNames') ?? [];
  const plain = arrayMember(schema, 'enum')?.map((value, index) => ({ value, title: titles[index] }));
  const titled = (arrayMember(schema, 'oneOf') ?? arrayMember(schema, 'anyOf'))?.map((option) =>
    isObject(option)
      ? { value: member(option, 'const'), title: member(option, 'title') }
      : { value: undefined, title: undefined },
  );
  return (plain ?? titled)?.flatMap(({ value, title }) =>
    typeof value === 'string' ? [{ value, title: typeof title === 'string' ? title : undefined }] : [],
  );
}

const LIMITS = [
  ['minLength', 'at least', 'characters'],
  ['maxLength', 'at most', 'characters'],
  ['minimum', 'at least', ''],
  ['maximum', 'at most', ''],
  ['minItems', 'at least', 'of them'],
  ['maxItems', 'at most', 'of them'],
] as const;

function boundsOf(schema: JsonObject): readonly string[] {
  const bounds = LIMITS.flatMap(([keyword, words, unit]) => {
    const limit = member(schema, keyword);
    return typeof limit === 'number' ? [`${words} ${limit} ${unit}`.trimEnd()] : [];
  });
  const format = stringMember(schema, 'format');
  return format !== undefined && FORMATS.has(format) ? [format, ...bounds] : bounds;
}

/** By the reading that the gateway holds answers against. */
function faultOf(name: string, schema: JsonObject, value: JsonValue): string | undefined {
  const requestedSchema = { type: 'object', properties: { [name]: schema } };
  const request = { method: METHOD_ELICIT, params: { requestedSchema } };
  const [asked] = askedInputs([{ key: '', at: '', value: request, ...request }]);
  if (asked === undefined) return undefined;
  const found = findSchemaFault(asked, { action: 'accept', content: { [name]: value } });
  return found?.sentence.replace('a field of content is', 'it is');
}

/** The one field that plain text can be meant for; undefined when it could be several. */
export function soleField(fields: readonly Field[]): Field | undefined {
  if (fields.length === 1) return fields[0];
  const required = fields.filter((field) => field.required);
  return required.length === 1 ? required[0] : undefined;
}

/** What the form fills in by itself. */
export function defaultsOf(fields: readonly Field[]): JsonObject {
  return Object.fromEntries(
    fields.flatMap((field) => (field.default === undefined ? [] : [[field.name, field.default] as const])),
  );
}

/** Text as the field's type has it; text that is not of the type stays text, since a probe may send what is wrong. */
export function typedValue(field: Field, text: string): JsonValue {
  switch (field.type) {
    case 'number':
    case 'integer':
      return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
    case 'boolean':
      return BOOLEANS.get(text.trim().toLowerCase()) ?? text;
    case 'choices':
      return text.split(',').map((one) => one.trim());
    default:
      return text;
  }
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'y'].map((word) => [word, true] as const),
  ...['false', 'no', 'n'].map((word) => [word, false] as const),
]);
