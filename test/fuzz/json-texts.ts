/** JSON texts as peers might write them, and what becomes of them when somebody tampers with the characters. */
import fc from 'fast-check';

const NAMES = [
  'a',
  'b',
  'A',
  'id',
  '',
  '__proto__',
  'constructor',
  '"',
  '\\',
  '\u00e9',
  '\ud83d\ude00',
  'a\u0301',
  '7',
];
const blank = fc.constantFrom('', '', '', ' ', '\n', '\t', '\r\n ');

/** The same string, written with or without escapes. */
function written(text: string, style: number): string {
  const plain = JSON.stringify(text);
  if (style === 0) return plain;
  const units = [...Array(text.length).keys()].map((index) =>
    text.charCodeAt(index).toString(16).padStart(4, '0'),
  );
  return `"${units.map((unit) => `\\u${style === 1 ? unit : unit.toUpperCase()}`).join('')}"`;
}

const name = fc
  .tuple(
    fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...NAMES) }, fc.string({ maxLength: 6 })),
    fc.nat(2),
  )
  .map(([text, style]) => written(text, style));
const text = fc
  .tuple(fc.string({ unit: 'binary', maxLength: 8 }), fc.nat(2))
  .map(([value, style]) => written(value, style));
const number = fc.oneof(
  fc.constantFrom(
    '0',
    '-0',
    '1',
    '-1.5',
    '1e400',
    '9007199254740993',
    '1E-7',
    '0.1',
    '-12e+3',
    '123456789012345678901234567890',
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
);
const scalar = fc.oneof(number, text, fc.constantFrom('null', 'true', 'false'));

/** JSON text with any names, any spacing, and sometimes one name twice. */
export const jsonText: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    scalar,
    fc
      .tuple(fc.array(fc.tuple(blank, tie('value'), blank), { maxLength: 4 }), blank)
      .map(
        ([items, inner]) => `[${items.length === 0 ? inner : items.map((item) => item.join('')).join(',')}]`,
      ),
    fc
      .tuple(fc.array(fc.tuple(blank, name, blank, blank, tie('value'), blank), { maxLength: 5 }), blank)
      .map(
        ([members, inner]) =>
          `{${members.length === 0 ? inner : members.map(([a, n, b, c, v, d]) => `${a}${n}${b}:${c}${v}${d}`).join(',')}}`,
      ),
  ),
})).value;

const PIECES = [
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '0',
  '-',
  '.',
  'e',
  'u',
  '\u0000',
  '\n',
  ' ',
  '//',
  '/*',
  'NaN',
  '\ufeff',
  '\ud800',
];

export interface Tampering {
  readonly at: number;
  readonly length: number;
  readonly piece: string;
}

/** Cuts out, puts in, or doubles a piece. */
export function tamper(text: string, { at, length, piece }: Tampering): string {
  const start = text.length === 0 ? 0 : at % (text.length + 1);
  const put =
    piece === 'again' ? text.slice(start, start + length) + text.slice(start, start + length) : piece;
  return text.slice(0, start) + put + text.slice(start + length);
}

export const tampering: fc.Arbitrary<Tampering> = fc.record({
  at: fc.nat(),
  length: fc.nat(3),
  piece: fc.oneof(fc.constantFrom('', 'again', ...PIECES), fc.string({ unit: 'binary', maxLength: 2 })),
});
