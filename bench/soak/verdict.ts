/** What a soak must have shown, and what it did not. */
import { type Metrics, type Sample, sumOf } from './samples.js';
import type { Account } from './tally.js';
import { lows, type Trend, trendOf } from './trend.js';
import type { Sightings } from './upstream.js';

/** Of so many samples one is taken after a collection, and at a moment when the machine had time for us. */
const WINDOW = 6;
/** By so much, or by a tenth, the last third may be above the first. What leaks shows by more, in twenty minutes. */
const GROWTH = { rssMib: 30, heapMib: 8, descriptors: 100, lagP99Ms: 50 };
const GROWTH_SHARE = 1.1;
/** A heap finds its size within minutes: what is shorter than this, after the warm-up, says nothing of growth. */
const LEAST_STEADY_SECONDS = 420;

export interface Soaked {
  readonly samples: readonly Sample[];
  /** The samples after the warm-up. */
  readonly steady: readonly Sample[];
  readonly account: Account;
  readonly sightings: Sightings;
  readonly metrics: Metrics;
  readonly audited: number;
  readonly complaints: readonly string[];
  readonly descriptors: { readonly before: number; readonly after: number };
  readonly changes: { readonly made: number; readonly refused: number };
  readonly exitCode: unknown;
}

export type Trends = Readonly<Record<'rssMib' | 'heapMib' | 'descriptors' | 'lagP99Ms', Trend>>;

export function trendsOf({ steady }: Soaked): Trends {
  const ofLows = (read: (sample: Sample) => number) => trendOf(lows(steady, read, WINDOW), read);
  return {
    rssMib: trendOf(steady, ({ rssMib }) => rssMib),
    heapMib: ofLows(({ heapMib }) => heapMib),
    descriptors: ofLows(({ descriptors }) => descriptors),
    lagP99Ms: ofLows(({ lagP99Ms }) => lagP99Ms),
  };
}

/** Every way in which it failed; none when it did not. */
export function problemsOf(soaked: Soaked): readonly string[] {
  const { account, sightings, complaints, descriptors, exitCode, changes } = soaked;
  const problems: string[] = [];
  const none = (count: number, what: string) => {
    if (count !== 0) problems.push(`${count} ${what}`);
  };
  none(account.wrong, 'wrong verdicts');
  none(account.lost, 'exchanges lost');
  none(
    account.begun - account.right - account.wrong - account.lost - account.left,
    'exchanges without an end',
  );
  none(sightings.twice, 'requests that reached the upstream twice');
  none(sightings.forbidden, 'requests that reached the upstream and should not have');
  none(sightings.neverCut, 'requests to the upstream that were not given up');
  none(sightings.broken.length, `things that went wrong in the upstream: ${sightings.broken[0]}`);
  none(complaints.length, `complaints in the log: ${complaints[0]}`);
  none(account.heldBack, 'exchanges not begun: the machine cannot keep up, free it or lower --rate');
  if (changes.made === 0 || changes.refused === 0) problems.push('the configuration was not changed');
  if (exitCode !== 0) problems.push(`the gateway ended with ${exitCode}`);
  if (descriptors.after > descriptors.before)
    problems.push(`${descriptors.after} descriptors are open, ${descriptors.before} were at first`);
  return [...problems, ...bookProblems(soaked), ...growthProblems(soaked)];
}

/** The gateway's own books against those of the client, to the exchange. */
function bookProblems({ account, metrics, audited }: Soaked): readonly string[] {
  const problems: string[] = [];
  for (const gauge of ['exchanges_in_flight', 'streams_open', 'buffered_bytes']) {
    const left = sumOf(metrics, gauge);
    if (left !== 0) problems.push(`${gauge} is ${left} at the end`);
  }
  const counted = countedOutcomes(metrics);
  const gone = [...counted].filter(([name]) => name.endsWith(' client_gone'));
  const left = gone.reduce((sum, [, count]) => sum + count, 0);
  if (left > account.left)
    problems.push(`${left} exchanges counted as client_gone, ${account.left} were left`);
  for (const [name] of gone) counted.delete(name);
  for (const name of new Set([...counted.keys(), ...Object.keys(account.outcomes)])) {
    const [own, theirs] = [counted.get(name) ?? 0, account.outcomes[name] ?? 0];
    if (own !== theirs) problems.push(`${name}: counted ${own} times, seen ${theirs} times`);
  }
  const all = sumOf(metrics, 'exchanges_total');
  if (audited !== all) problems.push(`${audited} audit lines for ${all} exchanges`);
  return problems;
}

function countedOutcomes(metrics: Metrics): Map<string, number> {
  const counted = new Map<string, number>();
  for (const [series, value] of metrics) {
    const labels = /^exchanges_total\{route="([^"]*)",.*outcome="([^"]*)"/.exec(series);
    if (labels === null || value === 0) continue;
    const name = `${labels[1]} ${labels[2]}`;
    counted.set(name, (counted.get(name) ?? 0) + value);
  }
  return counted;
}

/** Whether it was long enough to see anything grow. */
export function judgesGrowth({ steady }: Soaked): boolean {
  return (steady.at(-1)?.at ?? 0) - (steady[0]?.at ?? 0) >= LEAST_STEADY_SECONDS;
}

function growthProblems(soaked: Soaked): readonly string[] {
  if (!judgesGrowth(soaked)) return [];
  const trends = trendsOf(soaked);
  return (Object.keys(GROWTH) as (keyof typeof GROWTH)[]).flatMap((name) => {
    const { first, last } = trends[name];
    const bound = Math.max(first * GROWTH_SHARE, first + GROWTH[name]);
    return last > bound ? [`${name} grew from ${first.toFixed(1)} to ${last.toFixed(1)}`] : [];
  });
}
