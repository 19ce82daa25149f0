/** What a form shows to its user: names of fields, titles, descriptions and the message, wherever a schema holds them. */
import { METHOD_ELICIT } from './constants.js';
import type { CredentialPlace } from './credentials.js';
import type { InputRequest } from './input-requests.js';
import {
  arrayMember,
  has,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  member,
  objectMember,
  pointer,
  stringMember,
} from './messages.js';

/** One piece of a form. */
export interface FormText {
  readonly place: CredentialPlace;
  /** '' for writeOnly. */
  readonly text: string;
  /** The field offers a choice (boolean, enum, constants): nobody can type a secret into it. */
  readonly choice: boolean;
}

export type FormJudge = (piece: FormText) => boolean;

/** A chain of steps back to the entry: a JSON Pointer is made of it for a finding only. */
interface Place {
  readonly parent: Place | undefined;
  readonly step: string;
}

/** A schema still to be read, or a list of names. */
interface Pending {
  readonly as: 'schema' | 'field' | 'names';
  readonly value: JsonValue;
  readonly place: Place;
  /** The fields that the names are about, which need no second look. */
  readonly declared?: JsonObject | undefined;
}

/** Members of a schema that hold data or are none of the form's. */
const DATA: ReadonlySet<string> = new Set([
  'const',
  'default',
  'enum',
  'enumNames',
  'example',
  'examples',
  'type',
]);
/** Maps whose keys are names of fields; a list in such a place is one of names. */
const FIELDS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependentRequired',
  'dependencies',
]);
/** Schemas, or lists or maps of them, whose keys name no field. */
const NAMELESS: ReadonlySet<string> = new Set(
  `items prefixItems additionalItems additionalProperties unevaluatedItems unevaluatedProperties contains propertyNames
   oneOf anyOf allOf not if then else`.split(/\s+/),
);
const LABELLED: ReadonlySet<string> = new Set(['$defs', 'definitions']);

/**
 * The place of the first piece of the entry's form that the judge objects to; undefined when there is none, or no form.
 * A form is every elicitation that does not say url, and whatever else has a `requestedSchema`.
 */
export function findInForm(request: InputRequest, judge: FormJudge): string | undefined {
  const { params } = request;
  if (params === undefined || member(params, 'mode') === 'url') return undefined;
  if (request.method !== METHOD_ELICIT && !has(params, 'requestedSchema')) return undefined;
  const root: Place = { parent: undefined, step: 'params' };
  const schema = member(params, 'requestedSchema');
  const found =
    (schema === undefined ? undefined : findInSchema(schema, within(root, 'requestedSchema'), judge)) ??
    findText(params, 'message', root, judge);
  return found === undefined ? undefined : request.at + pointerTo(found);
}

/** Walks in the order of the document, with a stack of its own: depth costs no call stack. */
function findInSchema(root: JsonValue, place: Place, judge: FormJudge): Place | undefined {
  const pending: Pending[] = [{ as: 'schema', value: root, place }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { as, value } = next;
    const choice = value !== root && isObject(value) && isChoice(value);
    if (as === 'field' && judge({ place: 'name', text: next.place.step, choice })) return next.place;
    const found = as === 'names' ? findName(next, judge) : findHere(value, next.place, choice, judge);
    if (found !== undefined) return found;
    if (as !== 'names')
      pushBackwards(pending, isArray(value) ? listed(value, next.place) : inner(value, next.place));
  }
  return undefined;
}

function findName({ value, place, declared }: Pending, judge: FormJudge): Place | undefined {
  if (!isArray(value)) return undefined;
  const index = value.findIndex(
    (name) =>
      typeof name === 'string' &&
      !(declared !== undefined && has(declared, name)) &&
      judge({ place: 'name', text: name, choice: false }),
  );
  return index < 0 ? undefined : within(place, String(index));
}

