import { describe, expect, it } from 'vitest';
import { resultOf, SHAPES } from '../../bench/lab/shapes.js';

const BYTES = 262_144;

describe.each(SHAPES)('a body of $title', (shape) => {
  it('is JSON of about as many bytes as it should be', () => {
    const json = shape.json(BYTES);
    expect(() => JSON.parse(json)).not.toThrow();
    expect(Buffer.byteLength(json) / BYTES).toBeCloseTo(1, 2);
  });

  it('is all of a result but what is around it', () => {
    const result = resultOf(shape, BYTES);
    expect(JSON.parse(result).result.resultType).toBe('complete');
    expect(Buffer.byteLength(result) / BYTES).toBeCloseTo(1, 2);
  });
});
