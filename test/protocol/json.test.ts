import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyEdits,
  boundedPointer,
  endOfValue,
  findRepeated,
  lexemeAt,
  measure,
  rootOf,
  type Step,
  spanOf,
  visitItems,
} from '../../src/protocol/json.js';
import { isObject, type JsonValue } from '../../src/protocol/messages.js';
import { compose } from '../../src/protocol/parse.js';

/** JSON values with names and strings that need escapes, and names that objects inherit. */
const oddName = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom('__proto__', 'constructor', '', '"', '\\', '\\"', '7', 'a\\u0061', '{"a":1}', '\ud800'),
);
const json = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom<JsonValue>(null, true, false, 0, -1.5e300, 12),
    oddName,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.array(fc.tuple(oddName, tie('value')), { maxLength: 5 }).map(
      // fromEntries defines own members, `__proto__` among them.
      (entries) => Object.fromEntries(entries) as JsonValue,
    ),
  ),
})).value;
const spacing = fc.constantFrom(undefined, 1, '\t', ' \r\n ');

function written(value: JsonValue, indent: string | number | undefined): string {
  const text = JSON.stringify(value, null, typeof indent === 'string' ? '\n' : indent);
  return typeof indent === 'string' ? `${indent}${text}${indent}` : text;
}

function depthOf(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** Every place in a value, outermost first. */
function* placesOf(value: JsonValue, path: readonly Step[] = []): Generator<[readonly Step[], JsonValue]> {
  yield [path, value];
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* placesOf(item, [...path, index]);
  else if (isObject(value))
    for (const [name, item] of Object.entries(value)) yield* placesOf(item, [...path, name]);
}

/** JSON text with a member named twice somewhere, and the pointer to it. */
const REPEATED: readonly (readonly [text: string, at: string])[] = [
  ['{"a":1,"a":1}', '/a'],
  ['{"a":1,"b":2,"a":3}', '/a'],
  ['{"a":1,"\\u0061":2}', '/a'],
  ['{"\\u00e9":1,"é":2}', '/é'],
  ['{"a":{"b":[0,{"c":1,"c":2}]}}', '/a/b/1/c'],
  ['[{"x":1},{"x":1,"y":{},"x":2}]', '/1/x'],
  ['{"__proto__":1,"__proto__":2}', '/__proto__'],
  ['{"":1,"":2}', '/'],
  ['{"a/b~":1,"a\\/b~":2}', '/a~1b~0'],
  ['{"7":1,"7":2}', '/7'],
  ['{"\\"":1,"\\u0022":2}', '/"'],
  ['{"a\\\\":"\\\\\\"","a\\\\":1}', '/a\\'],
  ['{"a":"}{,:[]","b":1,"b":2}', '/b'],
  ['{ "a" : [ ] ,\n "b" : { } ,\r\n "a" : 1 }', '/a'],
  [`{"long":"${'x'.repeat(500)}","long":1}`, '/long'],
  [`{"quotes":"${'\\"'.repeat(500)}","quotes":1}`, '/quotes'],
];

const UNIQUE: readonly string[] = [
  ...['0', '""', '"a:b"', '{}', '[]', '[[],{}]', '[{"a":1},{"a":1}]', '{"a":{"a":{"a":1}}}'],
  ...['{"a":1,"A":1}', '{"a":"a","b":"a"}', '{"1":1,"01":1}', '{"\\ud800":1,"\\udfff":2}'],
  ...['{"a":"\\"a\\":1"}', '{"a":"\\\\","b":"\\\\"}', ' \t\r\n{"a":\n1 } \n'],
  ...['{"__proto__":1,"constructor":2,"toString":3}'],
];

describe('measure', () => {
  it.each(REPEATED)('sees that a member of %s is named twice', (text) => {
    expect(measure(text, compose(text)).repeats).toBe(true);
  });

  it.each(UNIQUE)('sees that no member of %s is named twice', (text) => {
    expect(measure(text, compose(text)).repeats).toBe(false);
  });

  it('takes any text that came from a value as unique, and knows its depth', () => {
    const property = fc.property(json, spacing, (value, indent) => {
      const text = written(value, indent);
      expect(measure(text, compose(text))).toEqual({ depth: depthOf(value), repeats: false });
      expect(findRepeated(text)).toBeUndefined();
    });
    fc.assert(property, { numRuns: 2_000 });
  });

  it('counts nesting far deeper than a stack', () => {
    const levels = 200_000;
    const arrays = '['.repeat(levels) + ']'.repeat(levels);
    const objects = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    expect(measure(arrays, JSON.parse(arrays))).toEqual({ depth: levels, repeats: false });
    expect(measure(objects, JSON.parse(objects))).toEqual({ depth: levels, repeats: false });
    expect(endOfValue(arrays, 0)).toBe(arrays.length);
  });
});

describe('findRepeated', () => {
  it.each(REPEATED)('points into %s', (text, at) => {
    expect(findRepeated(text)).toBe(at);
  });

  it('finds a member that was written twice anywhere', () => {
    const property = fc.property(json, fc.nat(), spacing, (value, choice, indent) => {
      const objects = [...placesOf(value)].filter(([, at]) => isObject(at) && Object.keys(at).length > 0);
      fc.pre(objects.length > 0);
      const [path, object] = objects[choice % objects.length] as [readonly Step[], Record<string, JsonValue>];
      const text = written(value, indent);
      const open = (spanOf(text, path) as { start: number }).start + 1;
      const name = Object.keys(object)[choice % Object.keys(object).length] as string;
      const spelling = `"${[...name].map(escaped).join('')}"`;
      const doubled = applyEdits(text, [{ start: open, end: open, text: `${spelling}:null,` }]);
      expect(measure(doubled, compose(doubled)).repeats).toBe(true);
      expect(findRepeated(doubled)).toBe(boundedPointer([...path, name]));
    });
    fc.assert(property, { numRuns: 1_000 });
  });

  it('keeps a pointer within its bound, without half a character', () => {
    const deep = `${'{"ab":'.repeat(1_000)}{"c":1,"c":2}${'}'.repeat(1_000)}`;
    expect(findRepeated(deep)).toBe('/ab'.repeat(66).concat('/a'));
    const wide = `${'x'.repeat(198)}😀`;
    expect(findRepeated(`{"${wide}":1,"${wide}":2}`)).toBe(`/${'x'.repeat(198)}`);
  });
});

describe('spanOf', () => {
  it('finds every place of a value as it is written', () => {
    const property = fc.property(json, spacing, (value, indent) => {
      const text = written(value, indent);
      for (const [path, item] of placesOf(value)) {
        const lexeme = lexemeAt(text, path);
        expect(lexeme?.trim()).toBe(lexeme);
        expect(JSON.parse(lexeme ?? 'undefined')).toEqual(JSON.parse(JSON.stringify(item)));
      }
    });
    fc.assert(property, { numRuns: 500 });
  });

  it('gives numbers with all their digits', () => {
    const text = '{"a":[1e400,-0.0, 18446744073709551615 ],"id":18446744073709551615}';
    expect(lexemeAt(text, ['id'])).toBe('18446744073709551615');
    expect(lexemeAt(text, ['a', 0])).toBe('1e400');
    expect(lexemeAt(text, ['a', 1])).toBe('-0.0');
    expect(lexemeAt(text, ['a', 2])).toBe('18446744073709551615');
    expect(spanOf(' 12 ', [])).toEqual({ start: 1, end: 3 });
  });

  it('takes the last of equal names, as JSON.parse does', () => {
    expect(lexemeAt('{"id":1,"\\u0069d":2,"x":{"id":3}}', ['id'])).toBe('2');
  });

  it('finds nothing where there is nothing', () => {
    expect(spanOf('{"a":1}', ['b'])).toBeUndefined();
    expect(spanOf('{"a":1}', ['a', 'b'])).toBeUndefined();
    expect(spanOf('{"0":1}', [0])).toBeUndefined();
    expect(spanOf('[1]', ['0'])).toBeUndefined();
    expect(spanOf('[1]', [1])).toBeUndefined();
    expect(spanOf('"a"', ['a'])).toBeUndefined();
    expect(spanOf('{}', ['__proto__'])).toBeUndefined();
  });
});

describe('visitItems', () => {
  it('tells where each item and its value begin, and returns the end of the container', () => {
    const text = ' { "a" : 1 , "\\u0062": [ 2 ,3] } ';
    const seen: [Step, string, string][] = [];
    const end = visitItems(text, rootOf(text), (step, itemStart, valueStart) => {
      const valueEnd = endOfValue(text, valueStart);
      seen.push([step, text.slice(itemStart, valueEnd), text.slice(valueStart, valueEnd)]);
      return valueEnd;
    });
    expect(seen).toEqual([
      ['a', '"a" : 1', '1'],
      ['b', '"\\u0062": [ 2 ,3]', '[ 2 ,3]'],
    ]);
    expect(end).toBe(text.length - 1);
  });
});

describe('applyEdits', () => {
  it('replaces, inserts and takes away at offsets', () => {
    const edits = [
      { start: 0, end: 1, text: '<' },
      { start: 1, end: 1, text: '+' },
      { start: 2, end: 4, text: '' },
      { start: 6, end: 6, text: '>' },
    ];
    expect(applyEdits('abcdef', edits)).toBe('<+bef>');
    expect(applyEdits('abc', [])).toBe('abc');
  });

  it('throws on edits that overlap or are out of order', () => {
    const overlapping = [
      { start: 0, end: 2, text: '' },
      { start: 1, end: 3, text: '' },
    ];
    expect(() => applyEdits('abc', overlapping)).toThrow(RangeError);
    expect(() => applyEdits('abc', overlapping.toReversed())).toThrow(RangeError);
  });
});

it('ends on text that is no JSON', () => {
  const property = fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:\\ a1') }), (text) => {
    endOfValue(text, 0);
    measure(text, null);
    try {
      findRepeated(text);
      spanOf(text, ['a', 0, '1']);
    } catch (error) {
      // A name that is no JSON string.
      expect(error).toBeInstanceOf(SyntaxError);
    }
  });
  fc.assert(property, { numRuns: 2_000 });
});

function escaped(character: string): string {
  return [...Array(character.length).keys()]
    .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
    .join('');
}
