/** Traffic that asks: whole round trips, under sealed states and without, and retries that must not pass. */
import { FORM } from '../../test/support/client.js';
import { TOKENS } from './generations.js';
import { type Id, question, result, said } from './messages.js';
import { type Expected, messageOf, type Scenario, type Traffic } from './traffic.js';

/** What is called, and who calls: a state is good for the same again. */
interface Operation {
  readonly route: string;
  readonly act: string;
  readonly tool?: string;
  readonly args?: Record<string, unknown>;
  readonly headers?: Record<string, string>;
}

type Answer = Readonly<Record<string, unknown>>;

const ADA: Answer = { action: 'accept', content: { name: 'Ada', seats: 4 } };
const ASKED = { status: 200, outcome: 'input_required' } as const;
const STATE_REFUSED: Expected = {
  status: 400,
  outcome: 'refused_inbound',
  error: { code: -32_602, rule: 'request-state-accepted' },
};

/** Has the upstream ask, and yields the state that came. `secret` is in the upstream's own, and must not be seen. */
async function ask(traffic: Traffic, operation: Operation, secret: string): Promise<string> {
  const { route, act, ...more } = operation;
  const asking = traffic.call(route, traffic.id(), act, { ...more, capabilities: FORM });
  const reply = await traffic.exchange('question', asking, {
    ...ASKED,
    holds: ({ result: got }, { text }) =>
      got?.resultType === 'input_required' && typeof got.requestState === 'string' && !text.includes(secret),
  });
  return messageOf(reply.text).result?.requestState ?? '';
}

interface Retry {
  readonly state?: string;
  readonly answer: Answer;
  readonly kind: string;
}

function retry(
  traffic: Traffic,
  { route, act, ...more }: Operation,
  { state, answer, kind }: Retry,
  expected: (id: Id) => Expected,
) {
  const id = traffic.id();
  const params = {
    inputResponses: { guest: answer },
    ...(state !== undefined && { requestState: state }),
  };
  const asking = traffic.call(route, id, act, { ...more, capabilities: FORM, params });
  return traffic.exchange(kind, asking, expected(id));
}

/** Asks once to three times, with time to think in between, and comes to its end. */
async function sealedOperation(traffic: Traffic): Promise<void> {
  const secret = `secret-${traffic.id()}`;
  const rounds = 1 + traffic.below(3);
  const operation = { route: 'sealed', act: `ask ${secret} ${rounds}`, args: { evening: secret } };
  const answer = traffic.pick<Answer>([ADA, ADA, { action: 'decline' }, { action: 'cancel' }]);
  let state = await ask(traffic, operation, secret);
  for (let round = 1; round < rounds; round += 1) {
    await traffic.pause(2_000);
    const more = { state, answer: ADA, kind: 'answer, and another question' };
    const reply = await retry(traffic, operation, more, () => ({
      ...ASKED,
      holds: ({ result: got }, { text }) => typeof got?.requestState === 'string' && !text.includes(secret),
    }));
    state = messageOf(reply.text).result?.requestState ?? '';
  }
  await traffic.pause(2_000);
  await retry(traffic, operation, { state, answer, kind: 'last answer' }, (id) => ({
    status: 200,
    outcome: 'ok',
    text: result(id, said(`${secret}: ${JSON.stringify(answer)}`)),
  }));
}

/** The manner of Ze: no state, one question. */
async function plainOperation(traffic: Traffic): Promise<void> {
  const operation = { route: 'ze', act: 'ask-plainly', tool: 'ze_execute' };
  const id = traffic.id();
  const asking = traffic.call('ze', id, operation.act, { tool: operation.tool, capabilities: FORM });
  await traffic.exchange('question', asking, { ...ASKED, text: result(id, question(1, undefined)) });
  await traffic.pause(1_000);
  const answer = { action: 'accept', content: { name: `Ada ${id}` } };
  await retry(traffic, operation, { answer, kind: 'last answer' }, (next) => ({
    status: 200,
    outcome: 'ok',
    text: result(next, said(`: ${JSON.stringify(answer)}`)),
  }));
}

