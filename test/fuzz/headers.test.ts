/** Header fields, and the value encoding of mirrored ones against a decoder of Base64 and UTF-8 that works bit by bit. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeMirrored, encodeMirrored, HeaderFields, isLegalValue } from '../../src/protocol/headers.js';
import { readUtf8Slowly } from '../oracle/slow-utf8.js';
import { fuzz, Seen } from '../support/fuzz.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Undefined: not the one Base64 text of its bytes (RFC 4648, section 3.5). */
function bytesOf(text: string): readonly number[] | undefined {
  if (text.length % 4 !== 0) return undefined;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  let bits = '';
  for (const character of text.slice(0, text.length - padding)) {
    const value = ALPHABET.indexOf(character);
    if (value < 0) return undefined;
    bits += value.toString(2).padStart(6, '0');
  }
  const rest = bits.length % 8;
  if (rest !== 2 * padding || bits.slice(bits.length - rest).includes('1')) return undefined;
  return (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
}

function decodeSlowly(value: string): string | undefined {
  for (const character of value)
    if (character !== '\t' && (character < ' ' || character > '~')) return undefined;
  // Who looks at both ends alone takes it for an encoded value, so it is one that is malformed.
  if (value === '=?base64?=') return undefined;
  const inside = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  if (inside === undefined) return value;
  const bytes = bytesOf(inside);
  return bytes && readUtf8Slowly(bytes);
}

const base64 = fc.oneof(
  fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  fc.string({ unit: 'grapheme', maxLength: 6 }).map((text) => Buffer.from(text).toString('base64')),
  fc.string({ unit: fc.constantFrom(...'AQgw+/=-_ é\n'), maxLength: 12 }),
);
const value = fc.oneof(
  base64.map((inside) => `=?base64?${inside}?=`),
  fc
    .tuple(
      fc.constantFrom('', '=?base64?', '=?BASE64?', '=?base64', '=?utf-8?b?'),
      base64,
      fc.constantFrom('', '?=', '?', '='),
    )
    .map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 12 }),
);

describe('a mirrored header', () => {
  it('says what a decoder that works bit by bit reads in it', async () => {
    const seen = new Seen(['malformed', 'literal', 'decoded']);
    const property = fc.property(value, (sent) => {
      const expected = decodeSlowly(sent);
      expect(decodeMirrored(sent)).toBe(expected);
      seen.add(expected === undefined ? 'malformed' : expected === sent ? 'literal' : 'decoded');
    });
    await fuzz(property, { cases: 5_000, seen });
  });

  it('carries any text there and back', async () => {
    const property = fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), value), (text) => {
      // No header can carry half a surrogate pair.
      const whole = Buffer.from(text).toString();
      const written = encodeMirrored(whole);
      expect(isLegalValue(written)).toBe(true);
      expect(written.trim()).toBe(written);
      expect(decodeMirrored(written)).toBe(whole);
    });
    await fuzz(property, { cases: 5_000 });
  });
});

describe('the fields of a message', () => {
  const name = fc.constantFrom(
    'mcp-name',
    'Mcp-Name',
    'MCP-NAME',
    'mcp-namE',
    'mcp-nam',
    'x',
    '',
    '__proto__',
    'constructor',
  );
  const lines = fc.array(fc.tuple(name, fc.string({ maxLength: 3 })), { maxLength: 6 });

  it('are found by name, whatever the case that they came in', async () => {
    const property = fc.property(lines, fc.boolean(), (sent, odd) => {
      const fields = new HeaderFields([...sent.flat(), ...(odd ? ['mcp-name'] : [])]);
      for (const wanted of ['mcp-name', 'x', '', '__proto__', 'constructor', 'absent', 'mcp']) {
        const all = sent.filter(([given]) => given.toLowerCase() === wanted).map(([, said]) => said);
        expect(fields.all(wanted)).toEqual(all);
        expect(fields.one(wanted)).toBe(all.length === 1 ? all[0] : undefined);
        expect(fields.has(wanted)).toBe(all.length > 0);
      }
    });
    await fuzz(property, { cases: 1_000 });
  });
});
