import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { looseName } from '../../src/protocol/names.js';
import { digestParams } from '../../src/seal/digest.js';

const of = (params: string) =>
  digestParams(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`);

describe('the digest of params', () => {
  it.each([
    [
      'the order of members',
      '{"name":"a","arguments":{"x":1,"y":2}}',
      '{"arguments":{"y":2,"x":1},"name":"a"}',
    ],
    ['space', '{"name":"a","arguments":[1,2]}', ' { "name" : "a" ,\n"arguments":[ 1 ,\t2 ] } '],
    ['how a character is escaped', '{"name":"A/é\\n"}', '{"name":"\\u0041\\/\\u00e9\\u000a"}'],
    ['how a name is escaped', '{"na\\u006de":"a"}', '{"name":"a"}'],
    ['_meta', '{"name":"a"}', '{"_meta":{"x":1},"name":"a"}'],
    ['inputResponses', '{"name":"a"}', '{"name":"a","inputResponses":{"ask":{"action":"accept"}}}'],
    ['requestState', '{"name":"a"}', '{"requestState":"token","name":"a"}'],
  ])('does not depend on %s', (_, one, other) => {
    expect(of(one)).toBe(of(other));
  });

  it.each([
    ['a value', '{"arguments":{"x":1}}', '{"arguments":{"x":2}}'],
    ['a digit that a double cannot hold', '{"x":9007199254740992}', '{"x":9007199254740993}'],
    ['how a number is written', '{"x":1}', '{"x":1.0}'],
    ['the sign of zero', '{"x":0}', '{"x":-0}'],
    ['a type', '{"x":1}', '{"x":"1"}'],
    ['null or nothing', '{"x":null}', '{}'],
    ['the order of elements', '{"x":[1,2]}', '{"x":[2,1]}'],
    ['where an element ends', '{"x":["a","b"]}', '{"x":["a,b"]}'],
    ['where a member stands', '{"x":{"a":1},"y":{}}', '{"x":{},"y":{"a":1}}'],
    ['nesting', '{"x":[[],[]]}', '{"x":[[[]]]}'],
    ['an object or an array', '{"x":{}}', '{"x":[]}'],
    ['a further member', '{"name":"a"}', '{"name":"a","cursor":"b"}'],
    ['a name like a prototype member', '{"arguments":{}}', '{"arguments":{"__proto__":{"a":1}}}'],
    ['one of the left out names further inside', '{"arguments":{}}', '{"arguments":{"requestState":"a"}}'],
    ['which of two names comes last that differ in case', '{"x":{"n":1,"N":2}}', '{"x":{"N":2,"n":1}}'],
    ['which of two spellings comes last', '{"x":{"a_b":1,"aB":2}}', '{"x":{"aB":2,"a_b":1}}'],
    [
      'which of two names comes last that some parsers repair alike',
      '{"\\ud800":1,"\ufffd":2}',
      '{"\ufffd":2,"\\ud800":1}',
    ],
    ['a lone surrogate', '{"x":"\\ud800"}', '{"x":"\\udbff"}'],
    ['a lone surrogate or the replacement character', '{"x":"\\ud800"}', '{"x":"\ufffd"}'],
  ])('depends on %s', (_, one, other) => {
    expect(of(one)).not.toBe(of(other));
  });

  it('is the same for every way of writing the same values', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), fc.integer(), (params, seed) => {
        const kept = Object.fromEntries(Object.entries(params).filter(([name]) => name !== '_meta'));
        fc.pre(!hasLikeNames(kept));
        expect(of(written(kept, seed))).toBe(of(JSON.stringify(kept)));
      }),
    );
  });

  it('differs whenever the values do', () => {
    const value = fc.record({ name: fc.string(), arguments: fc.jsonValue({ maxDepth: 3 }) });
    fc.assert(
      fc.property(value, value, (one, other) => {
        const same = written(one, 0) === written(other, 0);
        expect(of(JSON.stringify(one)) === of(JSON.stringify(other))).toBe(same);
      }),
    );
  });

  it('is there for a message without params', () => {
    expect(digestParams('{"jsonrpc":"2.0","id":1,"method":"tools/call"}')).toMatch(/^[\w-]{43}$/);
  });

  it('takes time in proportion to the text, however deep it nests', () => {
    const deep = `${'{"a":['.repeat(250)}"${'x'.repeat(2_000_000)}"${']}'.repeat(250)}`;
    expect(of(`{"x":${deep}}`)).toMatch(/^[\w-]{43}$/);
    const wide = `{${Array.from({ length: 60_000 }, (_, index) => `"${(index * 7919) % 60_000}":[{}]`).join()}}`;
    expect(of(wide)).toMatch(/^[\w-]{43}$/);
  });
});

/** Their order counts. */
function hasLikeNames(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const names = Array.isArray(value)
    ? []
    : Object.keys(value).map((name) => looseName(name).replace(/\p{Surrogate}/gu, '\ufffd'));
  return new Set(names).size < names.length || Object.values(value).some(hasLikeNames);
}

/** JSON text with members sorted (seed 0) or turned round, and with escapes for some characters. */
function written(value: unknown, seed: number): string {
  if (typeof value === 'string') return seed % 2 === 0 ? JSON.stringify(value) : escaped(value);
  if (Array.isArray(value))
    return `[${value.map((item) => written(item, seed)).join(seed === 0 ? ',' : ' , ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  if (seed % 3 !== 0) names.reverse();
  const members = names.map(
    (name) => `${written(name, seed)}:${written((value as Record<string, unknown>)[name], seed)}`,
  );
  return `{${members.join()}}`;
}

function escaped(text: string): string {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`;
}
