import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeMirrored, encodeMirrored, HeaderFields, isLegalValue } from '../../src/protocol/headers.js';

describe('HeaderFields', () => {
  const fields = new HeaderFields(['A', '1', 'b', '2', 'a', '3', '__proto__', '4']);

  it('finds fields by their lower-case names and keeps repeated lines apart', () => {
    expect(fields.all('a')).toEqual(['1', '3']);
    expect(fields.one('a')).toBeUndefined();
    expect(fields.one('b')).toBe('2');
    expect(fields.one('__proto__')).toBe('4');
    expect(fields.has('a')).toBe(true);
  });

  it('has no field that was not sent', () => {
    expect(fields.all('constructor')).toEqual([]);
    expect(fields.one('c')).toBeUndefined();
    expect(fields.has('toString')).toBe(false);
  });
});

describe('decodeMirrored', () => {
  it.each([
    ['us-west1', 'us-west1'],
    ['', ''],
    ['=?base64?SGVsbG8sIOS4lueVjA==?=', 'Hello, \u4e16\u754c'],
    ['=?base64?IHBhZGRlZCA=?=', ' padded '],
    ['=?base64?bGluZTEKbGluZTI=?=', 'line1\nline2'],
    ['=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=', '=?base64?literal?='],
    ['=?base64??=', ''],
    ['=?BASE64?YQ==?=', '=?BASE64?YQ==?='],
    ['=?base64?YQ==', '=?base64?YQ=='],
  ])('reads %j', (value, expected) => {
    expect(decodeMirrored(value)).toBe(expected);
  });

  it.each([
    '=?base64?YQ?=',
    '=?base64?YR==?=',
    '=?base64?YQ===?=',
    '=?base64?Y Q=?=',
    '=?base64?-_-_?=',
    '=?base64?/w==?=',
    '=?base64?=',
    'caf\u00e9',
    'a\u0000b',
    'a\u007f',
  ])('finds no value in %j', (value) => {
    expect(decodeMirrored(value)).toBeUndefined();
  });

  it('reads back every text that was encoded, from a legal value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const value = encodeMirrored(text);
        expect(isLegalValue(value)).toBe(true);
        expect(value.trim()).toBe(value);
        expect(decodeMirrored(value)).toBe(text);
      }),
    );
  });
});
