/** The bad and the good example of every rule, on a route of each profile: refused to the byte as judged without HTTP. */

import type { AnswerExample, Example } from '../../src/explain/example.js';
import { EXPLANATIONS } from '../../src/explain/explanations.js';
import { answerText, judge, requestOf } from '../../src/explain/judge.js';
import { planOf } from './generations.js';
import { ACT, result, said } from './messages.js';
import type { Expected, Scenario, Traffic } from './traffic.js';

interface Row {
  readonly route: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
  readonly even: Expected;
  readonly odd: Expected;
}

/** Which of a rule's examples the upstream is to answer with. */
export function exampleOf(rule: string, which: string): Example | undefined {
  return EXPLANATIONS.get(rule)?.[which as 'bad' | 'good'];
}

const PLANS = ['plain', 'judged'].map((route) => [route, planOf(route, 2), planOf(route, 1)] as const);

function rowsOf(rule: string, which: 'bad' | 'good'): readonly Row[] {
  const explanation = EXPLANATIONS.get(rule);
  const example = explanation?.[which];
  const special = explanation?.config !== undefined || explanation?.route?.requestState !== undefined;
  if (example === undefined || special || example.sealedFor !== undefined) return [];
  return PLANS.flatMap(([route, evenPlan, oddPlan]) => {
    const even = expectedOf(example, evenPlan);
    const odd = expectedOf(example, oddPlan);
    if (even === undefined || odd === undefined) return [];
    const inbound = [even, odd].every(({ outcome }) => outcome === 'refused_inbound');
    const act = inbound ? 'never' : `example ${rule} ${which}`;
    const { headers, body } = requestOf(example.request);
    return [{ route, headers: { ...Object.fromEntries(headers), [ACT]: act }, body, even, odd }];
  });
}

/** Undefined for what is dropped from a stream, and for streams that pass. */
function expectedOf(example: Example, plan: ReturnType<typeof planOf>): Expected | undefined {
  const { finding, refusal } = judge(example, plan);
  if (refusal !== undefined) {
    const inbound = finding?.rule.stage !== 'outbound';
    const failed = refusal.key === 'upstreamInvalid';
    const outcome = inbound ? 'refused_inbound' : failed ? 'upstream_failed' : 'refused_outbound';
    return { status: refusal.status, outcome, text: refusal.body };
  }
  const { answer } = example;
  if (finding !== undefined || answer?.event !== undefined) return undefined;
  if (answer === undefined) return { status: 200, outcome: 'ok', text: result(1, said('Booked.')) };
  return { status: answer.status ?? 200, outcome: outcomeOf(answer), text: answerText(answer) };
}

function outcomeOf({ result: content, error }: AnswerExample): string {
  if (error !== undefined) return 'rpc_error';
  return content?.resultType === 'input_required' ? 'input_required' : 'ok';
}

const ROWS: readonly Row[] = [...EXPLANATIONS.keys()].flatMap((rule) =>
  (['bad', 'good'] as const).flatMap((which) => rowsOf(rule, which)),
);

async function judged(traffic: Traffic): Promise<void> {
  const row = ROWS[traffic.below(ROWS.length)];
  if (row === undefined) return;
  const asking = { route: row.route, path: `/${row.route}`, headers: row.headers, body: row.body };
  await traffic.exchange('example of a rule', asking, (even) => (even ? row.even : row.odd));
}

export const JUDGED: readonly Scenario[] = [{ kind: 'example of a rule', weight: 14, run: judged }];
