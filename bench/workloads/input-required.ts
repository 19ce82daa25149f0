/** A call that is answered with a question, and the retry that brings the answer. */
import { answerBytes, FORM_AND_URL, requestBytes, resultText } from '../lab/messages.js';
import { probe } from '../lab/probe.js';
import type { Trial } from '../lab/race.js';
import { RELAY, SPEC, ZE } from '../subjects/gateway.js';
import { DIRECT, HTTP_PROXY, NGINX } from '../subjects/peers.js';
import type { SubjectKind } from '../subjects/subject.js';
import { compare, withEntrants } from './comparison.js';
import type { Findings, Run, Workload } from './workload.js';

/** A retry is another request than the first. */
const RETRY_ID = 2;
const KEY = 'tool_1_command';
const STATE = 'round=1;tool=tool_1;issued=2026-07-28T10:00:00Z;nonce=8f14e45fceea167a';
/** A sealed state carries times and a length that vary by a few characters. */
const SLACK_BYTES = 32;
const TOOL = { name: 'tool_1', arguments: { filter: 'established', limit: 100 } };

const question = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Which command should be run? For example: show bgp summary',
    requestedSchema: {
      type: 'object',
      properties: {
        command: { type: 'string', title: 'Command', description: 'The command to run.', maxLength: 200 },
      },
      required: ['command'],
    },
  },
};
const asks = { resultType: 'input_required', inputRequests: { [KEY]: question } };
const done = { resultType: 'complete', content: [{ type: 'text', text: 'done' }], isError: false };

/** The question without a state, for a profile that has none; with one; the result. */
export const QUESTION_ANSWERS = [
  [answerBytes(resultText(asks))],
  [answerBytes(resultText({ ...asks, requestState: STATE }))],
  [answerBytes(resultText(done, RETRY_ID))],
];
const [STATELESS, STATEFUL, DONE] = [0, 1, 2];

function ask(stateful: boolean): Trial {
  const answer = stateful ? STATEFUL : STATELESS;
  const request = requestBytes('tools/call', { params: TOOL, capabilities: FORM_AND_URL, answer });
  const check = (body: string) => {
    const { result } = JSON.parse(body);
    if (result?.inputRequests?.[KEY] === undefined) throw new Error(`not the question: ${body}`);
  };
  return { request, status: 200, slackBytes: SLACK_BYTES, check };
}

function retry(requestState: unknown): Trial {
  const inputResponses = { [KEY]: { action: 'accept', content: { command: 'show bgp summary' } } };
  const params = { ...TOOL, inputResponses, ...(requestState !== undefined && { requestState }) };
  const request = requestBytes('tools/call', {
    ...{ id: RETRY_ID, params },
    ...{ capabilities: FORM_AND_URL, answer: DONE },
  });
  const check = (body: string) => {
    if (JSON.parse(body).result?.content?.[0]?.text !== 'done') throw new Error(`not the result: ${body}`);
  };
  return { request, status: 200, check };
}

/** Both halves; the retry carries the state that this subject handed out. */
export async function roundFor(kind: Pick<SubjectKind, 'name'>, port: number): Promise<readonly Trial[]> {
  const asking = ask(kind.name !== ZE.name);
  const { body } = await probe(port, asking.request);
  return [asking, retry(JSON.parse(body).result?.requestState)];
}

const ROUND = {
  kinds: [DIRECT, NGINX, HTTP_PROXY, ZE, SPEC, RELAY],
  base: HTTP_PROXY,
  answers: QUESTION_ANSWERS,
  connections: 32,
  lapMs: 3_000,
  trialsFor: roundFor,
};

async function run(run: Run): Promise<Findings> {
  return withEntrants(run, ROUND, async (entrants) => {
    const { table } = await compare(run, entrants, ROUND);
    return { tables: [table], measured: [], notes: [] };
  });
}

export const inputRequired: Workload = {
  name: 'input-required',
  title: 'A round of input_required',
  says: 'A tools/call that is answered with a form and a state, and its retry with the answer, in turn; figures are for one exchange of the two. Profile ze has no states.',
  run,
};
