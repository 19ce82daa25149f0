import { describe, expect, it } from 'vitest';
import { findFormFault } from '../../src/protocol/forms.js';
import type { JsonObject, JsonValue } from '../../src/protocol/messages.js';

const OPTIONS = [
  { const: 'a', title: 'First' },
  { const: 'b', title: 'Second' },
];

function form(field: JsonValue, root: JsonObject = {}): JsonObject {
  return { type: 'object', properties: { city: field }, ...root };
}

const PLAIN_FIELDS: readonly (readonly [string, JsonObject])[] = [
  ['a string', { type: 'string' }],
  [
    'a string with every member',
    { type: 'string', title: 't', description: 'd', minLength: 1, maxLength: 9 },
  ],
  ['an e-mail address', { type: 'string', format: 'email', default: 'a@example.com' }],
  ['a URI', { type: 'string', format: 'uri' }],
  ['a date', { type: 'string', format: 'date' }],
  ['a time', { type: 'string', format: 'date-time' }],
  ['a number', { type: 'number', minimum: 0.5, maximum: 1, default: 0.7 }],
  ['an integer', { type: 'integer', minimum: 1, maximum: 65535 }],
  ['a boolean', { type: 'boolean', default: false }],
  ['a string enum', { type: 'string', enum: ['a', 'b'], default: 'a' }],
  ['a pattern, which is an annotation', { type: 'string', pattern: '^[a-z]+$' }],
  ['members of vendors', { type: 'integer', 'x-order': 3, examples: [1, 2], multipleOf: 2 }],
];

const TITLED_FIELDS: readonly (readonly [string, JsonObject])[] = [
  ['a titled enum', { type: 'string', oneOf: OPTIONS, default: 'a' }],
  ['a legacy titled enum', { type: 'string', enum: ['a', 'b'], enumNames: ['First', 'Second'] }],
  ['a multiple choice', { type: 'array', items: { type: 'string', enum: ['a'] }, minItems: 1, maxItems: 2 }],
  [
    'a titled multiple choice',
    { type: 'array', items: { anyOf: OPTIONS }, uniqueItems: true, default: ['a'] },
  ],
];

const NO_FIELDS: readonly (readonly [string, JsonValue, string])[] = [
  ['nothing typed', {}, ''],
  ['null', null, ''],
  ['the schema true', true, ''],
  ['an object', { type: 'object', properties: {} }, '/type'],
  ['a nullable string', { type: ['string', 'null'] }, '/type'],
  ['null as a type', { type: 'null' }, '/type'],
  ['a type named like a member of every object', { type: 'constructor' }, '/type'],
  ['an unknown format', { type: 'string', format: 'password' }, '/format'],
  ['a title that is no string', { type: 'boolean', title: 1 }, '/title'],
  ['a description that is no string', { type: 'number', description: null }, '/description'],
  ['a null default', { type: 'string', default: null }, '/default'],
  ['a default of another type', { type: 'boolean', default: 'yes' }, '/default'],
  ['a length that is no number', { type: 'string', minLength: '3' }, '/minLength'],
  ['an enum with a number', { type: 'string', enum: ['a', 1] }, '/enum'],
  ['nested properties', { type: 'string', properties: { deep: { type: 'string' } } }, '/properties'],
  ['a reference', { type: 'string', $ref: '#/$defs/City' }, '/$ref'],
  ['allOf', { type: 'string', allOf: [] }, '/allOf'],
  ['anyOf', { type: 'string', anyOf: OPTIONS }, '/anyOf'],
  ['oneOf of schemas', { type: 'string', oneOf: [{ type: 'string' }] }, '/oneOf'],
  ['oneOf on a number', { type: 'number', oneOf: OPTIONS }, '/oneOf'],
  ['not', { type: 'string', not: { enum: ['a'] } }, '/not'],
  ['if', { type: 'string', if: {}, maxLength: 3 }, '/if'],
  ['a list without items', { type: 'array' }, ''],
  ['a list of numbers', { type: 'array', items: { type: 'number' } }, '/items'],
  ['a list of free strings', { type: 'array', items: { type: 'string' } }, '/items'],
  ['a list of objects', { type: 'array', items: { type: 'object', enum: ['a'] } }, '/items'],
  ['a list of lists', { type: 'array', items: [{ type: 'string', enum: ['a'] }] }, '/items'],
];

