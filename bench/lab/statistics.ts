/** Figures of several rounds. */

export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  return { median: quantile(sorted, 0.5), low: sorted[0] ?? Number.NaN, high: sorted.at(-1) ?? Number.NaN };
}

/** The value that this part of sorted values does not exceed, between two of them in proportion. */
export function quantile(sorted: ArrayLike<number>, part: number): number {
  const at = part * (sorted.length - 1);
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? Number.NaN;
  return below + (above - below) * (at - Math.floor(at));
}

/** Round by round, so that what slows a whole round cancels out. */
export function ratiosOf(values: readonly number[], base: readonly number[]): Spread {
  return spreadOf(values.map((value, round) => value / (base[round] ?? Number.NaN)));
}

/** Of the straight line that is nearest to these points. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const middle = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))] as const;
  const over = points.reduce((sum, [x, y]) => sum + (x - middle[0]) * (y - middle[1]), 0);
  return over / points.reduce((sum, [x]) => sum + (x - middle[0]) ** 2, 0);
}
