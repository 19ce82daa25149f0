/** Whether anything stays behind of an exchange. */
import { answerBytes, eventStream, requestBytes, resultText } from '../lab/messages.js';
import { type Entrant, enter, lap, leave, type Trial } from '../lab/race.js';
import { slopeOf, spreadOf } from '../lab/statistics.js';
import { number } from '../report/figures.js';
import { gatewayKind } from '../subjects/gateway.js';
import type { SubjectKind } from '../subjects/subject.js';
import { QUESTION_ANSWERS, roundFor } from './input-required.js';
import { progressEvents, streamTrial } from './sse.js';
import { elicitingRoute, listAnswer } from './tools-list.js';
import type { Findings, Run, Workload } from './workload.js';

const EXCHANGES = 200_000;
const STEPS = 10;
/** Steps beforehand, for pools and caches to fill and code to be compiled. */
const WARM_STEPS = 2 * STEPS;
const TOOLS = 20;
const EVENTS = 5;
const KIB = 1_024;

const failure = { jsonrpc: '2.0', id: 1, error: { code: -32_603, message: 'internal error' } };
const wrong = {
  resultType: 'input_required',
  inputRequests: { ask: { method: 'elicitation/create', params: {} } },
};
const toolError = {
  resultType: 'complete',
  content: [{ type: 'text', text: 'no such peer' }],
  isError: true,
};

/** By `x-answer`: those of a round first, as they are named there. */
const ANSWERS = [
  ...QUESTION_ANSWERS,
  [listAnswer(TOOLS)],
  eventStream(progressEvents(EVENTS)),
  [answerBytes(JSON.stringify(failure))],
  [answerBytes(resultText(wrong))],
  [answerBytes(resultText(toolError))],
  [answerBytes('upstream is out of order', 503)],
];
const [LIST, STREAM, FAILURE, WRONG, TOOL_ERROR] = [3, 4, 5, 6, 7];

function call(status: number, member: 'result' | 'error', answer: number, more: object = {}): Trial {
  const params = { name: 'tool_2', arguments: { command: 'show' } };
  const check = (body: string) => {
    if (JSON.parse(body)[member] === undefined) throw new Error(`no ${member}: ${body}`);
  };
  return { request: requestBytes('tools/call', { params, answer, ...more }), status, check, slackBytes: 32 };
}

async function trialsFor(kind: SubjectKind, port: number): Promise<readonly Trial[]> {
  const params = { name: 'tool_2', arguments: {}, requestState: 'forged' };
  return [
    ...(await roundFor(kind, port)),
    { request: requestBytes('tools/list', { answer: LIST }), status: 200, check: () => {} },
    streamTrial(EVENTS, STREAM),
    call(200, 'error', FAILURE),
    call(200, 'error', WRONG),
    call(200, 'result', TOOL_ERROR),
    call(400, 'error', TOOL_ERROR, { params }),
    call(400, 'error', TOOL_ERROR, { headers: { 'mcp-name': 'tool_3' } }),
    call(403, 'error', TOOL_ERROR, { headers: { origin: 'https://elsewhere.example' } }),
  ];
}

interface Point {
  readonly exchanges: number;
  readonly memory: NodeJS.MemoryUsage;
}

async function pointsOf(run: Run, entrant: Entrant): Promise<readonly Point[]> {
  const step = (run.quick ? EXCHANGES / 10 : EXCHANGES) / STEPS;
  const pace = { kind: 'count', warm: 0, measured: step } as const;
  const left = () => entrant.subject.collect?.() ?? Promise.reject(new Error('no channel'));
  for (let n = 0; n < WARM_STEPS; n += 1) await lap(run.lab, entrant, 32, pace);
  const points: Point[] = [{ exchanges: 0, memory: await left() }];
  for (let n = 1; n <= STEPS; n += 1) {
    run.progress(`${n * step} exchanges`);
    await lap(run.lab, entrant, 32, pace);
    points.push({ exchanges: n * step, memory: await left() });
  }
  return points;
}

const GATEWAY = gatewayKind('heap', 'gateway', elicitingRoute(TOOLS), { collects: true });

async function run(run: Run): Promise<Findings> {
  await run.lab.answer(ANSWERS);
  const entrants = await enter(run.lab, [GATEWAY], trialsFor);
  try {
    const [entrant] = entrants;
    if (entrant === undefined) throw new Error('no gateway');
    return findingsOf(await pointsOf(run, entrant));
  } finally {
    await leave(entrants);
  }
}

function findingsOf(points: readonly Point[]): Findings {
  const slope = slopeOf(points.map(({ exchanges, memory }) => [exchanges, memory.heapUsed]));
  const rows = points.map(({ exchanges, memory }) => [
    number(exchanges, 0),
    ...[memory.heapUsed, memory.external, memory.rss].map((bytes) => number(bytes / KIB, 0)),
  ]);
  const columns = ['Exchanges', 'heap KiB', 'external KiB', 'resident KiB'];
  const table = { caption: 'After all garbage was collected', columns, rows };
  const note = `The nearest straight line through the heap's figures: ${number(slope, 2)} bytes an exchange.`;
  return { tables: [table], measured: [{ target: 'heap', value: spreadOf([slope]) }], notes: [note] };
}

export const heap: Workload = {
  name: 'heap',
  title: 'What 200,000 exchanges leave behind',
  says: 'Profile spec, sealing; rounds of input_required, rewritten lists, streams, errors, tool errors, refusals both ways, in turn, after twice as many of them.',
  run,
};
