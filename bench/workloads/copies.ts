/** Two copies of the gateway behind nginx: what they carry, and one that is restarted meanwhile. */
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { type Entrant, enter, leave } from '../lab/race.js';
import { spreadOf } from '../lab/statistics.js';
import { type Copies, startCopies } from '../subjects/copies.js';
import type { SubjectKind } from '../subjects/subject.js';
import { compare, ratio } from './comparison.js';
import { SMALL_ANSWER, SMALL_TRIAL } from './small.js';
import type { Findings, Run, Workload } from './workload.js';

/** The client, the upstream with nginx, and two copies. */
const CPUS_NEEDED = 4;
const CONNECTIONS = 64;

function kind(count: number): SubjectKind {
  const title = count === 1 ? 'one copy' : `${count} copies`;
  return { name: title, title, start: (site) => startCopies(site, count) };
}

const ONE = kind(1);
const TWO = kind(2);

const THROUGH_RESTART = 'One of two copies ends and begins again while 500 exchanges/s go through nginx';

interface Restart {
  readonly lost: number;
  readonly twice: number;
  readonly resent: number;
  readonly answered: number;
}

async function restartOnce(run: Run, { subject, exchanges }: Entrant, round: number): Promise<Restart> {
  const measuredMs = run.quick ? 8_000 : 15_000;
  const pace = { kind: 'schedule', perSecond: 500, warmMs: 500, measuredMs, seed: round + 1 } as const;
  const order = { port: subject.port, exchanges, connections: CONNECTIONS, pace, pids: [], resends: true };
  await run.lab.answer([[SMALL_ANSWER]]);
  const load = run.lab.loadAnyhow(order);
  await delay(1_500);
  await (subject as Copies).restart(round % 2, run.progress);
  const { faults, answered, resent } = await load;
  const ran = await run.lab.answer([[SMALL_ANSWER]]);
  const lost = Object.values(faults).reduce((sum, times) => sum + times, 0);
  return { lost, twice: ran - answered, resent, answered };
}

async function restarts(run: Run): Promise<Findings> {
  await run.lab.answer([[SMALL_ANSWER]]);
  const entrants = await enter(run.lab, [TWO], () => [SMALL_TRIAL]);
  try {
    const rounds: Restart[] = [];
    for (let round = 0; round < run.rounds; round += 1)
      for (const entrant of entrants) rounds.push(await restartOnce(run, entrant, round));
    const columns = ['Round', 'answered', 'lost', 'run without being answered', 'sent again'];
    const rows = rounds.map(({ answered, lost, twice, resent }, round) =>
      [round + 1, answered, lost, twice, resent].map(String),
    );
    const value = spreadOf(rounds.map(({ lost, twice }) => lost + Math.abs(twice)));
    // One that is lost in any round is lost.
    const measured = [{ target: 'restart', value: { ...value, median: value.high } }];
    return { tables: [{ caption: THROUGH_RESTART, columns, rows }], measured, notes: [RESENT] };
  } finally {
    await leave(entrants);
  }
}

const RESENT = `nginx leaves the copy out (\`down\`, reload) before it ends. On a reload nginx closes connections of clients that have no request on
them; a request that is on its way then ends with its connection and no byte of an answer, and the client sends it again. That none of them ran twice, or
ran and was not answered, is what the upstream's count says.`;

async function carried(run: Run): Promise<Findings> {
  if (availableParallelism() < CPUS_NEEDED) {
    const notes = [`What two copies carry cannot be seen on fewer than ${CPUS_NEEDED} CPUs.`];
    return { tables: [], measured: [], notes };
  }
  await run.lab.answer([[SMALL_ANSWER]]);
  const entrants = await enter(run.lab, [ONE, TWO], () => [SMALL_TRIAL]);
  try {
    const order = { base: ONE, connections: CONNECTIONS, lapMs: 4_000 };
    const { standings, table } = await compare(run, entrants, order);
    const value = ratio(standings, 'perSecond', TWO.name, ONE.name);
    return { tables: [table], measured: value ? [{ target: 'copies', value }] : [], notes: [] };
  } finally {
    await leave(entrants);
  }
}

async function run(run: Run): Promise<Findings> {
  const [first, second] = [await carried(run), await restarts(run)];
  return {
    tables: [...first.tables, ...second.tables],
    measured: [...first.measured, ...second.measured],
    notes: [...first.notes, ...second.notes],
  };
}

export const copies: Workload = {
  name: 'copies',
  title: 'Copies',
  says: 'Copies of the gateway, profile ze, behind nginx with the configuration of `deploy/nginx` without its TLS; a small tools/call.',
  run,
};
