/** Whether a figure grows. */
import { spreadOf } from '../lab/statistics.js';
import type { Sample } from './samples.js';

export interface Trend {
  readonly first: number;
  readonly last: number;
  /** Of the line of least squares, an hour, and the standard error of that. */
  readonly slope: number;
  readonly slopeError: number;
}

/** Medians of the first and the last third, and the line through all. */
export function trendOf(samples: readonly Sample[], read: (sample: Sample) => number): Trend {
  const third = Math.max(1, Math.floor(samples.length / 3));
  const points = samples.map((sample) => [sample.at / 3_600, read(sample)] as const);
  return {
    first: spreadOf(samples.slice(0, third).map(read)).median,
    last: spreadOf(samples.slice(-third).map(read)).median,
    ...lineThrough(points),
  };
}

/** The least of each so many samples: what a collection leaves of a heap, and what the machine’s other work does not hide. */
export function lows(
  samples: readonly Sample[],
  read: (sample: Sample) => number,
  each: number,
): readonly Sample[] {
  const left: Sample[] = [];
  for (let at = 0; at < samples.length; at += each) {
    const [low] = samples.slice(at, at + each).sort((one, other) => read(one) - read(other));
    if (low !== undefined) left.push(low);
  }
  return left.sort((one, other) => one.at - other.at);
}

function lineThrough(
  points: readonly (readonly [x: number, y: number])[],
): Pick<Trend, 'slope' | 'slopeError'> {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanX = mean(points.map(([x]) => x));
  const meanY = mean(points.map(([, y]) => y));
  let squares = 0;
  let products = 0;
  for (const [x, y] of points) {
    squares += (x - meanX) ** 2;
    products += (x - meanX) * (y - meanY);
  }
  const slope = squares === 0 ? 0 : products / squares;
  const residues = points.reduce((sum, [x, y]) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0);
  const slopeError = points.length > 2 ? Math.sqrt(residues / (points.length - 2) / squares) : 0;
  return { slope, slopeError };
}
