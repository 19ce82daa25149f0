import { describe, expect, it } from 'vitest';
import { type FormJudge, type FormText, findInForm } from '../../src/protocol/form-text.js';
import type { InputRequest } from '../../src/protocol/input-requests.js';
import { isObject, type JsonObject, type JsonValue } from '../../src/protocol/messages.js';

function request(params: JsonValue, method: string | undefined = 'elicitation/create'): InputRequest {
  return {
    key: 'q',
    at: '/result/inputRequests/q',
    value: null,
    method,
    params: isObject(params) ? params : undefined,
  };
}

function form(requestedSchema: JsonValue, params: JsonObject = {}): InputRequest {
  return request({ mode: 'form', message: 'Hello', requestedSchema, ...params });
}

/** Everything that a judge is shown. */
function pieces(entry: InputRequest): FormText[] {
  const seen: FormText[] = [];
  findInForm(entry, (piece) => {
    seen.push(piece);
    return false;
  });
  return seen;
}

function names(requestedSchema: JsonValue): string[] {
  return pieces(form(requestedSchema))
    .filter(({ place }) => place === 'name')
    .map(({ text, choice }) => (choice ? `${text}?` : text));
}

const named =
  (name: string): FormJudge =>
  ({ place, text }) =>
    place === 'name' && text === name;

describe('the texts of a form', () => {
  it('are shown in the order of the document, the message last', () => {
    const schema = {
      title: 'Login',
      properties: {
        a: { type: 'string', title: 'A', description: 'first', format: 'email' },
        b: { type: 'string', writeOnly: true },
      },
      required: ['a', 'c'],
    };
    expect(pieces(form(schema)).map(({ place, text }) => `${place} ${text}`)).toEqual([
      'title Login',
      'name a',
      'format email',
      'title A',
      'description first',
      'name b',
      'writeOnly ',
      'name c',
      'message Hello',
    ]);
  });

  it.each<[string, JsonValue]>([
    ['properties', { properties: { x: {} } }],
    ['nested properties', { properties: { a: { properties: { x: {} } } } }],
    ['items', { properties: { a: { items: { properties: { x: {} } } } } }],
    ['a list of items', { properties: { a: { prefixItems: [{}, { properties: { x: {} } }] } } }],
    ['alternatives', { oneOf: [{ type: 'null' }, { properties: { x: {} } }] }],
    ['conditions', { if: {}, else: { properties: { x: {} } } }],
    ['definitions', { $defs: { login: { properties: { x: {} } } } }],
    ['patterns', { patternProperties: { x: {} } }],
    ['dependencies', { dependentRequired: { a: ['x'] } }],
    ['dependent schemas', { dependentSchemas: { a: { properties: { x: {} } } } }],
    ['required alone', { required: ['x'] }],
    ['required beside properties', { properties: { a: {} }, required: ['a', 'x'] }],
    ['nested required', { properties: { a: { required: ['x'] } } }],
    ['required of malformed properties', { properties: 7, required: ['x'] }],
    ['properties without a schema', { properties: { x: 'string' } }],
    ['a list of properties', { properties: ['x'] }],
    ['a list of property maps', { properties: [{ x: { type: 'string' } }] }],
    ['fields in place of keywords', { type: 'object', x: { type: 'string' } }],
    ['an unknown keyword', { fields: { x: { type: 'string' } } }],
    ['a schema that is a list', [{ properties: { x: {} } }]],
  ])('include names in %s', (_title, schema) => {
    expect(names(schema)).toContain('x');
  });

  it.each<[string, JsonValue]>([
    ['defaults', { properties: { a: { default: { x: 1 } } } }],
    ['enum values', { properties: { a: { enum: ['x', { x: {} }] } } }],
    ['constants', { properties: { a: { const: { x: {} } } } }],
    ['examples', { properties: { a: { examples: [{ x: {} }] } } }],
    ['names of definitions', { $defs: { x: {} } }],
    ['a schema that is no object', 'x'],
    ['nothing', null],
  ])('leave out %s', (_title, schema) => {
    expect(names(schema)).not.toContain('x');
  });

  it.each<[string, JsonValue]>([
    ['a boolean', { type: 'boolean' }],
    ['an enum', { type: 'string', enum: ['a'] }],
    ['a constant', { const: 1 }],
    ['titled constants', { type: 'string', oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] }],
    ['any of constants', { anyOf: [{ const: 'a' }] }],
    ['a list of an enum', { type: 'array', items: { enum: ['a'] } }],
    ['a list of titled constants', { type: 'array', items: { anyOf: [{ const: 'a' }] } }],
  ])('say that %s is a choice', (_title, schema) => {
    expect(names({ properties: { x: schema } })).toEqual(['x?']);
    expect(names({ properties: { x: schema }, required: ['x'] })).toEqual(['x?']);
  });

  it.each<[string, JsonValue]>([
    ['a string', { type: 'string' }],
    ['a number', { type: 'integer' }],
    ['a number with an enum', { type: 'integer', enum: [1] }],
    ['a constant text', { type: 'string', const: 'a' }],
    ['a list with an enum of its own', { type: 'array', enum: ['a'], items: { type: 'string' } }],
    ['nothing', {}],
    ['an empty enum', { enum: [] }],
    ['an enum that is no list', { enum: 'a' }],
    ['several types', { type: ['boolean', 'string'] }],
    ['no alternatives', { oneOf: [] }],
    ['constants or text', { anyOf: [{ const: 'a' }, { type: 'string' }] }],
    ['a list of text', { type: 'array', items: { type: 'string' } }],
    ['a prototype that says boolean', JSON.parse('{"__proto__":{"type":"boolean"}}') as JsonValue],
  ])('say that %s is none', (_title, schema) => {
    expect(names({ properties: { x: schema } })).toContain('x');
  });

  it('mark options of a choice as choices', () => {
    const schema = {
      properties: {
        a: { oneOf: [{ const: 1, title: 'One' }] },
        b: { enum: ['x'], enumNames: ['Ex', 7] },
      },
    };
    const titles = pieces(form(schema)).filter(({ place }) => place === 'title');
    expect(titles).toEqual([
      { place: 'title', text: 'One', choice: true },
      { place: 'title', text: 'Ex', choice: true },
    ]);
  });

  it('never take the whole form for a choice', () => {
    const schema = { enum: ['a'], const: 1, title: 'T', properties: { x: {} } };
    expect(pieces(form(schema)).filter(({ choice }) => choice)).toEqual([]);
  });

  it('take names for names, whatever they are', () => {
    const schema = JSON.parse(
      '{"properties":{"__proto__":{},"constructor":{},"required":{},"title":{}}}',
    ) as JsonValue;
    expect(names(schema)).toEqual(['__proto__', 'constructor', 'required', 'title']);
  });

  it('are found at any depth without call stack', () => {
    let schema: JsonValue = { properties: { x: {} } };
    for (let depth = 0; depth < 20_000; depth += 1) schema = { items: schema };
    expect(findInForm(form(schema), named('x'))).toMatch(
      /^\/result\/inputRequests\/q\/params\/requestedSchema\/items/,
    );
  });

  it('are found in a form of very many fields', () => {
    const fields = Object.fromEntries(Array.from({ length: 150_000 }, (_, index) => [`f${index}`, {}]));
    expect(findInForm(form({ properties: { ...fields, x: {} } }), named('x'))).toMatch(/properties\/x$/);
  });
});

