/** Large results, held against what reading them takes at least. */
import { answerBytes, requestBytes } from '../lab/messages.js';
import { type Entrant, race, type Trial } from '../lab/race.js';
import { Reader } from '../lab/reader.js';
import { resultOf, type Shape, shapeOf } from '../lab/shapes.js';
import { quantile, ratiosOf, spreadOf } from '../lab/statistics.js';
import type { LoadReport } from '../parts/protocol.js';
import { number, spread } from '../report/figures.js';
import { SPEC, ZE } from '../subjects/gateway.js';
import { DIRECT, HTTP_PROXY, NGINX } from '../subjects/peers.js';
import { withEntrants } from './comparison.js';
import type { Findings, Run, Table, Workload } from './workload.js';

const MIB = 2 ** 20;
/** Bytes of one lap, whatever the size of a body. */
const LAP_BYTES = 128 * MIB;
const KINDS = [DIRECT, NGINX, HTTP_PROXY, ZE, SPEC];
export const REQUEST = requestBytes('tools/call', {
  params: { name: 'tool_2', arguments: { command: 'dump' } },
});

interface Case {
  readonly shape: Shape;
  readonly bytes: number;
  readonly target?: string;
}

const CASES: readonly Case[] = [
  { shape: shapeOf('text'), bytes: MIB },
  { shape: shapeOf('text'), bytes: 8 * MIB, target: 'large-text' },
  { shape: shapeOf('dense'), bytes: MIB },
  { shape: shapeOf('dense'), bytes: 8 * MIB, target: 'large-dense' },
];

/** A body comes as it went: the gateway changes nothing here. */
export function unchanged(body: string, request = REQUEST): Trial {
  const check = (came: string) => {
    if (came !== body) throw new Error(`not the result: ${came.slice(0, 200)}`);
  };
  return { request, status: 200, check };
}

interface Cost {
  readonly laps: readonly (readonly LoadReport[])[];
  /** CPU nanoseconds of decoding and JSON.parse, round by round. */
  readonly parse: readonly number[];
}

async function costOf(run: Run, entrants: readonly Entrant[], body: string): Promise<Cost> {
  const lapBytes = run.quick ? LAP_BYTES / 8 : LAP_BYTES;
  const measured = Math.max(2, Math.round(lapBytes / body.length));
  const pace = { kind: 'count', warm: Math.ceil(measured / 3), measured } as const;
  const reader = await Reader.start();
  const parse: number[] = [];
  const between = async () => {
    parse.push(await reader.nanoseconds(body, pace));
  };
  try {
    await race(run.lab, entrants, 1, { connections: 1, paceOf: () => pace }, run.progress);
    const order = { connections: 1, paceOf: () => pace, between };
    return { laps: await race(run.lab, entrants, run.rounds, order, run.progress), parse };
  } finally {
    await reader.stop();
  }
}

function nanosecondsOf(laps: readonly LoadReport[] = []): readonly number[] {
  return laps.map(({ cpuNanoseconds, exchanges }) => cpuNanoseconds / exchanges);
}

function tableOf({ shape, bytes }: Case, entrants: readonly Entrant[], { laps, parse }: Cost): Table {
  const milliseconds = (values: readonly number[]) => spread(spreadOf(values.map((value) => value / 1e6)), 1);
  const rows = entrants.map(({ kind }, at) => {
    const cpu = nanosecondsOf(laps[at]);
    const times = (laps[at] ?? []).map(({ latencies }) => quantile(latencies, 0.5) * 1_000);
    const known = kind !== DIRECT;
    return [
      kind.title,
      known ? milliseconds(cpu) : '–',
      known ? spread(ratiosOf(cpu, parse), 2) : '–',
      milliseconds(times),
    ];
  });
  const least = ['decoding and JSON.parse', milliseconds(parse), '1.00', '–'];
  const columns = ['', 'CPU ms an exchange', '× decoding and JSON.parse', 'ms from request to end of answer'];
  return { caption: `${number(bytes / MIB, 0)} MiB, ${shape.title}`, columns, rows: [least, ...rows] };
}

async function run(run: Run): Promise<Findings> {
  const tables: Table[] = [];
  const measured: Findings['measured'][number][] = [];
  for (const one of CASES) {
    const body = resultOf(one.shape, one.bytes);
    const contest = { kinds: KINDS, answers: [[answerBytes(body)]], trialsFor: () => [unchanged(body)] };
    await withEntrants(run, contest, async (entrants) => {
      const cost = await costOf(run, entrants, body);
      tables.push(tableOf(one, entrants, cost));
      for (const [at, { kind }] of entrants.entries()) {
        if (one.target === undefined || (kind !== ZE && kind !== SPEC)) continue;
        const value = ratiosOf(nanosecondsOf(cost.laps[at]), cost.parse);
        measured.push({ target: one.target, of: kind.title, value });
      }
    });
  }
  return { tables, measured, notes: [] };
}

export const large: Workload = {
  name: 'large',
  title: 'Large results',
  says: 'One exchange after the other. Decoding (a strict TextDecoder) and JSON.parse are of the same bytes, in a process of the same Node on the same CPU, between the laps; CPU time counts what collects garbage, there and in the proxies.',
  run,
};
