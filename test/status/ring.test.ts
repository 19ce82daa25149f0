import { describe, expect, it } from 'vitest';
import { Minutes } from '../../src/status/minutes.js';
import { Ring } from '../../src/status/ring.js';

describe('the ring', () => {
  it('keeps the last so many, newest first', () => {
    const ring = new Ring<number>(3);
    expect(ring.newest()).toEqual([]);
    for (const [item, kept] of [
      [1, [1]],
      [2, [2, 1]],
      [3, [3, 2, 1]],
      [4, [4, 3, 2]],
      [5, [5, 4, 3]],
      [6, [6, 5, 4]],
      [7, [7, 6, 5]],
    ] as const) {
      ring.push(item);
      expect(ring.newest()).toEqual(kept);
    }
  });

  it('tells as far back as is asked', () => {
    const ring = new Ring<number>(3);
    for (const item of [1, 2, 3, 4]) ring.push(item);
    expect(ring.newest((item) => item > 3)).toEqual([4]);
    expect(ring.newest((item) => item > 4)).toEqual([]);
    expect(ring.newest((item) => item > 0)).toEqual([4, 3, 2]);
  });
});

describe('the minutes', () => {
  const MINUTE = 60_000;

  it('count what happened in each, the current one last', () => {
    const minutes = new Minutes(3, 0);
    minutes.add(1);
    minutes.add(MINUTE - 1);
    expect(minutes.read(MINUTE - 1)).toEqual([0, 0, 2]);
    minutes.add(MINUTE);
    expect(minutes.read(MINUTE)).toEqual([0, 2, 1]);
    expect(minutes.read(2 * MINUTE)).toEqual([2, 1, 0]);
    expect(minutes.read(3 * MINUTE)).toEqual([1, 0, 0]);
  });

  it('forget everything after a long silence', () => {
    const minutes = new Minutes(3, 0);
    minutes.add(0);
    expect(minutes.read(10_000 * MINUTE)).toEqual([0, 0, 0]);
    minutes.add(10_000 * MINUTE);
    expect(minutes.read(10_000 * MINUTE)).toEqual([0, 0, 1]);
  });

  it('go on when the clock is set back', () => {
    const minutes = new Minutes(2, 5 * MINUTE);
    minutes.add(5 * MINUTE);
    minutes.add(MINUTE);
    expect(minutes.read(MINUTE)).toEqual([0, 2]);
    expect(minutes.read(6 * MINUTE)).toEqual([2, 0]);
  });
});
