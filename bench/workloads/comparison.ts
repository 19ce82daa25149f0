/** CPU and throughput of several subjects with the same exchanges, and latency at a rate that none delays. */
import { type Entrant, enter, leave, race, type Trial } from '../lab/race.js';
import { ratiosOf, type Spread, spreadOf } from '../lab/statistics.js';
import type { LoadReport, Pace, UpstreamOrder } from '../parts/protocol.js';
import { spread } from '../report/figures.js';
import type { SubjectKind } from '../subjects/subject.js';
import type { Run, Table } from './workload.js';

/** What a process does for days is measured, not what it does while its code is being compiled. */
const WARM_LAPS = 3;

export interface Comparison {
  readonly kinds: readonly SubjectKind[];
  readonly base: SubjectKind;
  readonly answers: UpstreamOrder['answers'];
  readonly trialsFor: (kind: SubjectKind, port: number) => readonly Trial[] | Promise<readonly Trial[]>;
  readonly connections: number;
  /** Milliseconds of one lap. */
  readonly lapMs: number;
}

/** One subject's figures, round by round. */
export interface Standing {
  readonly kind: SubjectKind;
  readonly cpuMicroseconds: readonly number[];
  readonly perSecond: readonly number[];
}

export interface Compared {
  readonly standings: ReadonlyMap<string, Standing>;
  readonly table: Table;
}

export async function withEntrants<T>(
  run: Run,
  { kinds, answers, trialsFor }: Pick<Comparison, 'kinds' | 'answers' | 'trialsFor'>,
  use: (entrants: readonly Entrant[]) => Promise<T>,
): Promise<T> {
  await run.lab.answer(answers);
  const wanted = kinds.filter(({ name }) => run.subjects.length === 0 || run.subjects.includes(name));
  if (wanted.length === 0)
    throw new Error(`no subject is named so; here are ${kinds.map(({ name }) => name).join(', ')}`);
  const entrants = await enter(run.lab, wanted, trialsFor);
  try {
    return await use(entrants);
  } finally {
    await leave(entrants);
  }
}

export async function compare(
  run: Run,
  entrants: readonly Entrant[],
  { base, connections, lapMs }: Pick<Comparison, 'base' | 'connections' | 'lapMs'>,
): Promise<Compared> {
  const pace = (warmMs: number, measuredMs: number): Pace => ({ kind: 'saturate', warmMs, measuredMs });
  const measuredMs = run.quick ? lapMs / 4 : lapMs;
  await race(run.lab, entrants, WARM_LAPS, { connections, paceOf: () => pace(0, measuredMs) }, run.progress);
  const order = { connections, paceOf: () => pace(measuredMs / 10, measuredMs) };
  const laps = await race(run.lab, entrants, run.rounds, order, run.progress);
  const standings = new Map(entrants.map(({ kind }, at) => [kind.name, standingOf(kind, laps[at] ?? [])]));
  return { standings, table: costTable(standings, base) };
}

function standingOf(kind: SubjectKind, laps: readonly LoadReport[]): Standing {
  return {
    kind,
    cpuMicroseconds: laps.map(({ cpuNanoseconds, exchanges }) => cpuNanoseconds / 1_000 / exchanges),
    perSecond: laps.map(({ exchanges, seconds }) => exchanges / seconds),
  };
}

function costTable(standings: ReadonlyMap<string, Standing>, base: SubjectKind): Table {
  const against = standings.get(base.name);
  const rows = [...standings.values()].map(({ kind, cpuMicroseconds, perSecond }) => {
    const measured = cpuMicroseconds.some((value) => value > 0);
    return [
      kind.title,
      measured ? spread(spreadOf(cpuMicroseconds), 0) : '–',
      measured && against ? spread(ratiosOf(cpuMicroseconds, against.cpuMicroseconds), 2) : '–',
      spread(spreadOf(perSecond), 0),
      against ? spread(ratiosOf(perSecond, against.perSecond), 2) : '–',
    ];
  });
  const to = `× ${base.title}`;
  const columns = ['', 'CPU µs an exchange', to, 'exchanges/s', to];
  return { caption: 'At saturation', columns, rows };
}

/** The ratio of two subjects' figures, when both ran. */
export function ratio(
  standings: ReadonlyMap<string, Standing>,
  figure: 'cpuMicroseconds' | 'perSecond',
  subject: string,
  base: string,
): Spread | undefined {
  const [one, other] = [standings.get(subject), standings.get(base)];
  return one === undefined || other === undefined ? undefined : ratiosOf(one[figure], other[figure]);
}
