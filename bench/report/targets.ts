/** What the project promises itself, as ratios and sizes within one run. */
import type { Spread } from '../lab/statistics.js';
import { number } from './figures.js';

export interface Target {
  readonly id: string;
  /** What is measured, for the reader. */
  readonly what: string;
  readonly bound: 'at most' | 'at least';
  readonly limit: number;
  readonly unit: string;
  readonly digits: number;
}

export interface Measured {
  readonly target: string;
  /** Which of several that the target is about. */
  readonly of?: string;
  readonly value: Spread;
}

export type Verdict = 'met' | 'missed' | 'not measured';

function target(
  id: string,
  what: string,
  bound: Target['bound'],
  limit: number,
  unit = '×',
  digits = 2,
): Target {
  return { id, what, bound, limit, unit, digits };
}

const BARE = 'that of bare http-proxy';

export const TARGETS: readonly Target[] = [
  target('small-cpu', `CPU of a small exchange, to ${BARE}`, 'at most', 1),
  target('small-throughput', `exchanges/s at saturation, to ${BARE}`, 'at least', 1),
  target('small-cpu-nginx', 'CPU of a small exchange, to that of nginx', 'at most', 5),
  target('small-throughput-mcp-proxy', 'exchanges/s at saturation, to that of mcp-proxy', 'at least', 5),
  target('small-latency', `added p99 at half of saturation, to ${BARE}`, 'at most', 1.5),
  target('list-rewritten', 'CPU of 200 tools rewritten, to unrewritten', 'at most', 1.5),
  target('large-text', 'CPU of 8 MiB of mostly text, to decoding and JSON.parse', 'at most', 2),
  target('large-dense', 'CPU of 8 MiB of small members, to decoding and JSON.parse', 'at most', 3),
  target('stream-memory', 'resident for an idle stream', 'at most', 24, 'KiB', 1),
  target('doubling', 'the dearest doubling of a body, whatever its shape', 'at most', 2.2),
  target('heap', 'heap growth for an exchange of 200,000', 'at most', 1, 'bytes', 2),
  target('copies', 'exchanges/s of two copies, to one', 'at least', 1.8),
  target('restart', 'exchanges lost when a copy restarts', 'at most', 0, '', 0),
];

/** The median decides. */
export function verdictOf({ bound, limit }: Target, value: Spread | undefined): Verdict {
  if (value === undefined || Number.isNaN(value.median)) return 'not measured';
  return (bound === 'at most' ? value.median <= limit : value.median >= limit) ? 'met' : 'missed';
}

export function limitText({ bound, limit, unit }: Target): string {
  return `${bound === 'at most' ? '≤' : '≥'} ${number(limit, limit % 1 === 0 ? 0 : 1)} ${unit}`.trim();
}
