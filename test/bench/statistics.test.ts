import { describe, expect, it } from 'vitest';
import { quantile, ratiosOf, slopeOf, spreadOf } from '../../bench/lab/statistics.js';

describe('figures of several rounds', () => {
  it('are their median, lowest and highest, in whatever order they came', () => {
    expect(spreadOf([9, 1, 4])).toEqual({ median: 4, low: 1, high: 9 });
    expect(spreadOf([4, 1])).toEqual({ median: 2.5, low: 1, high: 4 });
    expect(spreadOf([]).median).toBeNaN();
  });

  it('are held against the same round of the other', () => {
    expect(ratiosOf([2, 30], [1, 10])).toEqual({ median: 2.5, low: 2, high: 3 });
  });

  it('give a quantile between two values in proportion', () => {
    expect(quantile([10, 20, 30], 0.5)).toBe(20);
    expect(quantile([10, 20], 0.99)).toBeCloseTo(19.9);
    expect(quantile([7], 0.999)).toBe(7);
  });

  it('give the slope of the nearest straight line', () => {
    const noise = [0, 1, -1, 0];
    expect(slopeOf(noise.map((bytes, n) => [n * 10, 100 + n * 20 + bytes]))).toBeCloseTo(2, 1);
    expect(slopeOf([0, 1, 2].map((n) => [n, 5]))).toBe(0);
  });
});
