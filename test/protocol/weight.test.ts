import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRequest, readResponse, textOf } from '../../src/protocol/reading.js';
import { LONG_BYTES, type Weight, weigh as weighBytes } from '../../src/protocol/weight.js';

const weigh = (text: string): Weight => weighBytes(Buffer.from(text));

const MEBIBYTE = 1_048_576;
const filled = (element: string) => `[${Array(Math.floor(MEBIBYTE / (element.length + 1))).fill(element)}]`;

describe('the weight of a text', () => {
  it.each([
    ['0', 0, 0],
    ['[]', 64, 0],
    ['{"a":[1,2,{}]}', 3 * 64 + 2 * 16 + 24, 1],
    ['{"a,[{":"b\\",{"}', 64 + 2 * 24, 2],
    [' [ [ ] , [ ] ] ', 3 * 64 + 16, 0],
  ])('is that of its values: %s', (text, bytes, strings) => {
    expect(weigh(text)).toEqual({ bytes, strings });
  });

  it('is next to nothing for text, and many times its length for many small values', () => {
    expect(weigh(`["${'x'.repeat(MEBIBYTE)}"]`).bytes).toBeLessThan(100);
    expect(weigh(filled('1')).bytes).toBeGreaterThan(7 * MEBIBYTE);
    expect(weigh(filled('{}')).bytes).toBeGreaterThan(25 * MEBIBYTE);
    expect(weigh('['.repeat(MEBIBYTE)).bytes).toBeGreaterThan(60 * MEBIBYTE);
  });

  it('counts strings as they are written, whatever stands in them', () => {
    const property = fc.property(fc.json({ maxDepth: 4 }), (text) => {
      const { strings, bytes } = weigh(text);
      expect(strings).toBe(stringsIn(JSON.parse(text)));
      expect(bytes).toBeLessThanOrEqual(64 * text.length);
    });
    fc.assert(property, { numRuns: 1_000 });
  });

  it('is told of any text, and ends', () => {
    const property = fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:\\ a1') }), (text) => {
      expect(weigh(text).bytes).toBeLessThanOrEqual(64 * text.length);
    });
    fc.assert(property, { numRuns: 1_000 });
  });
});

function stringsIn(value: unknown): number {
  if (typeof value === 'string') return 1;
  if (typeof value !== 'object' || value === null) return 0;
  const names = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce<number>((sum, inner) => sum + stringsIn(inner), names);
}

describe.each([
  ['readRequest', readRequest],
  ['readResponse', readResponse],
] as const)('%s', (_, read) => {
  const long = Buffer.from(`{"a":[${Array(LONG_BYTES).fill('{}')}]}`);

  it('takes room for the values of a long message before it makes them', () => {
    const taken: number[] = [];
    const room = { takeValues: (bytes: number) => taken.push(bytes) > 0 };
    expect(read(long, room)?.fault).toBeUndefined();
    expect(taken).toEqual([weigh(long.toString()).bytes]);
  });

  it('makes none where there is no room', () => {
    expect(read(long, { takeValues: () => false })).toBeUndefined();
  });

  it('asks for no room for a short message, nor for what is no text', () => {
    const room = { takeValues: () => expect.unreachable() };
    expect(read(Buffer.from('{"a":[{},{}]}'), room)?.fault).toBeUndefined();
    expect(read(Buffer.alloc(2 * LONG_BYTES, 0xff), room)?.fault).toBe('not-utf8');
  });

  it.each(['{"a":1,"a":2}', '{"a":{"b":[],"b":[]}}', '{"x":"\\"","x":"\\\\"}'])(
    'sees that a member is named twice, however long the message: %s',
    (ambiguous) => {
      const padded = `[${ambiguous},"${'{,[\\"'.repeat(LONG_BYTES)}",{"a":"a"}]`;
      expect(read(Buffer.from(padded))).toMatchObject({ fault: 'duplicate-member' });
    },
  );
});

it('finds the text of a message that has forgotten it', () => {
  const reading = readRequest(Buffer.from('{"a":"ü\u{1f600}"}'));
  expect(textOf(reading)).toBe('{"a":"ü\u{1f600}"}');
  expect(textOf({ ...reading, text: '' })).toBe('{"a":"ü\u{1f600}"}');
});
