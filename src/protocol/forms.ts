/**
 * The revision's forms (client/elicitation#requested-schema) as hand-written readers: a flat object of primitive fields.
 * A reader says what is wrong with a value, or nothing. What a form does not define, such as `pattern`, is an annotation
 * and passes, unless it nests or composes schemas.
 */
import { has, isArray, isObject, type JsonObject, type JsonValue, member, pointer } from './messages.js';

/** `plain` leaves out what has its own schema inside: titled options and multiple choice. */
export type FormSubset = 'revision' | 'plain';

export interface FormFault {
  /** JSON Pointer from the schema to what is wrong. */
  readonly at: string;
  readonly message: string;
}

type Reader = (value: JsonValue) => FormFault | undefined;

const NO_FORM = 'requestedSchema is not an object schema with properties';
const NO_FIELD = 'a form field is not a primitive schema: string, number, integer, boolean or an enum';
const NOT_FLAT = 'a form schema uses a keyword that nests, refers to or composes schemas';
const WRONG_MEMBER = 'a member of a form schema has a value that its primitive schema does not allow';

const NESTING: ReadonlySet<string> = new Set([
  ...['$ref', '$dynamicRef', '$recursiveRef'],
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'],
  ...['properties', 'patternProperties', 'dependentSchemas', 'dependencies'],
  ...['items', 'prefixItems', 'additionalItems', 'contains'],
]);
const FORMATS: ReadonlySet<JsonValue> = new Set(['email', 'uri', 'date', 'date-time']);

const text = holding((value) => typeof value === 'string');
const number = holding((value) => typeof value === 'number');
const flag = holding((value) => typeof value === 'boolean');
const texts = holding((value) => isArray(value) && value.every((item) => typeof item === 'string'));
const format = holding((value) => FORMATS.has(value));
const never = holding(() => false);

const LABELS = [
  ['title', text],
  ['description', text],
] as const;

const options = listOf(
  schema([
    ['const', text],
    ['title', text],
  ]),
);
const string = schema(
  [],
  [...LABELS, ['minLength', number], ['maxLength', number], ['format', format], ['default', text]],
);
const numeric = schema([], [...LABELS, ['minimum', number], ['maximum', number], ['default', number]]);
const boolean = schema([], [...LABELS, ['default', flag]]);
const choice = [...LABELS, ['enum', texts], ['default', text]] as const;
const select = schema([], [...choice, ['oneOf', options], ['enumNames', texts]]);
const plainSelect = schema([], [...choice, ['enumNames', never]]);
const titledItems = schema([['anyOf', options]]);
const untitledItems = schema([
  ['type', holding((value) => value === 'string')],
  ['enum', texts],
]);
const multiSelect = schema(
  [['items', (value) => (hasMember(value, 'anyOf') ? titledItems : untitledItems)(value)]],
  [...LABELS, ['minItems', number], ['maxItems', number], ['default', texts]],
);

const PLAIN = [
  ['number', numeric],
  ['integer', numeric],
  ['boolean', boolean],
] as const;
const FORMS: Readonly<Record<FormSubset, Reader>> = {
  revision: form(field(new Map([['string', stringOr(select)], ...PLAIN, ['array', multiSelect]]))),
  plain: form(field(new Map([['string', stringOr(plainSelect)], ...PLAIN]))),
};

/** What keeps a `requestedSchema` from being a form of the subset; the first such thing in the schema's own order. */
export function findFormFault(requestedSchema: JsonValue, subset: FormSubset): FormFault | undefined {
  return FORMS[subset](requestedSchema);
}

function form(fieldReader: Reader): Reader {
  // A schema for further properties is a field under any name; `true`, `false` and `{}` say nothing about it.
  const further: Reader = (value) =>
    isObject(value) && Object.keys(value).length > 0 ? fieldReader(value) : undefined;
  return schema(
    [
      ['type', holding((value) => value === 'object', NO_FORM)],
      ['properties', (value) => (isObject(value) ? each(value, fieldReader) : fault(NO_FORM))],
    ],
    [
      ['$schema', text],
      ['required', texts],
      ['additionalProperties', further],
      ['unevaluatedProperties', further],
    ],
    NO_FORM,
  );
}

function field(byType: ReadonlyMap<JsonValue, Reader>): Reader {
  return (value) => {
    if (!isObject(value)) return fault(NO_FIELD);
    const type = member(value, 'type');
    const read = type === undefined ? undefined : byType.get(type);
    return read === undefined ? fault(NO_FIELD, type === undefined ? '' : '/type') : read(value);
  };
}

function stringOr(selectReader: Reader): Reader {
  return (value) => (hasMember(value, 'enum') || hasMember(value, 'oneOf') ? selectReader : string)(value);
}

/** An object with the needed members; a member that is listed is read, any other passes unless it nests. */
function schema(
  needed: readonly (readonly [string, Reader])[],
  optional: readonly (readonly [string, Reader])[] = [],
  lacking: string = WRONG_MEMBER,
): Reader {
  const members = new Map([...needed, ...optional]);
  return (value) => {
    if (!isObject(value) || needed.some(([name]) => !has(value, name))) return fault(lacking);
    return each(value, (item, name) => {
      const read = members.get(name);
      if (read !== undefined) return read(item);
      return NESTING.has(name) ? fault(NOT_FLAT) : undefined;
    });
  };
}

function listOf(item: Reader): Reader {
  return (value) => (isArray(value) ? each(value, item) : fault(WRONG_MEMBER));
}

function each(
  values: JsonObject | readonly JsonValue[],
  read: (value: JsonValue, name: string) => FormFault | undefined,
): FormFault | undefined {
  for (const name of Object.keys(values)) {
    const found = read((values as JsonObject)[name] as JsonValue, name);
    if (found !== undefined) return { at: pointer(name) + found.at, message: found.message };
  }
  return undefined;
}

function holding(holds: (value: JsonValue) => boolean, message: string = WRONG_MEMBER): Reader {
  return (value) => (holds(value) ? undefined : fault(message));
}

function hasMember(value: JsonValue, name: string): boolean {
  return isObject(value) && has(value, name);
}

function fault(message: string, at = ''): FormFault {
  return { at, message };
}
