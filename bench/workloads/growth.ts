/** How the cost of an exchange grows with its body, for every shape of JSON, in answers and in requests. */
import { answerBytes, requestBytes, resultText } from '../lab/messages.js';
import { enter, lap, leave } from '../lab/race.js';
import { Reader } from '../lab/reader.js';
import { resultOf, SHAPES, type Shape } from '../lab/shapes.js';
import { spreadOf } from '../lab/statistics.js';
import { number } from '../report/figures.js';
import { gatewayKind } from '../subjects/gateway.js';
import { REQUEST, unchanged } from './large.js';
import type { Findings, Run, Table, Workload } from './workload.js';

const KIB = 1_024;
const MIB = 1_024 * KIB;
const LAP_BYTES = 16 * MIB;

/** Some shapes weigh, once they are read, many times what they are on the wire. */
const ROOM = { limits: { bufferedBytes: 4_294_967_296 } };
const ROOMY = gatewayKind('spec', 'gateway, profile spec, sealing', { profile: 'spec' }, { settings: ROOM });

/** A body of this shape and size, on its way: what the upstream answers, and what the gateway is sent. */
interface Way {
  readonly body: string;
  readonly answer: string;
  readonly request: Uint8Array;
}

interface Side {
  readonly title: string;
  readonly sizes: readonly number[];
  readonly wayOf: (shape: Shape, bytes: number) => Way;
}

const doubled = (from: number, times: number) =>
  Array.from({ length: times }, (_, power) => from * 2 ** power);
const DONE = resultText({
  resultType: 'complete',
  content: [{ type: 'text', text: 'done' }],
  isError: false,
});

const SIDES: readonly Side[] = [
  {
    title: 'answers',
    sizes: doubled(256 * KIB, 6),
    wayOf: (shape, bytes) => {
      const body = resultOf(shape, bytes);
      return { body, answer: body, request: REQUEST };
    },
  },
  {
    title: 'requests',
    sizes: doubled(128 * KIB, 6),
    wayOf: (shape, bytes) => {
      // The envelope takes some of the limit of 4 MiB.
      const body = shape.json(bytes - 2 * KIB);
      const params = { name: 'tool_2', arguments: { data: JSON.parse(body) } };
      return { body, answer: DONE, request: requestBytes('tools/call', { params }) };
    },
  },
];

/** CPU nanoseconds of an exchange, and of reading its body and nothing else; medians of the rounds. */
interface Cost {
  readonly exchange: number;
  readonly reading: number;
}

async function costOf(run: Run, reader: Reader, way: Way): Promise<Cost> {
  await run.lab.answer([[answerBytes(way.answer)]]);
  const entrants = await enter(run.lab, [ROOMY], () => [unchanged(way.answer, way.request)]);
  const measured = Math.max(2, Math.round((run.quick ? LAP_BYTES / 4 : LAP_BYTES) / way.body.length));
  const exchange: number[] = [];
  const reading: number[] = [];
  try {
    for (let round = 0; round < run.rounds; round += 1) {
      const pace = { kind: 'count', warm: round === 0 ? measured : 1, measured } as const;
      for (const entrant of entrants) {
        const { cpuNanoseconds, exchanges } = await lap(run.lab, entrant, 1, pace);
        exchange.push(cpuNanoseconds / exchanges);
      }
      reading.push(await reader.nanoseconds(way.body, pace));
    }
  } finally {
    await leave(entrants);
  }
  return { exchange: spreadOf(exchange).median, reading: spreadOf(reading).median };
}

function doublings(costs: readonly number[]): readonly number[] {
  return costs.slice(1).map((cost, at) => cost / (costs[at] ?? Number.NaN));
}

/** One side's table, and how dear each doubling of each shape was. */
async function sideOf(
  run: Run,
  reader: Reader,
  side: Side,
): Promise<{ table: Table; steps: readonly number[] }> {
  const sizes = run.quick ? side.sizes.slice(0, 4) : side.sizes;
  const rows: string[][] = [];
  const allSteps: number[] = [];
  for (const shape of SHAPES) {
    const costs: Cost[] = [];
    for (const bytes of sizes) {
      run.progress(`${side.title}: ${shape.name}, ${bytes / KIB} KiB`);
      costs.push(await costOf(run, reader, side.wayOf(shape, bytes)));
    }
    const steps = doublings(costs.map(({ exchange }) => exchange));
    const bare = doublings(costs.map(({ reading }) => reading));
    allSteps.push(...steps);
    const milliseconds = costs.map(({ exchange }) => number(exchange / 1e6, 2));
    rows.push([shape.title, ...milliseconds, number(Math.max(...steps), 2), number(Math.max(...bare), 2)]);
  }
  const doubling = ['dearest doubling', 'of decoding and JSON.parse'];
  const columns = [side.title, ...sizes.map((bytes) => `${bytes / KIB} KiB`), ...doubling];
  return {
    table: { caption: `CPU ms an exchange, by the size of ${side.title}`, columns, rows },
    steps: allSteps,
  };
}

async function run(run: Run): Promise<Findings> {
  const reader = await Reader.start();
  try {
    const tables: Table[] = [];
    const steps: number[] = [];
    for (const side of SIDES) {
      const found = await sideOf(run, reader, side);
      tables.push(found.table);
      steps.push(...found.steps);
    }
    const value = { ...spreadOf(steps), median: Math.max(...steps) };
    return { tables, measured: [{ target: 'doubling', value }], notes: [] };
  } finally {
    await reader.stop();
  }
}

export const growth: Workload = {
  name: 'growth',
  title: 'Size and shape',
  says: 'One exchange after the other through the gateway, profile spec, sealing, with `limits.bufferedBytes` of 4 GiB; each size in a process of its own, medians of the rounds. What decoding and JSON.parse of the same body cost grows in steps of its own, where what survives outgrows the young generation.',
  run,
};
