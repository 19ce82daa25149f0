/** What each subject adds to the time of an exchange, at a rate that no answer delays. */
import { type Entrant, race } from '../lab/race.js';
import { quantile, ratiosOf, type Spread, spreadOf } from '../lab/statistics.js';
import type { LoadReport } from '../parts/protocol.js';
import { number, spread } from '../report/figures.js';
import type { Standing } from './comparison.js';
import type { Run, Table } from './workload.js';

const QUANTILES = [0.5, 0.99, 0.999];
/** Below this part of its saturation a subject can be measured at a rate. */
const BEARABLE = 0.95;
const CONNECTIONS = 128;

export interface Latency {
  readonly table: Table;
  /** Added p99, to that of the base. */
  readonly p99: ReadonlyMap<string, Spread>;
}

interface Added {
  readonly title: string;
  /** Added microseconds by quantile, round by round. */
  readonly byQuantile: readonly (readonly number[])[];
}

/** Half of what the base carries at saturation; `direct` is what others add to. */
export async function latency(
  run: Run,
  entrants: readonly Entrant[],
  standings: ReadonlyMap<string, Standing>,
  base: string,
): Promise<Latency | undefined> {
  const carried = (name: string) => spreadOf(standings.get(name)?.perSecond ?? []).median;
  const perSecond = Math.round(carried(base) / 2);
  const able = entrants.filter(({ kind }) => perSecond < carried(kind.name) * BEARABLE);
  if (!able.some(({ kind }) => kind.name === 'direct')) return undefined;
  const [warmMs, measuredMs] = run.quick ? [300, 1_500] : [4_000, 8_000];
  const paceOf = (round: number) =>
    ({ kind: 'schedule', perSecond, warmMs, measuredMs, seed: round + 1 }) as const;
  const laps = await race(run.lab, able, run.rounds, { connections: CONNECTIONS, paceOf }, run.progress);
  const direct = laps[able.findIndex(({ kind }) => kind.name === 'direct')] ?? [];
  const added = new Map(able.map(({ kind }, at) => [kind.name, addedTo(direct, kind.title, laps[at] ?? [])]));
  const own = QUANTILES.map((part) => spreadOf(direct.map(({ latencies }) => quantile(latencies, part))));
  const slow = entrants.filter((entrant) => !able.includes(entrant)).map(({ kind }) => kind.title);
  return { table: latencyTable(added, base, own, captionOf(perSecond, slow)), p99: p99Ratios(added, base) };
}

function addedTo(direct: readonly LoadReport[], title: string, laps: readonly LoadReport[]): Added {
  const byQuantile = QUANTILES.map((part) =>
    laps.map(
      ({ latencies }, round) => quantile(latencies, part) - quantile(direct[round]?.latencies ?? [], part),
    ),
  );
  return { title, byQuantile };
}

function p99Ratios(added: ReadonlyMap<string, Added>, base: string): ReadonlyMap<string, Spread> {
  const against = added.get(base)?.byQuantile[1] ?? [];
  return new Map([...added].map(([name, { byQuantile }]) => [name, ratiosOf(byQuantile[1] ?? [], against)]));
}

function latencyTable(
  added: ReadonlyMap<string, Added>,
  base: string,
  own: readonly Spread[],
  captionOf: (against: string) => string,
): Table {
  const against = added.get(base);
  const rows = [...added]
    .filter(([name]) => name !== 'direct')
    .map(([, { title, byQuantile }]) => [
      title,
      ...byQuantile.flatMap((values, at) => [
        spread(spreadOf(values), 0),
        spread(ratiosOf(values, against?.byQuantile[at] ?? []), 2),
      ]),
    ]);
  const direct = ['direct, not added to anything', ...own.flatMap((value) => [spread(value, 0), '–'])];
  const beside = against?.title ?? '';
  const columns = ['', ...['p50', 'p99', 'p99.9'].flatMap((name) => [`${name} µs`, `× ${beside}`])];
  return { caption: captionOf(beside), columns, rows: [direct, ...rows] };
}

function captionOf(perSecond: number, slow: readonly string[]): (against: string) => string {
  const left = slow.length === 0 ? '' : `; ${slow.join(' and ')} cannot carry it`;
  return (against) =>
    `Added to the time of an exchange, at ${number(perSecond, 0)} exchanges/s (half of what ${against} carries) that come at random times, counted from when each was due, after four seconds of the same${left}`;
}