/** A client that cannot be asked is told what is missing. */
async function unaskable(traffic: Traffic): Promise<void> {
  const id = traffic.id();
  const text = result(id, said('missing required argument: command', { isError: true }));
  const asking = traffic.call('ze', id, 'ask-plainly', { tool: 'ze_execute' });
  await traffic.exchange('question to nobody', asking, { status: 200, outcome: 'refused_outbound', text });
}

async function usedTwice(traffic: Traffic): Promise<void> {
  const secret = `secret-${traffic.id()}`;
  const operation = { route: 'once', act: `ask ${secret} 1` };
  const state = await ask(traffic, operation, secret);
  await retry(traffic, operation, { state, answer: ADA, kind: 'state used once' }, (id) => ({
    status: 200,
    outcome: 'ok',
    text: result(id, said(`${secret}: ${JSON.stringify(ADA)}`)),
  }));
  const again = { ...operation, act: 'never' };
  await retry(traffic, again, { state, answer: ADA, kind: 'state used twice' }, () => STATE_REFUSED);
}

function tampered(token: string, at: number): string {
  const other = token.at(at) === 'A' ? 'B' : 'A';
  return token.slice(0, at) + other + token.slice(at + 1);
}

async function forgedState(traffic: Traffic): Promise<void> {
  const secret = `secret-${traffic.id()}`;
  const operation = { route: 'sealed', act: `ask ${secret} 1` };
  const token = await ask(traffic, operation, secret);
  const state = traffic.pick([tampered(token, traffic.below(token.length)), 'c2Vzc2lvbg', '']);
  const forged = { ...operation, act: 'never' };
  await retry(traffic, forged, { state, answer: ADA, kind: 'forged state' }, () => STATE_REFUSED);
}

async function movedState(traffic: Traffic): Promise<void> {
  const secret = `secret-${traffic.id()}`;
  const operation = { route: 'named', act: `ask ${secret} 1`, headers: bearer(TOKENS.ada) };
  const state = await ask(traffic, operation, secret);
  const moved = traffic.pick<Operation>([
    { ...operation, act: 'never', tool: 'cancel_table' },
    { ...operation, act: 'never', args: { seats: 5 } },
    { ...operation, act: 'never', headers: bearer(TOKENS.grace) },
    { ...operation, act: 'never', route: 'sealed' },
  ]);
  await retry(traffic, moved, { state, answer: ADA, kind: 'state in another place' }, () => STATE_REFUSED);
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

async function wrongAnswer(traffic: Traffic): Promise<void> {
  const secret = `secret-${traffic.id()}`;
  const operation = { route: 'sealed', act: `ask ${secret} 1` };
  const state = await ask(traffic, operation, secret);
  const [answer, rule] = traffic.pick<readonly [Answer, string]>([
    [{ action: 'accept', content: { name: 'Ada', seats: 400 } }, 'answer-matches-schema'],
    [{ action: 'accept', content: { seats: 4 } }, 'answer-matches-schema'],
    [{ roots: [] }, 'answer-matches-kind'],
    [{ action: 'perhaps' }, 'input-responses-shape'],
  ]);
  const wrong = { ...operation, act: 'never' };
  await retry(traffic, wrong, { state, answer, kind: 'answer to another question' }, () => ({
    status: 400,
    outcome: 'refused_inbound',
    error: { code: -32_602, rule },
  }));
}

export const ROUNDS: readonly Scenario[] = [
  { kind: 'sealed operation', weight: 8, run: sealedOperation },
  { kind: 'plain operation', weight: 5, run: plainOperation },
  { kind: 'question to nobody', weight: 2, run: unaskable },
  { kind: 'state used twice', weight: 2, run: usedTwice },
  { kind: 'forged state', weight: 1, run: forgedState },
  { kind: 'moved state', weight: 1, run: movedState },
  { kind: 'wrong answer', weight: 1, run: wrongAnswer },
];
