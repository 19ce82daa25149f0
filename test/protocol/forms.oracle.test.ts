/** The hand-written form readers against the revision's own JSON schema. Every difference that is meant is listed here. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FormSubset, findFormFault } from '../../src/protocol/forms.js';
import { isArray, isObject, type JsonObject, type JsonValue } from '../../src/protocol/messages.js';

type Definition = { properties: Record<string, { type: string }>; anyOf: { $ref: string }[] };
type Definitions = Record<string, Definition>;

const RUNS = 5_000;
const REVISION_SCHEMA = readFileSync(new URL('../data/mcp-2026-07-28.schema.json', import.meta.url), 'utf8');

/** Where schema.json and schema.ts differ schema.ts wins: there these are numbers, in schema.json integers. */
const NUMBERS_IN_SCHEMA_TS = [
  ['StringSchema', 'minLength'],
  ['StringSchema', 'maxLength'],
  ['UntitledMultiSelectEnumSchema', 'minItems'],
  ['UntitledMultiSelectEnumSchema', 'maxItems'],
  ['TitledMultiSelectEnumSchema', 'minItems'],
  ['TitledMultiSelectEnumSchema', 'maxItems'],
] as const;

/** The definitions that the plain subset keeps. */
const PLAIN_FORMS = ['StringSchema', 'NumberSchema', 'BooleanSchema', 'UntitledSingleSelectEnumSchema'];

