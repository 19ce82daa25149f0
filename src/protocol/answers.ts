/** Holds a client's answers against what was asked (client/elicitation#response-actions, basic/patterns/mrtr#inputresponses). */
import type { AskedInput } from './asked.js';
import { isOfFormat } from './formats.js';
import {
  arrayMember,
  has,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  member,
  numberMember,
  objectMember,
  stringMember,
} from './messages.js';
import { looseName } from './names.js';

export interface AnswerFault {
  readonly sentence: string;
  /** Steps from the answer to the fault. */
  readonly path: readonly string[];
}

export interface AnsweredInput {
  readonly asked: AskedInput;
  readonly answer: JsonObject;
}

/** The answer is not the result that the kind of request has. */
export function findKindFault({ kind }: AskedInput, answer: JsonObject): AnswerFault | undefined {
  if (kind === 'sampling') {
    const whole = ['role', 'content', 'model'].every((name) => has(answer, name));
    return whole ? undefined : fault('the answer to a sampling request must have role, content and model');
  }
  if (kind === 'roots') {
    const listed = isArray(member(answer, 'roots'));
    return listed ? undefined : fault('the answer to a roots request must have roots, an array');
  }
  return has(answer, 'action') ? undefined : fault('the answer to an elicitation must have an action');
}

/** Content in an answer to a URL elicitation, whose data is not for the client to see. An empty object has none in it. */
export function findModeFault({ kind }: AskedInput, answer: JsonObject): AnswerFault | undefined {
  if (kind !== 'elicitation_url' || !has(answer, 'content')) return undefined;
  const content = member(answer, 'content');
  if (isObject(content) && Object.keys(content).length === 0) return undefined;
  return fault('the answer to a URL elicitation must not have content', 'content');
}

/** What in the content of an accepted form does not match the requested schema. Fields that were not asked for pass. */
export function findSchemaFault({ schema }: AskedInput, answer: JsonObject): AnswerFault | undefined {
  if (schema === undefined || member(answer, 'action') !== 'accept') return undefined;
  const content = member(answer, 'content') ?? {};
  if (!isObject(content)) return fault('content must be an object', 'content');
  const required = arrayMember(schema, 'required') ?? [];
  if (!required.every((name) => typeof name === 'string' && has(content, name)))
    return fault('content lacks a field that the form requires', 'content');
  const fields = objectMember(schema, 'properties') ?? {};
  const names = Object.keys(fields);
  const read = readerOf(content, names);
  for (const name of names) {
    for (const value of read(name)) {
      const wrong = findFieldFault(member(fields, name) as JsonObject, value);
      if (wrong !== undefined) return fault(wrong, 'content', name);
    }
  }
  return undefined;
}

const NOT_OF_TYPE = 'a field of content is not of the type that the form asks for';
const OUT_OF_BOUNDS = 'a field of content is outside the bounds that the form sets';
const NO_OPTION = 'a field of content is none of the options that the form offers';
const NOT_OF_FORMAT = 'a field of content is not of the format that the form asks for';

const TYPES: ReadonlyMap<string | undefined, (value: JsonValue) => boolean> = new Map([
  ['string', (value) => typeof value === 'string'],
  ['number', (value) => typeof value === 'number'],
  ['integer', (value) => Number.isInteger(value)],
  ['boolean', (value) => typeof value === 'boolean'],
  ['array', isArray],
]);

/** Undefined also for types that no form has: nothing is known of their values. */
function findFieldFault(field: JsonObject, value: JsonValue): string | undefined {
  const isOfType = TYPES.get(stringMember(field, 'type'));
  if (isOfType === undefined) return undefined;
  if (!isOfType(value)) return NOT_OF_TYPE;
  if (typeof value === 'string') return findTextFault(field, value);
  if (typeof value === 'number')
    return within(field, 'minimum', value, 'maximum') ? undefined : OUT_OF_BOUNDS;
  return isArray(value) ? findListFault(field, value) : undefined;
}

function findTextFault(field: JsonObject, value: string): string | undefined {
  if (!isOption(field, value)) return NO_OPTION;
  if (!within(field, 'minLength', lengthOf(value), 'maxLength')) return OUT_OF_BOUNDS;
  const format = stringMember(field, 'format');
  return format === undefined || isOfFormat(value, format) ? undefined : NOT_OF_FORMAT;
}

function findListFault(field: JsonObject, values: readonly JsonValue[]): string | undefined {
  if (!within(field, 'minItems', values.length, 'maxItems')) return OUT_OF_BOUNDS;
  const items = objectMember(field, 'items') ?? {};
  if (values.some((value) => typeof value !== 'string')) return NOT_OF_TYPE;
  const options = arrayMember(items, 'enum');
  if (options === undefined) return undefined;
  const offered = new Set(options);
  return values.every((value) => offered.has(value)) ? undefined : NO_OPTION;
}

function isOption(field: JsonObject, value: string): boolean {
  return arrayMember(field, 'enum')?.includes(value) ?? true;
}

function within(field: JsonObject, least: string, value: number, most: string): boolean {
  const [minimum, maximum] = [numberMember(field, least), numberMember(field, most)];
  return (minimum === undefined || value >= minimum) && (maximum === undefined || value <= maximum);
}

/** In characters, not in UTF-16 units, as JSON Schema counts. */
function lengthOf(text: string): number {
  let length = text.length;
  for (const _ of text.match(/[\ud800-\udbff][\udc00-\udfff]/g) ?? []) length -= 1;
  return length;
}

function fault(sentence: string, ...path: readonly string[]): AnswerFault {
  return { sentence, path };
}

/** The answers among `inputResponses`, each with what it answers. Answers to nothing that was asked are left out. */
export function answersTo(asked: readonly AskedInput[], params: JsonObject): readonly AnsweredInput[] {
  const responses = objectMember(params, 'inputResponses');
  if (responses === undefined) return [];
  return asked.flatMap((one) => {
    const answer = objectMember(responses, one.key);
    return answer === undefined ? [] : [{ asked: one, answer }];
  });
}

/** The same with everything that the server may take for an answer, be it an object or not. */
export function takenForAnswers(asked: readonly AskedInput[], params: JsonObject): readonly AnsweredInput[] {
  const responses = objectMember(params, 'inputResponses');
  if (responses === undefined) return [];
  const keys = asked.map(({ key }) => key);
  const read = readerOf(responses, keys);
  return asked.flatMap((one) =>
    read(one.key).map((value) => ({ asked: one, answer: isObject(value) ? value : {} })),
  );
}

/**
 * What a reader may take for the member of one of these names: the member itself, and under names that are none of them
 * those that differ in letter case or separators alone, which some parsers do not tell apart.
 */
function readerOf(object: JsonObject, names: readonly string[]): (name: string) => readonly JsonValue[] {
  const known = new Set(names);
  const variants = new Map<string, JsonValue[]>();
  for (const name of Object.keys(object)) {
    if (known.has(name)) continue;
    const folded = looseName(name);
    const value = object[name] as JsonValue;
    const others = variants.get(folded);
    if (others === undefined) variants.set(folded, [value]);
    else others.push(value);
  }
  return (name) => {
    const own = member(object, name);
    const others = variants.get(looseName(name)) ?? [];
    return own === undefined ? others : [own, ...others];
  };
}
