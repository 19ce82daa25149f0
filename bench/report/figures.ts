import type { Spread } from '../lab/statistics.js';

export function number(value: number, digits: number): string {
  if (!Number.isFinite(value)) return '–';
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** The median, and from where to where the rounds went. */
export function spread({ median, low, high }: Spread, digits: number): string {
  if (low === high) return number(median, digits);
  return `${number(median, digits)} (${number(low, digits)}–${number(high, digits)})`;
}