describe('the place of a piece', () => {
  it.each<[string, string, FormJudge, JsonValue]>([
    ['a field', '/properties/x', named('x'), { properties: { x: {} } }],
    ['a name with slashes', '/properties/a~1b~0c', named('a/b~c'), { properties: { 'a/b~c': {} } }],
    ['a required name', '/required/1', named('x'), { required: ['a', 'x'] }],
    [
      'a title',
      '/properties/x/title',
      ({ place }) => place === 'title',
      { properties: { x: { title: 'T' } } },
    ],
    [
      'an option',
      '/properties/x/oneOf/0/title',
      ({ text }) => text === 'T',
      { properties: { x: { oneOf: [{ title: 'T' }] } } },
    ],
    ['a name of an enum', '/enumNames/0', ({ text }) => text === 'T', { enumNames: ['T'] }],
    [
      'writeOnly',
      '/properties/x/writeOnly',
      ({ place }) => place === 'writeOnly',
      { properties: { x: { writeOnly: true } } },
    ],
  ])('of %s is a JSON Pointer', (_title, at, judge, schema) => {
    expect(findInForm(form(schema), judge)).toBe(`/result/inputRequests/q/params/requestedSchema${at}`);
  });

  it('of the message is its member', () => {
    expect(findInForm(form({}), ({ place }) => place === 'message')).toBe(
      '/result/inputRequests/q/params/message',
    );
  });
});

describe('a form', () => {
  it.each<[string, InputRequest]>([
    ['states its mode', request({ mode: 'form', message: 'm' })],
    ['states no mode', request({ message: 'm' })],
    ['states an unknown mode', request({ mode: 'URL', message: 'm' })],
    ['states a mode that is no string', request({ mode: null, message: 'm' })],
    [
      'has a schema under another method',
      request({ message: 'm', requestedSchema: {} }, 'sampling/createMessage'),
    ],
    [
      'has a schema without a method',
      { ...request({ message: 'm', requestedSchema: {} }), method: undefined },
    ],
  ])('%s', (_title, entry) => {
    expect(pieces(entry)).toContainEqual({ place: 'message', text: 'm', choice: false });
  });

  it.each<[string, InputRequest]>([
    [
      'a URL elicitation',
      request({ mode: 'url', message: 'm', url: 'https://a.example/', requestedSchema: { title: 'T' } }),
    ],
    ['a sampling request', request({ message: 'm' }, 'sampling/createMessage')],
    ['an entry without params', request(null)],
  ])('is not %s', (_title, entry) => {
    expect(pieces(entry)).toEqual([]);
  });
});
