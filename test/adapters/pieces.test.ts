import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Pieces } from '../../src/adapters/pieces.js';

function put(...pieces: readonly Buffer[]): Buffer {
  const together = new Pieces();
  for (const piece of pieces) together.append(piece);
  expect(together.length).toBe(Buffer.concat(pieces).length);
  return together.take();
}

describe('pieces', () => {
  it('are what was put in, whatever their sizes', () => {
    const size = fc.oneof(
      fc.nat(40),
      fc.nat(20_000),
      fc.constantFrom(0, 1, 4_095, 4_096, 16_383, 16_384, 70_000),
    );
    fc.assert(
      fc.property(fc.array(size, { maxLength: 40 }), (sizes) => {
        const pieces = sizes.map((length, index) => Buffer.alloc(length, index + 1));
        expect(put(...pieces).equals(Buffer.concat(pieces))).toBe(true);
      }),
    );
  });

  it('that are one piece are not copied', () => {
    const piece = Buffer.from('alone');
    expect(put(piece)).toBe(piece);
  });

  it('are nothing after they were taken, and can begin anew', () => {
    const together = new Pieces();
    together.append(Buffer.from('a'));
    together.append(Buffer.from('b'));
    expect(together.take().toString()).toBe('ab');
    expect([together.length, together.take().length]).toEqual([0, 0]);
    together.append(Buffer.from('c'));
    together.append(Buffer.from('d'));
    expect(together.take().toString()).toBe('cd');
  });

  it('come out one after another as they went in', () => {
    const sizes = fc.array(fc.oneof(fc.nat(40), fc.nat(20_000), fc.constantFrom(16_384, 70_000)), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(sizes, fc.array(fc.boolean()), (lengths, turns) => {
        const pieces = lengths.map((length, index) => Buffer.alloc(length, index + 1));
        const together = new Pieces();
        const out: Buffer[] = [];
        for (const [index, piece] of pieces.entries()) {
          together.append(piece);
          if (turns[index] === true && together.length > 0) out.push(together.shift());
        }
        while (together.length > 0) out.push(together.shift());
        expect(Buffer.concat(out).equals(Buffer.concat(pieces))).toBe(true);
      }),
    );
  });

  it('that are small take up little more than their length', () => {
    const large = Buffer.alloc(1_000_000);
    const before = process.memoryUsage();
    const together = new Pieces();
    for (let at = 0; at < large.length; at += 1) together.append(large.subarray(at, at + 1));
    const { arrayBuffers } = process.memoryUsage();
    expect(arrayBuffers - before.arrayBuffers).toBeLessThan(2_000_000);
    expect(together.take().length).toBe(large.length);
  });
});