describe('the revision reader', () => {
  it.each([...PLAIN_FIELDS, ...TITLED_FIELDS])('reads %s as a field', (_, field) => {
    expect(findFormFault(form(field), 'revision')).toBeUndefined();
  });

  it.each(NO_FIELDS)('does not read %s as a field', (_, field, at) => {
    expect(findFormFault(form(field), 'revision')?.at.startsWith(`/properties/city${at}`)).toBe(true);
  });

  it.each<[string, JsonObject, string]>([
    ['an option without a title', { type: 'string', oneOf: [...OPTIONS, { const: 'c' }] }, '/oneOf/2'],
    ['a null option', { type: 'string', oneOf: [{ const: null, title: 'None' }] }, '/oneOf/0/const'],
    [
      'an option that nests',
      { type: 'string', oneOf: [{ ...OPTIONS[0], properties: {} }] },
      '/oneOf/0/properties',
    ],
    [
      'an item that refers',
      { type: 'array', items: { type: 'string', enum: ['a'], $ref: '#' } },
      '/items/$ref',
    ],
    [
      'an option of an item that composes',
      { type: 'array', items: { anyOf: [{ ...OPTIONS[0], not: {} }] } },
      '/items/anyOf/0/not',
    ],
  ])('points into the field at %s', (_, field, at) => {
    expect(findFormFault(form(field), 'revision')?.at).toBe(`/properties/city${at}`);
  });

  it.each<[string, JsonValue, string]>([
    ['no object', 'object', ''],
    ['a list', [], ''],
    ['no type', { properties: {} }, ''],
    ['no properties', { type: 'object' }, ''],
    ['another type', { type: 'array', properties: {} }, '/type'],
    ['properties in a list', { type: 'object', properties: [] }, '/properties'],
    ['required as a boolean', form({ type: 'string' }, { required: true }), '/required'],
    ['a required name that is no string', form({ type: 'string' }, { required: ['city', 1] }), '/required'],
    ['$schema that is no string', form({ type: 'string' }, { $schema: 7 }), '/$schema'],
    ['oneOf beside its properties', form({ type: 'string' }, { oneOf: [] }), '/oneOf'],
    ['patternProperties', form({ type: 'string' }, { patternProperties: {} }), '/patternProperties'],
    [
      'an object as further properties',
      form({ type: 'string' }, { additionalProperties: { type: 'object', properties: {} } }),
      '/additionalProperties/type',
    ],
  ])('refuses a root with %s', (_, schema, at) => {
    expect(findFormFault(schema, 'revision')?.at).toBe(at);
  });

  it.each<[string, JsonObject]>([
    ['no property at all', { type: 'object', properties: {} }],
    [
      'its dialect stated',
      form({ type: 'string' }, { $schema: 'https://json-schema.org/draft/2020-12/schema' }),
    ],
    ['required names', form({ type: 'string' }, { required: ['city'] })],
    ['further properties refused', form({ type: 'string' }, { additionalProperties: false })],
    ['a title and a description', form({ type: 'string' }, { title: 'City', description: 'Where to' })],
    ['definitions that nothing refers to', form({ type: 'string' }, { $defs: { City: { type: 'object' } } })],
  ])('accepts a root with %s', (_, schema) => {
    expect(findFormFault(schema, 'revision')).toBeUndefined();
  });

  it('takes property names for names, whatever they are', () => {
    const names = ['__proto__', 'constructor', 'prototype', '$ref', 'oneOf', 'properties', 'type', 'a/b~c'];
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
    expect(findFormFault({ type: 'object', properties }, 'revision')).toBeUndefined();
  });

  it('judges a property named __proto__ like any other', () => {
    const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"object"}}}');
    expect(findFormFault(schema, 'revision')?.at).toBe('/properties/__proto__/type');
  });

  it('takes no member from a prototype', () => {
    const schema = JSON.parse('{"__proto__":{"type":"object","properties":{}}}');
    expect(findFormFault(schema, 'revision')?.at).toBe('');
  });

  it('escapes property names in the pointer', () => {
    expect(findFormFault({ type: 'object', properties: { 'a/b~c': {} } }, 'revision')?.at).toBe(
      '/properties/a~1b~0c',
    );
  });

  it('never goes deeper than a form does', () => {
    const deep = JSON.parse(`${'{"type":"object","properties":{"a":'.repeat(9_000)}{}${'}}'.repeat(9_000)}`);
    expect(findFormFault(deep, 'revision')?.at).toBe('/properties/a/type');
  });

  it('says nothing of what it read', () => {
    const schema = form({ type: 'hunter2', title: 'hunter2' });
    expect(findFormFault(schema, 'revision')?.message).not.toContain('hunter2');
  });
});

describe('the plain reader', () => {
  it.each(PLAIN_FIELDS)('reads %s as a field', (_, field) => {
    expect(findFormFault(form(field), 'plain')).toBeUndefined();
  });

  it.each<readonly [string, JsonValue, ...string[]]>([...NO_FIELDS, ...TITLED_FIELDS])(
    'does not read %s as a field',
    (_, field) => {
      expect(findFormFault(form(field), 'plain')).toBeDefined();
    },
  );
});