const NESTING = [
  ...['$ref', '$dynamicRef', '$recursiveRef', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'],
  ...['properties', 'patternProperties', 'dependentSchemas', 'dependencies'],
  ...['items', 'prefixItems', 'additionalItems', 'contains'],
];

/** The schema's definitions are open objects, so it lets these pass; the readers refuse them. */
const REFUSED_BEYOND_THE_SCHEMA: readonly {
  readonly name: string;
  /** What the schema lets pass. */
  readonly example: JsonObject;
  readonly only?: FormSubset;
  readonly holds: (schema: JsonObject, subset: FormSubset) => boolean;
}[] = [
  {
    name: 'a keyword that nests, refers or composes, other than the own one of an enum form',
    example: formOf({ type: 'string', allOf: [{ minLength: 1 }] }),
    holds: (schema, subset) =>
      nests(schema, 'properties') || fieldsOf(schema).some((field) => fieldNests(field, subset)),
  },
  {
    name: 'enum or enumNames of a string enum that are not lists of strings',
    example: formOf({ type: 'string', enum: ['a', 1] }),
    holds: (schema) =>
      fieldsOf(schema).some(
        (field) =>
          isStringEnum(field) &&
          ['enum', 'enumNames'].some((name) => Object.hasOwn(field, name) && !isStrings(field[name])),
      ),
  },
  {
    name: 'plain: display names of an enum',
    example: formOf({ type: 'string', enum: ['a'], enumNames: ['First'] }),
    only: 'plain',
    holds: (schema, subset) =>
      subset === 'plain' &&
      fieldsOf(schema).some((field) => isStringEnum(field) && Object.hasOwn(field, 'enumNames')),
  },
  {
    name: 'a schema for further properties that is no field',
    example: { ...formOf({ type: 'string' }), additionalProperties: { type: 'object' } },
    holds: (schema, subset) => furtherOf(schema).some((further) => !accepts[subset].field(further)),
  },
];

const accepts = { revision: oracle('revision'), plain: oracle('plain') };

function oracle(subset: FormSubset) {
  const schema = JSON.parse(REVISION_SCHEMA) as { $defs: Definitions };
  for (const [name, property] of NUMBERS_IN_SCHEMA_TS) {
    const member = schema.$defs[name]?.properties[property];
    expect(member).toMatchObject({ type: 'integer' });
    if (member !== undefined) member.type = 'number';
  }
  const primitive = schema.$defs.PrimitiveSchemaDefinition;
  if (subset === 'plain' && primitive !== undefined) {
    primitive.anyOf = PLAIN_FORMS.map((name) => ({ $ref: `#/$defs/${name}` }));
  }
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(schema, 'mcp');
  const form = ajv.compile({ $ref: 'mcp#/$defs/ElicitRequestFormParams' });
  const field = ajv.compile({ $ref: 'mcp#/$defs/PrimitiveSchemaDefinition' });
  return {
    form: (requestedSchema: JsonValue) => form({ message: 'Which one?', requestedSchema }) === true,
    field: (value: JsonValue) => field(value) === true,
  };
}

function formOf(field: JsonValue): JsonObject {
  return { type: 'object', properties: { city: field } };
}

function nests(object: JsonObject, own?: string): boolean {
  return Object.keys(object).some((name) => NESTING.includes(name) && name !== own);
}

function fieldNests(field: JsonObject, subset: FormSubset): boolean {
  if (subset === 'plain') return nests(field);
  const { type, oneOf, items } = field;
  if (type === 'string') return isOptions(oneOf) ? nests(field, 'oneOf') || anyNests(oneOf) : nests(field);
  if (type !== 'array' || !isObject(items)) return nests(field);
  const { anyOf } = items;
  if (!isOptions(anyOf)) return nests(field, 'items') || nests(items);
  return nests(field, 'items') || nests(items, 'anyOf') || anyNests(anyOf);
}

function isOptions(value: JsonValue | undefined): value is readonly JsonObject[] {
  return (
    isArray(value) &&
    value.every((item) => isObject(item) && typeof item.const === 'string' && typeof item.title === 'string')
  );
}

function anyNests(objects: readonly JsonObject[]): boolean {
  return objects.some((object) => nests(object));
}

function isStrings(value: JsonValue | undefined): boolean {
  return isArray(value) && value.every((item) => typeof item === 'string');
}

function isStringEnum(field: JsonObject): boolean {
  return field.type === 'string' && (Object.hasOwn(field, 'enum') || Object.hasOwn(field, 'oneOf'));
}

/** Also the schemas for further properties: the readers take them for fields. */
function fieldsOf(schema: JsonObject): readonly JsonObject[] {
  const { properties } = schema;
  return [...(isObject(properties) ? Object.values(properties) : []), ...furtherOf(schema)].filter(isObject);
}

function furtherOf(schema: JsonObject): readonly JsonObject[] {
  return [schema.additionalProperties, schema.unevaluatedProperties]
    .filter((value) => value !== undefined)
    .filter(isObject)
    .filter((value) => Object.keys(value).length > 0);
}

type Arbitrary = fc.Arbitrary<JsonValue>;

const words: Arbitrary = fc.constantFrom('', 'red', 'green', 'email', 'date-time', 'password', '#/$defs/x');
const numbers: Arbitrary = fc.constantFrom(0, 1, -3, 2.5, 1e21);
const scalars: Arbitrary = fc.oneof(words, numbers, fc.boolean(), fc.constant(null));
const junk: Arbitrary = fc.oneof(
  scalars,
  fc.array(scalars, { maxLength: 2 }),
  fc.dictionary(fc.constantFrom('type', 'const', 'title', 'x'), scalars),
);
const strings: Arbitrary = fc.array(words, { maxLength: 3 }).map((list) => [...list]);

function members(own: Record<string, Arbitrary>, needed: string[]): fc.Arbitrary<JsonObject> {
  return fc.record(own, { requiredKeys: needed }) as fc.Arbitrary<JsonObject>;
}

const option = members({ const: words, title: words }, ['const', 'title']);
const labels = { title: words, description: words, pattern: words };
const fields: readonly fc.Arbitrary<JsonObject>[] = [
  members(
    {
      ...labels,
      type: fc.constant('string'),
      minLength: numbers,
      maxLength: numbers,
      format: fc.constantFrom('email', 'uri', 'date', 'date-time', 'uuid'),
      default: words,
    },
    ['type'],
  ),
  members(
    {
      ...labels,
      type: fc.constantFrom('number', 'integer'),
      minimum: numbers,
      maximum: numbers,
      default: numbers,
    },
    ['type'],
  ),
  members({ ...labels, type: fc.constant('boolean'), default: fc.boolean() }, ['type']),
  members({ ...labels, type: fc.constant('string'), enum: strings, enumNames: strings, default: words }, [
    'type',
    'enum',
  ]),
  members({ ...labels, type: fc.constant('string'), oneOf: list(option), default: words }, ['type', 'oneOf']),
  members(
    {
      ...labels,
      type: fc.constant('array'),
      items: fc.oneof(
        members({ type: fc.constant('string'), enum: strings }, ['type', 'enum']),
        members({ anyOf: list(option) }, ['anyOf']),
      ),
      minItems: numbers,
      maxItems: numbers,
      default: strings,
    },
    ['type', 'items'],
  ),
];

function list(item: Arbitrary): Arbitrary {
  return fc.array(item, { maxLength: 2 });
}

const strayMember = fc.tuple(
  fc.oneof(
    fc.constantFrom('type', 'title', 'default', 'format', 'enum', 'enumNames', 'oneOf', 'items', 'minLength'),
    fc.constantFrom(...NESTING),
  ),
  fc.oneof(junk, list(option), members({ anyOf: list(option) }, [])),
);

/** The object with stray members laid over it, or laid into its options. */
function spoilt(object: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> {
  const over = fc.tuple(object, strayMember).map(([own, stray]) => ({ ...own, ...entry(stray) }));
  const inside = fc.tuple(object, strayMember).map(([own, stray]) => {
    const { items, oneOf } = own;
    const laid = entry(stray);
    if (isObject(items)) return { ...own, items: { ...items, ...laid } };
    return isArray(oneOf)
      ? { ...own, oneOf: oneOf.map((item) => ({ ...(item as JsonObject), ...laid })) }
      : own;
  });
  return fc.oneof({ weight: 4, arbitrary: object }, over, inside);
}

function entry([name, value]: readonly [string, JsonValue]): JsonObject {
  return Object.fromEntries([[name, value]]);
}

const anyField: Arbitrary = fc.oneof(
  { weight: 12, arbitrary: spoilt(fc.oneof(...fields)) },
  { weight: 1, arbitrary: junk },
);

const names = fc.constantFrom('city', '__proto__', 'constructor', '$ref', 'oneOf', 'properties', 'a/b~c', '');
const properties = fc
  .uniqueArray(fc.tuple(names, anyField), { maxLength: 3, selector: ([name]) => name })
  .map((entries): JsonObject => Object.fromEntries(entries));

const further = fc.oneof(fc.boolean(), fc.constant({}), anyField);

const requestedSchemas = fc.oneof(
  {
    weight: 9,
    arbitrary: spoilt(
      members(
        {
          $schema: words,
          type: fc.oneof({ weight: 19, arbitrary: fc.constant('object') }, { weight: 1, arbitrary: junk }),
          properties,
          required: strings,
          title: scalars,
          additionalProperties: further,
          unevaluatedProperties: further,
        },
        ['type', 'properties'],
      ),
    ),
  },
  {
    weight: 1,
    arbitrary: members(
      { type: fc.constant('object'), properties: fc.oneof(properties, junk), required: junk },
      [],
    ),
  },
);

describe.each<FormSubset>(['revision', 'plain'])('the %s reader and the schema', (subset) => {
  it('agree on every form, but for the listed differences', () => {
    let accepted = 0;
    fc.assert(
      fc.property(requestedSchemas, (schema) => {
        const beyond = REFUSED_BEYOND_THE_SCHEMA.filter(({ holds }) => holds(schema, subset));
        const expected = accepts[subset].form(schema) && beyond.length === 0;
        if (expected) accepted += 1;
        expect(findFormFault(schema, subset) === undefined).toBe(expected);
      }),
      { numRuns: RUNS },
    );
    expect(accepted).toBeGreaterThan(RUNS / 20);
  });

  it.each(REFUSED_BEYOND_THE_SCHEMA.filter(({ only }) => only === undefined || only === subset))(
    'differ on $name',
    ({ example, holds }) => {
      expect(holds(example, subset)).toBe(true);
      expect(accepts[subset].form(example)).toBe(true);
      expect(findFormFault(example, subset)).toBeDefined();
    },
  );

  it('point to a place that exists', () => {
    fc.assert(
      fc.property(requestedSchemas, (schema) => {
        const fault = findFormFault(schema, subset);
        if (fault !== undefined) expect(resolve(schema, fault.at)).toBeDefined();
      }),
      { numRuns: RUNS },
    );
  });
});

it('a plain form is a form of the revision', () => {
  fc.assert(
    fc.property(requestedSchemas, (schema) => {
      if (findFormFault(schema, 'plain') === undefined) {
        expect(findFormFault(schema, 'revision')).toBeUndefined();
      }
    }),
    { numRuns: RUNS },
  );
});

function resolve(value: JsonValue, at: string): JsonValue | undefined {
  let found: JsonValue | undefined = value;
  for (const step of at.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as JsonObject)[name];
  }
  return found;
}
