import { describe, expect, it } from 'vitest';
import { elicitResult, rootsResult, sampleResult } from '../../src/client/answering.js';
import { type Field, readFields } from '../../src/client/fields.js';
import type { InputRequest } from '../../src/protocol/input-requests.js';
import type { JsonObject, JsonValue } from '../../src/protocol/messages.js';

function form(properties: JsonObject, required: readonly string[] = []): InputRequest {
  const params = { message: 'm', requestedSchema: { type: 'object', properties, required } };
  const method = 'elicitation/create';
  return { key: 'k', at: '', value: { method, params }, method, params };
}

const URL_REQUEST: InputRequest = (() => {
  const params = { mode: 'url', message: 'm', url: 'https://example.com/' };
  const method = 'elicitation/create';
  return { key: 'k', at: '', value: { method, params }, method, params };
})();

function only(schema: JsonValue): Field {
  return readFields(form({ f: schema }))[0] as Field;
}

describe('a field', () => {
  it.each<[string, JsonValue, Partial<Field>]>([
    [
      'text',
      { type: 'string', minLength: 2, maxLength: 5 },
      { bounds: ['at least 2 characters', 'at most 5 characters'] },
    ],
    ['text', { type: 'string', format: 'email' }, { bounds: ['email'] }],
    ['text', { type: 'string', format: 'made-up' }, { bounds: [] }],
    ['number', { type: 'number', minimum: 0, default: 1.5 }, { bounds: ['at least 0'], default: 1.5 }],
    ['integer', { type: 'integer' }, {}],
    ['boolean', { type: 'boolean', title: 'T', description: 'D' }, { title: 'T', description: 'D' }],
    [
      'choice',
      { type: 'string', enum: ['a', 'b'] },
      {
        options: [
          { value: 'a', title: undefined },
          { value: 'b', title: undefined },
        ],
      },
    ],
    ['choice', { type: 'string', enum: ['a'], enumNames: ['A'] }, { options: [{ value: 'a', title: 'A' }] }],
    [
      'choice',
      { type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
      { options: [{ value: 'a', title: 'A' }] },
    ],
    [
      'choices',
      { type: 'array', items: { type: 'string', enum: ['a'] } },
      { options: [{ value: 'a', title: undefined }] },
    ],
    [
      'choices',
      { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] }, minItems: 1 },
      { bounds: ['at least 1 of them'] },
    ],
    ['other', { type: 'object', properties: {} }, {}],
    ['other', { type: 'array', items: { type: 'object' } }, {}],
    ['other', {}, {}],
    ['other', 'no schema', {}],
  ])('is %s: %j', (type, schema, expected) => {
    expect(only(schema)).toMatchObject({ type, ...expected });
  });

  it('is required when the form says so', () => {
    const fields = readFields(form({ a: { type: 'string' }, b: { type: 'string' } }, ['b']));
    expect(fields.map(({ name, required }) => [name, required])).toEqual([
      ['a', false],
      ['b', true],
    ]);
  });

  it('is judged as the gateway judges answers', () => {
    expect(only({ type: 'string', format: 'email' }).fault('nobody')).toMatch(/^it is not of the format/);
    expect(only({ type: 'integer', maximum: 3 }).fault(4)).toMatch(/^it is outside the bounds/);
    expect(only({ type: 'string', enum: ['a'] }).fault('b')).toMatch(/^it is none of the options/);
    expect(only({ type: 'boolean' }).fault('yes')).toMatch(/^it is not of the type/);
    expect(only({ type: 'string', format: 'email' }).fault('a@example.com')).toBeUndefined();
  });
});

describe('an answer to a form', () => {
  const command = { type: 'string' };
  it.each<[string, InputRequest, string | undefined, JsonValue]>([
    [
      'plain text for its one field',
      form({ command }),
      'show bgp peer list',
      { command: 'show bgp peer list' },
    ],
    ['plain text for its one required field', form({ a: command, b: command }, ['b']), 'x', { b: 'x' }],
    ['a number where one is asked for', form({ n: { type: 'integer' } }), '42', { n: 42 }],
    [
      'text where a number is asked for and none is given',
      form({ n: { type: 'integer' } }),
      'many',
      { n: 'many' },
    ],
    ['a boolean', form({ ok: { type: 'boolean' } }), 'yes', { ok: true }],
    [
      'several choices',
      form({ c: { type: 'array', items: { enum: ['a', 'b'] } } }),
      'a, b',
      { c: ['a', 'b'] },
    ],
    ['JSON as it is', form({ a: command, b: command }), '{"a":"1","unasked":[2]}', { a: '1', unasked: [2] }],
    ['text that begins like JSON', form({ command }), '{not json', { command: '{not json' }],
    [
      'the defaults when nothing is said',
      form({ a: { type: 'string', default: 'd' }, b: command }),
      undefined,
      { a: 'd' },
    ],
  ])('is %s', (_, request, value, content) => {
    expect(elicitResult(request, { action: 'accept', value })).toEqual({
      result: { action: 'accept', content },
    });
  });

  it('cannot be text when it could be for several fields, or for none', () => {
    expect(elicitResult(form({ a: command, b: command }), { action: 'accept', value: 'x' })).toEqual({
      problem: 'the form has several fields: give their values as JSON, {"name": value, …}',
    });
    expect(elicitResult(form({}), { action: 'accept', value: 'x' })).toHaveProperty('problem');
  });

  it('that is no accept, or is to a URL, carries no content', () => {
    for (const action of ['decline', 'cancel'] as const)
      expect(elicitResult(form({ command }), { action })).toEqual({ result: { action } });
    expect(elicitResult(URL_REQUEST, { action: 'accept', value: 'x' })).toEqual({
      result: { action: 'accept' },
    });
  });
});

describe('other answers', () => {
  it('to sampling are text of an assistant, or a whole result', () => {
    expect(sampleResult('Paris')).toMatchObject({
      role: 'assistant',
      content: { type: 'text', text: 'Paris' },
    });
    expect(sampleResult('{"role":"user"}')).toEqual({ role: 'user' });
  });

  it('to roots/list are URIs', () => {
    expect(rootsResult(['file:///a'])).toEqual({ roots: [{ uri: 'file:///a' }] });
    expect(rootsResult([])).toEqual({ roots: [] });
  });
});
