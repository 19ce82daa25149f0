import { describe, expect, it } from 'vitest';
import type { Profile } from '../../../src/engine/rule.js';
import type { JsonObject, JsonValue } from '../../../src/protocol/messages.js';
import { formSchemaFlat } from '../../../src/rules/outbound/form-schema-flat.js';
import { event, exchange, inputRequired, policy } from '../fixtures.js';

const AT = '/result/inputRequests/q/params/requestedSchema';

function ask(requestedSchema: JsonValue, params: JsonObject = {}): JsonObject {
  return { method: 'elicitation/create', params: { message: 'Which one?', requestedSchema, ...params } };
}

function check(entry: JsonObject, profile: Profile = 'spec') {
  const judged = exchange({ policy: policy({ profile }) });
  return formSchemaFlat.check(inputRequired({ q: entry }, { exchange: judged }));
}

function form(field: JsonValue): JsonObject {
  return { type: 'object', properties: { city: field }, required: ['city'] };
}

describe('form-schema-flat', () => {
  it.each<[string, JsonValue, string]>([
    ['a field that is an object', form({ type: 'object', properties: {} }), '/properties/city/type'],
    [
      'a field that is a list of objects',
      form({ type: 'array', items: { type: 'object' } }),
      '/properties/city/items',
    ],
    ['a reference', form({ type: 'string', $ref: '#/$defs/City' }), '/properties/city/$ref'],
    ['an alternative with null', form({ anyOf: [{ type: 'string' }, { type: 'null' }] }), '/properties/city'],
    ['a condition', { ...form({ type: 'string' }), if: {} }, '/if'],
    ['no properties', { type: 'object' }, ''],
    ['another type', { type: 'string', properties: {} }, '/type'],
    ['a list instead of a schema', [], ''],
    ['an unknown format', form({ type: 'string', format: 'color' }), '/properties/city/format'],
  ])('refuses %s', (_, schema, at) => {
    expect(check(ask(schema))?.at).toBe(AT + at);
  });

  it('refuses a deep schema where it first nests', () => {
    const depth = 500;
    const text = `${'{"type":"object","properties":{"a":'.repeat(depth)}{"type":"string"}${'}}'.repeat(depth)}`;
    expect(check(ask({ type: 'object', properties: JSON.parse(text) }))?.at).toBe(`${AT}/properties/type`);
  });

  it.each<[string, JsonValue]>([
    ['a string', form({ type: 'string', pattern: '^[A-Z]' })],
    ['a titled enum', form({ type: 'string', oneOf: [{ const: 'a', title: 'First' }] })],
    ['a multiple choice', form({ type: 'array', items: { type: 'string', enum: ['a'] } })],
    [
      'properties named like members of every object',
      {
        type: 'object',
        properties: JSON.parse(
          '{"__proto__":{"type":"string"},"constructor":{"type":"string"},"prototype":{"type":"string"}}',
        ),
      },
    ],
    ['no further properties', { ...form({ type: 'integer' }), additionalProperties: false }],
  ])('passes %s', (_, schema) => {
    expect(check(ask(schema))).toBeUndefined();
  });

  it('passes every harmless name', () => {
    const names = ['key_generator', 'max_tokens', 'author', 'passport_country', 'keyboard', 'primary_key'];
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
    expect(check(ask({ type: 'object', properties, required: names }), 'ze')).toBeUndefined();
  });

  it.each<[string, JsonValue, string]>([
    ['a titled enum', { type: 'string', oneOf: [{ const: 'a', title: 'First' }] }, '/oneOf'],
    ['a legacy titled enum', { type: 'string', enum: ['a'], enumNames: ['First'] }, '/enumNames'],
    ['a multiple choice', { type: 'array', items: { type: 'string', enum: ['a'] } }, '/type'],
  ])('refuses %s where the route allows plain forms alone', (_, field, at) => {
    expect(check(ask(form(field), { mode: 'form' }), 'ze')?.at).toBe(`${AT}/properties/city${at}`);
  });

  it('passes a plain enum where the route allows plain forms alone', () => {
    expect(check(ask(form({ type: 'string', enum: ['a'] }), { mode: 'form' }), 'ze')).toBeUndefined();
  });

  it('leaves what is no form alone', () => {
    expect(check(ask({}, { mode: 'url' }))).toBeUndefined();
    expect(check(ask({}, { mode: 'voice' }))).toBeUndefined();
    expect(check({ method: 'elicitation/create', params: { message: 'No schema' } })).toBeUndefined();
    expect(check({ method: 'elicitation/create' })).toBeUndefined();
    expect(check({ method: 'sampling/createMessage', params: { requestedSchema: {} } })).toBeUndefined();
  });

  it('judges what a task asks for', () => {
    const told = event('notifications/tasks', { taskId: 't', inputRequests: { q: ask({}) } });
    expect(formSchemaFlat.check(told)?.at).toBe('/params/inputRequests/q/params/requestedSchema');
  });
});
