/** Names with escapes, whichever names texts had before: nodejs/node#63785. */
import { describe, expect, it } from 'vitest';
import { compose, hasEscapedName, parseJson } from '../../src/protocol/parse.js';
import { readResponse } from '../../src/protocol/reading.js';

/** A name before it, a name with an escape as it is written, and as it reads. */
const NAMES = [
  ['resultType', 'inputRequest\\u0073', 'inputRequests'],
  ['type', '\\u0066', 'f'],
  ['title', 'forma\\u0074', 'format'],
  ['pattern', '\\"', '"'],
  ['requestedSchema', 'schem\\u0061', 'schema'],
  ['name', 'argument\\u0073', 'arguments'],
  ['b', '^\\\\d+$', '^\\d+$'],
  ['a', '\\ud83d\\ude00', '😀'],
] as const;

/** What an engine that misreads takes the name for: as many characters as it has, as they are written. */
function misread(written: string, name: string): string {
  return written.slice(0, name.length);
}

describe('a name with an escape', () => {
  it.each(NAMES)('after %s, %s, reads %s whatever names came before', (before, written, name) => {
    const earlier = JSON.stringify({ [before]: 0, [misread(written, name)]: 0 });
    const kept = Array.from({ length: 5 }, () => parseJson(earlier));
    expect(kept).toHaveLength(5);
    const text = `{"${before}":0,"${written}":{"x":1}}`;
    const value = { [before]: 0, [name]: { x: 1 } };
    expect(parseJson(text)).toEqual(value);
    expect(compose(text)).toEqual(value);
    expect(readResponse(Buffer.from(text)).value).toEqual(value);
  });

  it('that repeats another is found whatever names came before', () => {
    const kept = parseJson('{"b":null,"\\\\":[]}');
    expect(readResponse(Buffer.from('{"b":null,"\\u0062":[]}')).fault).toBe('duplicate-member');
    expect(kept).toBeDefined();
  });

  it.each([
    ['{"\\u0061":1}', true],
    ['{"a":{"b":[{"\\n" \t\r\n:1}]}}', true],
    ['{"a":"\\n","b":"\\\\","c\\\\":1}', true],
    ['{"a":"\\n","b":"\\\\"}', false],
    ['{"a":"\\":","b":1}', false],
    ['["\\\\",":"]', false],
    ['{"a":1}', false],
    ['"\\u0061"', false],
  ])('is seen in %s: %s', (text, has) => {
    expect(hasEscapedName(text)).toBe(has);
  });
});

describe('a value that is composed', () => {
  it.each([
    '{}',
    '[]',
    ' [ ] ',
    'null',
    ' "a\\nb" ',
    '-1.5e3',
    '[1,[2,{"a":[]},"]"],{}]',
    '{"2":1,"b":2,"1":3,"b":{"c":true}}',
    '\t{"a" : false ,\r\n"\\"" : "}" }',
    '{"constructor":1,"toString":{"__proto__":{}}}',
  ])('is what JSON.parse makes of %s', (text) => {
    expect(JSON.stringify(compose(text))).toBe(JSON.stringify(JSON.parse(text)));
    expect(compose(text)).toEqual(JSON.parse(text));
  });

  it('has a member called __proto__ like any other', () => {
    const value = compose('{"__proto__":{"a":1}}') as object;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it('may nest as deep as it likes', () => {
    const depth = 100_000;
    let value = compose('['.repeat(depth) + ']'.repeat(depth));
    for (let left = depth - 1; left > 0; left -= 1) value = (value as [typeof value])[0];
    expect(value).toEqual([]);
  });
});

it('a text that is not one JSON value has no value', () => {
  for (const text of ['', '{', '{"\\u0061"}', '1 2', "{'a':1}", '{"\\x":1}'])
    expect(parseJson(text)).toBeUndefined();
});
