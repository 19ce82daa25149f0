import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyChanges, type Change } from '../../src/protocol/changes.js';

function change(path: Change['path'], json?: string): Change {
  return { path, json };
}

const CASES: readonly (readonly [does: string, text: string, changes: readonly Change[], changed: string])[] =
  [
    ['replaces a value', '{ "a" : 1 , "b":2}', [change(['a'], '"x"')], '{ "a" : "x" , "b":2}'],
    ['finds an escaped name', '{"\\u0061":1}', [change(['a'], '2')], '{"\\u0061":2}'],
    ['removes the first member', '{ "a":1 , "b":2 }', [change(['a'])], '{ "b":2 }'],
    ['removes a middle member', '{"a":1 , "b":2 , "c":3}', [change(['b'])], '{"a":1 , "c":3}'],
    ['removes the last member', '{"a":1 , "b":2 }', [change(['b'])], '{"a":1 }'],
    ['removes the only member', '{ "a":1 }', [change(['a'])], '{  }'],
    ['removes the first two', '{"a":1,"b":2,"c":3}', [change(['a']), change(['b'])], '{"c":3}'],
    ['removes the last two', '{"a":1,"b":2,"c":3}', [change(['c']), change(['b'])], '{"a":1}'],
    ['removes first and last', '{"a":1,"b":2,"c":3}', [change(['a']), change(['c'])], '{"b":2}'],
    ['removes every member', '{"a":1,"b":2}', [change(['a']), change(['b'])], '{}'],
    ['removes elements', '[1, 2, 3, 4]', [change([0]), change([2])], '[2, 4]'],
    ['removes every element', '[1, 2]', [change([1]), change([0])], '[]'],
    ['adds a member', '{"a":1 }', [change(['b'], '2')], '{"a":1,"b":2 }'],
    ['adds a member to an empty object', '{ }', [change(['b'], '2')], '{"b":2 }'],
    ['adds a member that needs escapes', '{}', [change(['"'], '2')], '{"\\"":2}'],
    ['adds elements', '[ 1 ]', [change([1], '2'), change([2], '3')], '[ 1,2,3 ]'],
    [
      'adds in place of what it removes',
      '{"a":1,"b":2}',
      [change(['b']), change(['c'], '3')],
      '{"a":1,"c":3}',
    ],
    ['adds in place of all', '{"a":1}', [change(['a']), change(['c'], '3')], '{"c":3}'],
    ['reaches inside', '[{"a":[{"b":1}]}]', [change([0, 'a', 0, 'b'], '2')], '[{"a":[{"b":2}]}]'],
    [
      'changes several places',
      '{"a":{"b":1,"c":[1,2]},"d":3}',
      [change(['a', 'c', 0]), change(['d'], '4'), change(['a', 'b'])],
      '{"a":{"c":[2]},"d":4}',
    ],
    ['prefers the later of two', '{"a":1}', [change(['a']), change(['a'], '2')], '{"a":2}'],
    ['prefers the outer of two', '{"a":{"b":1}}', [change(['a', 'b']), change(['a'], '{}')], '{"a":{}}'],
    ['removes what is not there', '{"a":1}', [change(['b']), change(['c', 'd'])], '{"a":1}'],
    ['adds nothing to a container that is not there', '{"a":1}', [change(['b', 'c'], '2')], '{"a":1}'],
    ['adds no member to an array', '{"a":[]}', [change(['a', 'b'], '2')], '{"a":[]}'],
    ['adds no element to an object', '{"a":{}}', [change(['a', 0], '2')], '{"a":{}}'],
    ['leaves a scalar in the way', '{"a":"[]"}', [change(['a', 0], '2')], '{"a":"[]"}'],
    ['leaves a text that is a scalar', ' 1 ', [change(['a'], '2')], ' 1 '],
    [
      'knows no inherited names',
      '{"__proto__":1,"x":2}',
      [change(['__proto__']), change(['constructor'])],
      '{"x":2}',
    ],
    ['keeps space around', ' \n{"a":1}\r\n', [change(['a'], '2')], ' \n{"a":2}\r\n'],
  ];

describe('applyChanges', () => {
  it.each(CASES)('%s', (_, text, changes, changed) => {
    expect(applyChanges(text, changes)).toBe(changed);
  });

  it('makes of any text what the same changes make of its value', () => {
    const names = fc.constantFrom('a', 'b', 'c', '"', '__proto__');
    const value = fc.dictionary(names, fc.oneof(fc.nat(), fc.array(fc.nat(), { maxLength: 4 })), {
      maxKeys: 5,
    });
    const step = fc.tuple(names, fc.option(fc.nat(4), { nil: undefined }));
    const planned = fc.array(fc.tuple(step, fc.option(fc.nat(), { nil: undefined })), { maxLength: 6 });
    const space = fc.constantFrom(undefined, 1);
    const property = fc.property(value, planned, space, (before, plan, indent) => {
      const changes = plan.map(([[name, index], number]) =>
        change(
          index === undefined ? [name] : [name, index],
          number === undefined ? undefined : String(number),
        ),
      );
      const text = JSON.stringify(before, null, indent);
      const after = JSON.parse(applyChanges(text, changes));
      expect(after).toEqual(modelled(before, changes));
      expect(JSON.parse(applyChanges(text, []))).toEqual(before);
    });
    fc.assert(property, { numRuns: 3_000 });
  });
});

/** The same on values: whole members first, then elements of the arrays that are left. */
function modelled(before: Record<string, number | number[]>, changes: readonly Change[]): object {
  const last = new Map(changes.map((one) => [JSON.stringify(one.path), one]));
  const members = new Map<string, unknown>();
  for (const [name, item] of Object.entries(before)) {
    const whole = last.get(JSON.stringify([name]));
    if (whole === undefined)
      members.set(name, Array.isArray(item) ? elements(name, item, [...last.values()]) : item);
    else if (whole.json !== undefined) members.set(name, JSON.parse(whole.json));
  }
  for (const { path, json } of last.values()) {
    const [name] = path as [string];
    if (path.length === 1 && json !== undefined) members.set(name, JSON.parse(json));
  }
  return Object.fromEntries(members);
}

function elements(name: string, item: readonly number[], changes: readonly Change[]): unknown[] {
  const own = changes.filter(({ path }) => path.length === 2 && path[0] === name);
  const kept = item.flatMap((number, index) => {
    const found = own.find(({ path }) => path[1] === index);
    if (found === undefined) return [number];
    return found.json === undefined ? [] : [JSON.parse(found.json)];
  });
  const added = own.filter(({ path, json }) => Number(path[1]) >= item.length && json !== undefined);
  return [...kept, ...added.map(({ json }) => JSON.parse(json as string))];
}
