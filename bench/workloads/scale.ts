/** How the cost of an exchange grows with what else there is: tools in a list, rules, open streams. */
import { INBOUND, OUTBOUND } from '../../src/rules/index.js';
import { enter, leave, race, type Trial } from '../lab/race.js';
import { type Spread, spreadOf } from '../lab/statistics.js';
import { mostStreams, STREAM_ANSWER, Streams } from '../lab/streams.js';
import type { LoadReport } from '../parts/protocol.js';
import { number, spread } from '../report/figures.js';
import { gatewayKind, SPEC, TOOLS } from '../subjects/gateway.js';
import type { SubjectKind } from '../subjects/subject.js';
import { SMALL_ANSWER, SMALL_TRIAL } from './small.js';
import { elicitingRoute, listAnswer, listTrial } from './tools-list.js';
import type { Findings, Run, Table, Workload } from './workload.js';

const CONNECTIONS = 16;

function paceFor(run: Run, ms: number) {
  const measuredMs = run.quick ? ms / 4 : ms;
  return { kind: 'saturate', warmMs: measuredMs / 4, measuredMs } as const;
}

function microseconds(laps: readonly LoadReport[]): Spread {
  return spreadOf(laps.map(({ cpuNanoseconds, exchanges }) => cpuNanoseconds / 1_000 / exchanges));
}

/** CPU of each of these, that the same is sent to. */
async function costsOf(run: Run, kinds: readonly SubjectKind[], trial: Trial): Promise<readonly Spread[]> {
  const entrants = await enter(run.lab, kinds, () => [trial]);
  const order = { connections: CONNECTIONS, paceOf: () => paceFor(run, 3_000) };
  try {
    await race(run.lab, entrants, 1, order, run.progress);
    return (await race(run.lab, entrants, run.rounds, order, run.progress)).map(microseconds);
  } finally {
    await leave(entrants);
  }
}

const COUNTS = [25, 50, 100, 200, 400, 800];

async function byTools(run: Run): Promise<Table> {
  const rows: string[][] = [];
  for (const count of COUNTS) {
    await run.lab.answer([[listAnswer(count)]]);
    const kind = gatewayKind('tools', `${count} tools`, elicitingRoute(count));
    const [cost = spreadOf([])] = await costsOf(run, [kind], listTrial(true, count));
    rows.push([number(count, 0), spread(cost, 0), number(cost.median / count, 2)]);
  }
  return { caption: 'Tools in a list, each rewritten', columns: ['Tools', 'CPU µs', 'CPU µs a tool'], rows };
}

const UNLOCKED = [...INBOUND, ...OUTBOUND].filter(({ locked }) => !locked).map(({ id }) => id);
const judged = (severity: string) => Object.fromEntries(UNLOCKED.map((id) => [id, severity]));
const NOTHING = {
  rewrites: { 'tools-list-required': 'off', 'list-scope-private': 'off', 'discover-versions': 'off' },
};
const ROUTE = { profile: 'spec', tools: TOOLS };
const LOOSE = { ...ROUTE, ...NOTHING, requestState: 'relay', rules: judged('off') };

const RULES: readonly SubjectKind[] = [
  gatewayKind('enforce', 'every rule enforced, sealing', { ...ROUTE, rules: judged('enforce') }),
  gatewayKind('report', 'every rule reported', { ...ROUTE, requestState: 'relay', rules: judged('report') }),
  gatewayKind('off', 'no rule but the locked ones', LOOSE),
  gatewayKind('silent', 'no rule but the locked ones, no audit log', LOOSE, {
    settings: { log: { audit: false } },
  }),
];

async function byRules(run: Run): Promise<Table> {
  await run.lab.answer([[SMALL_ANSWER]]);
  const costs = await costsOf(run, RULES, SMALL_TRIAL);
  const rows = RULES.map(({ title }, at) => [title, spread(costs[at] ?? spreadOf([]), 0)]);
  return { caption: 'Rules, with a small tools/call', columns: ['', 'CPU µs'], rows };
}

/** Of the open streams, in parts: what a small exchange beside them costs. */
const PARTS = [0, 0.25, 0.5, 1];

async function byStreams(run: Run): Promise<Table> {
  const most = run.quick ? 2_000 : mostStreams().count;
  // The first answer is the exchange's, the second the streams'.
  await run.lab.answer([[SMALL_ANSWER], STREAM_ANSWER]);
  const entrants = await enter(run.lab, [SPEC], () => [SMALL_TRIAL]);
  const streams = await Streams.start();
  try {
    await race(run.lab, entrants, 1, besides(run), run.progress);
    const rows: string[][] = [];
    for (const part of PARTS) {
      const count = Math.round(most * part);
      for (const { subject } of entrants) if (count > 0) await streams.keep(subject.port, count, 1);
      const laps = await race(run.lab, entrants, run.rounds, besides(run), run.progress);
      rows.push([number(count, 0), ...laps.map((of) => spread(microseconds(of), 0))]);
    }
    return { caption: 'Open streams, beside a small tools/call', columns: ['Streams', 'CPU µs'], rows };
  } finally {
    await streams.stop();
    await leave(entrants);
  }
}

function besides(run: Run) {
  return { connections: CONNECTIONS, paceOf: () => paceFor(run, 2_000) };
}

async function run(run: Run): Promise<Findings> {
  return { tables: [await byTools(run), await byRules(run), await byStreams(run)], measured: [], notes: [] };
}

export const scale: Workload = {
  name: 'scale',
  title: 'Tools, rules, streams',
  says: 'What an exchange costs the gateway, profile spec, by what else there is. Each open stream is sent a comment every 15 seconds, which is counted.',
  run,
};