/** The texts of one schema, not of those inside it. */
function findHere(value: JsonValue, place: Place, choice: boolean, judge: FormJudge): Place | undefined {
  if (!isObject(value)) return undefined;
  if (member(value, 'writeOnly') === true && judge({ place: 'writeOnly', text: '', choice })) {
    return within(place, 'writeOnly');
  }
  const names = arrayMember(value, 'enumNames') ?? [];
  const index = names.findIndex(
    (text) => typeof text === 'string' && judge({ place: 'title', text, choice: true }),
  );
  if (index >= 0) return within(within(place, 'enumNames'), String(index));
  return (
    findText(value, 'format', place, judge, choice) ??
    findText(value, 'pattern', place, judge, choice) ??
    findText(value, 'title', place, judge, choice) ??
    findText(value, 'description', place, judge, choice)
  );
}

function findText(
  holder: JsonObject,
  name: 'format' | 'pattern' | 'title' | 'description' | 'message',
  place: Place,
  judge: FormJudge,
  choice = false,
): Place | undefined {
  const text = stringMember(holder, name);
  return text !== undefined && judge({ place: name, text, choice }) ? within(place, name) : undefined;
}

/** The schemas and names inside a schema. A member that no schema has is taken for a field: forms may be malformed. */
function inner(schema: JsonValue, place: Place): Pending[] {
  if (!isObject(schema)) return [];
  const found: Pending[] = [];
  for (const key of Object.keys(schema)) {
    const value = schema[key] as JsonValue;
    if (typeof value !== 'object' || value === null || DATA.has(key)) continue;
    const here = within(place, key);
    if (key === 'required') continue;
    if (FIELDS.has(key) || LABELLED.has(key))
      for (const entry of mapped(value, here, FIELDS.has(key))) found.push(entry);
    else found.push({ as: NAMELESS.has(key) || isArray(value) ? 'schema' : 'field', value, place: here });
  }
  const required = member(schema, 'required');
  const declared = objectMember(schema, 'properties');
  if (isArray(required))
    found.push({ as: 'names', value: required, place: within(place, 'required'), declared });
  return found;
}

function mapped(map: JsonValue, place: Place, fields: boolean): Pending[] {
  if (isArray(map))
    return [
      { as: 'names', value: map, place },
      { as: 'schema', value: map, place },
    ];
  if (!isObject(map)) return [];
  return Object.keys(map).flatMap((key): Pending[] => {
    const value = map[key] as JsonValue;
    const here = within(place, key);
    const entry: Pending = { as: fields ? 'field' : 'schema', value, place: here };
    return isArray(value) ? [entry, { as: 'names', value, place: here }] : [entry];
  });
}

function listed(list: readonly JsonValue[], place: Place): Pending[] {
  return list.map((value, index) => ({ as: 'schema', value, place: within(place, String(index)) }));
}

/** Boolean, constants, or a list of such: what the user can answer is written in the form. */
function isChoice(schema: JsonObject): boolean {
  const type = member(schema, 'type');
  if (type === 'boolean') return true;
  if (type === 'array') {
    const items = objectMember(schema, 'items');
    return items !== undefined && member(items, 'type') !== 'array' && isChoice(items);
  }
  // Of a number, and of a text that is merely `const`, the revision knows no options: clients offer a field to type into.
  if (type !== undefined && type !== 'string') return false;
  if (type === undefined && has(schema, 'const')) return true;
  const values = arrayMember(schema, 'enum');
  if (values !== undefined && values.length > 0) return true;
  const options = arrayMember(schema, 'oneOf') ?? arrayMember(schema, 'anyOf');
  return (
    options !== undefined &&
    options.length > 0 &&
    options.every((option) => isObject(option) && has(option, 'const'))
  );
}

function pushBackwards(pending: Pending[], found: readonly Pending[]): void {
  for (let index = found.length - 1; index >= 0; index -= 1) pending.push(found[index] as Pending);
}

function within(parent: Place, step: string): Place {
  return { parent, step };
}

function pointerTo(place: Place): string {
  const steps: string[] = [];
  for (let at: Place | undefined = place; at !== undefined; at = at.parent) steps.push(at.step);
  return pointer(...steps.reverse());
}
