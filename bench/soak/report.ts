/** What a soak showed, for the terminal and for docs/soak.md. */

import { readFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { spreadOf } from '../lab/statistics.js';
import type { Sample } from './samples.js';
import type { Trend } from './trend.js';
import { judgesGrowth, problemsOf, type Soaked, trendsOf } from './verdict.js';

const ROWS = 20;

export interface Circumstances {
  readonly minutes: number;
  readonly rate: number;
  readonly seed: number;
  readonly warmUpSeconds: number;
}

/** One line a sample while it runs. */
export function lineOf(sample: Sample): string {
  const columns = [
    `${sample.at.toFixed(0)} s`.padStart(6),
    `${sample.rate.toFixed(0)}/s`.padStart(6),
    `p50 ${sample.p50Ms.toFixed(1)} p99 ${sample.p99Ms.toFixed(1)} ms`.padEnd(22),
    `RSS ${sample.rssMib.toFixed(0)} MiB`,
    `heap ${sample.heapMib.toFixed(0)} MiB`,
    `${sample.descriptors} fds`,
    `lag p99 ${sample.lagP99Ms.toFixed(0)} ms`,
    `${sample.inFlight} in flight`,
    `${sample.streams} streams`,
    `CPU ${(sample.cpuShare * 100).toFixed(0)} %`,
  ];
  return columns.join('  ');
}

export function textOf(soaked: Soaked, circumstances: Circumstances): string {
  const { examples } = soaked.account;
  return [
    ...countsOf(soaked),
    '',
    ...trendLines(soaked, circumstances),
    '',
    ...verdictOf(soaked),
    ...examples,
  ].join('\n');
}

export function pageOf(soaked: Soaked, circumstances: Circumstances): string {
  return [
    '# Soak',
    '',
    ...aboutIt(circumstances),
    '',
    ...countsOf(soaked).map((line) => `- ${line}`),
    '',
    ...verdictOf(soaked),
    '',
    ...trendLines(soaked, circumstances),
    '',
    '## Traffic',
    '',
    ...kindsOf(soaked),
    '',
    '## Over time',
    '',
    'Each row has the medians of the samples of its time, one every five seconds. The lag of the event loop is the 99th percentile;',
    '10 ms is none, since that is how often it is looked at. Small calls are timed at the client, whose cores are the gateway’s too.',
    '',
    ...timeTable(soaked.samples),
    '',
  ].join('\n');
}

function aboutIt({ minutes, rate, seed }: Circumstances): readonly string[] {
  return [
    `Written by \`npm run soak -- --minutes ${minutes} --rate ${rate} --seed ${seed} --write\`, on ${machine()}.`,
    '',
    'The built binary, a client and an upstream are processes on one machine. The client mixes small calls, round trips under',
    'sealed states, lists, large bodies, the examples of the rules, streams, subscriptions, and clients that leave. The upstream',
    'answers, or does so late, in pieces, wrongly, or not at all. Every ten seconds the configuration is changed, every third time to',
    'one that is not valid. Of each exchange it is known beforehand what has to come of it, and under which configurations.',
  ];
}

function verdictOf(soaked: Soaked): readonly string[] {
  const problems = problemsOf(soaked);
  if (problems.length > 0) return ['WRONG:', ...problems.map((one) => `- ${one}`)];
  const growth = judgesGrowth(soaked) ? 'no figure grew' : 'it was too short to say whether anything grows';
  return [
    'Nothing went wrong: every exchange that was not left came to what it had to, the gateway’s counters and audit lines agree with the',
    `client’s count for each route and outcome, nothing was in flight, open or held at the end, and ${growth}.`,
  ];
}

function kindsOf({ account }: Soaked): readonly string[] {
  const kinds = Object.entries(account.kinds).sort(([one], [other]) => (one < other ? -1 : 1));
  return ['| Kind | Exchanges |', '|---|---|', ...kinds.map(([kind, count]) => `| ${kind} | ${count} |`)];
}

function machine(): string {
  const [cpu] = cpus();
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const memory = (totalmem() / 2 ** 30).toFixed(0);
  return `${cpus().length} cores (${cpu?.model.trim()}), ${memory} GiB of memory, Linux ${release()}, Node ${process.version}, mrtr-gateway ${version}`;
}

function countsOf(soaked: Soaked): readonly string[] {
  const { account, sightings, changes, descriptors, complaints, audited } = soaked;
  return [
    `${account.begun} exchanges: ${account.right} as expected, ${account.wrong} wrong verdicts, ${account.lost} lost, ${account.left} left by the client by design`,
    `${sightings.requests} requests reached the upstream: ${sightings.twice} twice, ${sightings.forbidden} that should not have, ${sightings.neverCut} not given up when they should have been`,
    `${changes.made} changes of the configuration came into force, ${changes.refused} were refused as not valid`,
    `${audited} audit lines, and ${complaints.length} warnings and errors beside refused configurations`,
    `${descriptors.before} descriptors before the traffic, ${descriptors.after} after it`,
  ];
}

function trendLines(soaked: Soaked, { warmUpSeconds }: Circumstances): readonly string[] {
  const { rssMib, heapMib, descriptors, lagP99Ms } = trendsOf(soaked);
  const row = (name: string, { first, last, slope, slopeError }: Trend) =>
    `| ${name} | ${first.toFixed(1)} | ${last.toFixed(1)} | ${slope.toFixed(1)} ± ${slopeError.toFixed(1)} |`;
  return [
    `| After ${warmUpSeconds} s of warm-up | Median of the first third | Median of the last third | Growth an hour (least squares, standard error) |`,
    '|---|---|---|---|',
    row('RSS, MiB', rssMib),
    row('Heap, MiB, low of each half minute', heapMib),
    row('Descriptors, the same', descriptors),
    row('Event-loop lag p99, ms, the same', lagP99Ms),
  ];
}

const COLUMNS: readonly (readonly [title: string, text: (of: Middle) => string])[] = [
  ['Exchanges/s', (of) => of(({ rate }) => rate)],
  ['RSS, MiB', (of) => of(({ rssMib }) => rssMib)],
  ['Heap, MiB', (of) => of(({ heapMib }) => heapMib)],
  ['Descriptors', (of) => of(({ descriptors }) => descriptors)],
  ['Lag, ms', (of) => of(({ lagP99Ms }) => lagP99Ms, 1)],
  ['In flight', (of) => of(({ inFlight }) => inFlight)],
  ['Streams', (of) => of(({ streams }) => streams)],
  ['CPU of one core', (of) => `${of(({ cpuShare }) => cpuShare * 100)} %`],
  ['Small call p50, p99, ms', (of) => `${of(({ p50Ms }) => p50Ms, 1)}, ${of(({ p99Ms }) => p99Ms, 1)}`],
];

type Middle = (read: (sample: Sample) => number, digits?: number) => string;

function timeTable(samples: readonly Sample[]): readonly string[] {
  const each = Math.max(1, Math.ceil(samples.length / ROWS));
  const rows = Array.from({ length: Math.ceil(samples.length / each) }, (_, index) => {
    const part = samples.slice(index * each, (index + 1) * each);
    const until = `${((part.at(-1)?.at ?? 0) / 60).toFixed(1)} min`;
    const of: Middle = (read, digits = 0) => spreadOf(part.map(read)).median.toFixed(digits);
    return `| ${[until, ...COLUMNS.map(([, text]) => text(of))].join(' | ')} |`;
  });
  const titles = COLUMNS.map(([title]) => title);
  return [`| Until | ${titles.join(' | ')} |`, `|${'---|'.repeat(titles.length + 1)}`, ...rows];
}
