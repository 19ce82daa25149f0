/** What an idle subscription keeps of memory. */
import { setTimeout as delay } from 'node:timers/promises';
import { residentBytes } from '../lab/cpu.js';
import type { Lab } from '../lab/lab.js';
import { lap } from '../lab/race.js';
import { type Spread, spreadOf } from '../lab/statistics.js';
import { mostStreams, STREAM_ANSWER, Streams } from '../lab/streams.js';
import { number, spread } from '../report/figures.js';
import { gatewayKind } from '../subjects/gateway.js';
import { HTTP_PROXY, NGINX } from '../subjects/peers.js';
import type { Subject, SubjectKind } from '../subjects/subject.js';
import { SMALL_ANSWER, SMALL_EXCHANGE } from './small.js';
import type { Findings, Run, Workload } from './workload.js';

const KIB = 1_024;
const ZE = gatewayKind('ze', 'gateway, profile ze', { profile: 'ze' }, { collects: true });
const SPEC = gatewayKind('spec', 'gateway, profile spec, sealing', { profile: 'spec' }, { collects: true });
const KINDS = [NGINX, HTTP_PROXY, ZE, SPEC];
/** Small exchanges beforehand: a process that has just begun would be counted as if streams had made it grow. */
const WARM_EXCHANGES = 20_000;

async function warm(lab: Lab, kind: SubjectKind, subject: Subject): Promise<void> {
  await lab.answer([[SMALL_ANSWER]]);
  const exchanges = [await SMALL_EXCHANGE(subject.port)];
  const pace = { kind: 'count', warm: 0, measured: WARM_EXCHANGES } as const;
  await lap(lab, { kind, subject, exchanges }, 32, pace);
}

/** Waits until it changes by less than a hundredth a second. */
async function settled(subject: Subject): Promise<number> {
  let before = 0;
  for (let second = 0; second < 20; second += 1) {
    const now = residentBytes(subject.pids);
    if (Math.abs(now - before) < now / 100) return now;
    before = now;
    await delay(1_000);
  }
  return before;
}

interface Held {
  readonly before: number;
  readonly after: number;
  readonly each: number;
  /** Without garbage. */
  readonly keptEach: number;
}

async function heldBy(run: Run, kind: SubjectKind, count: number): Promise<Held> {
  const subject = await kind.start(run.lab.site);
  const streams = await Streams.start();
  try {
    await warm(run.lab, kind, subject);
    await run.lab.answer([STREAM_ANSWER]);
    await subject.collect?.();
    const before = await settled(subject);
    await streams.keep(subject.port, count);
    const after = await settled(subject);
    await subject.collect?.();
    const kept = await settled(subject);
    return { before, after, each: (after - before) / count, keptEach: (kept - before) / count };
  } finally {
    await streams.stop();
    await subject.stop();
  }
}

function medianOf(held: readonly Held[], figure: keyof Held, unit: number): Spread {
  return spreadOf(held.map((one) => one[figure] / unit));
}

async function run(run: Run): Promise<Findings> {
  const most = mostStreams();
  const count = run.quick ? Math.min(2_000, most.count) : most.count;
  const rows: string[][] = [];
  const measured: Findings['measured'][number][] = [];
  for (const kind of KINDS.filter(({ name }) => run.subjects.length === 0 || run.subjects.includes(name))) {
    const held: Held[] = [];
    for (let round = 0; round < run.rounds; round += 1) {
      run.progress(`round ${round + 1}/${run.rounds}: ${kind.name}`);
      held.push(await heldBy(run, kind, count));
    }
    const mib = (figure: 'before' | 'after') => spread(medianOf(held, figure, KIB * KIB), 0);
    rows.push([
      kind.title,
      mib('before'),
      mib('after'),
      ...(['each', 'keptEach'] as const).map((figure) => spread(medianOf(held, figure, KIB), 1)),
    ]);
    if (kind === ZE || kind === SPEC)
      measured.push({ target: 'stream-memory', of: kind.title, value: medianOf(held, 'each', KIB) });
  }
  const columns = [
    '',
    'MiB before',
    `MiB with ${number(count, 0)} streams`,
    'KiB a stream',
    'without garbage',
  ];
  const files = `A process may have ${number(most.files, 0)} files open here, and a stream takes two.`;
  return { tables: [{ caption: 'Resident memory', columns, rows }], measured, notes: [files] };
}

export const streams: Workload = {
  name: 'streams',
  title: 'Idle subscriptions',
  says: 'Streams of subscriptions/listen that were acknowledged and then hear nothing, in a process that has carried 20,000 small exchanges and then collected its garbage. What has become garbage since is counted, since it is resident; the last column is without it.',
  run,
};
