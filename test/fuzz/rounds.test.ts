/** Sealed rounds: a retry gets through, with the server's own state, exactly when it is the retry that was asked for. */
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { ACCEPT, type Ask, asking, CAPABILITIES, FORM, OTHER_KEY, startSealing } from '../seal/asking.js';
import { call, type Received } from '../support/client.js';
import { fuzz, Seen } from '../support/fuzz.js';
import { type Reply, startUpstream, type UpstreamRequest } from '../support/upstream.js';

interface Retry {
  readonly method: string;
  readonly id: number;
  readonly params: Record<string, unknown>;
  readonly meta: Record<string, unknown>;
}

interface Change {
  /** The rule that refuses it; '' where it stays what was asked for. */
  readonly rule: string;
  /** `at` is any number. */
  readonly make: (retry: Retry, at: number) => Retry;
}

const TOKEN = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const STATE = 'request-state-accepted';
const SCHEMA = 'answer-matches-schema';

const CHANGES: Readonly<Record<string, Change>> = {
  nothing: { rule: '', make: (retry) => retry },
  'the order of arguments': {
    rule: '',
    make: (retry) => withArguments(retry, Object.fromEntries(Object.entries(argumentsOf(retry)).reverse())),
  },
  'what _meta says': { rule: '', make: (retry, at) => ({ ...retry, meta: { progressToken: at } }) },
  'to an id of its own': { rule: '', make: (retry, at) => ({ ...retry, id: 1_000 + at }) },
  'a decline': { rule: '', make: (retry) => answering(retry, { action: 'decline' }) },
  'a character of the token': {
    rule: STATE,
    make: (retry, at) => withToken(retry, (token) => other(token, at)),
  },
  'the end of the token': {
    rule: STATE,
    make: (retry, at) => withToken(retry, (token) => token.slice(0, at % token.length)),
  },
  'two tokens in one': { rule: STATE, make: (retry) => withToken(retry, (token) => token + token) },
  'an argument': {
    rule: STATE,
    make: (retry, at) => withArguments(retry, changedOne(argumentsOf(retry), at)),
  },
  'a further argument': {
    rule: STATE,
    make: (retry, at) => withArguments(retry, { ...argumentsOf(retry), FURTHER: at }),
  },
  'a further parameter': { rule: STATE, make: (retry, at) => withParams(retry, { further: at }) },
  'the tool': { rule: STATE, make: (retry) => withParams(retry, { name: 'cancel' }) },
  'the method': { rule: STATE, make: (retry) => ({ ...retry, method: 'prompts/get' }) },
  'not the id': { rule: STATE, make: (retry) => ({ ...retry, id: retry.id - 1 }) },
  'the content': { rule: SCHEMA, make: (retry, at) => answering(retry, accepting({ seats: 10 + at })) },
  'the type of the content': {
    rule: SCHEMA,
    make: (retry, at) => answering(retry, accepting({ seats: `${at}` })),
  },
  'no content': { rule: SCHEMA, make: (retry) => answering(retry, accepting({})) },
};

const name = fc.string({ unit: fc.constantFrom(...'abcdefghij'), minLength: 1, maxLength: 4 });
const args = fc.dictionary(name, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5, noNullPrototype: true });
const states = fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), { minLength: 1, maxLength: 3 });
const rounds = fc.record({
  args,
  states: states.map((texts) => texts.map((text, round) => `${round}:${text}`)),
  change: fc.constantFrom(...Object.keys(CHANGES)),
  at: fc.nat(10_000),
});

it('of sealed rounds only what was asked for gets through', async () => {
  let answer: (request: UpstreamRequest) => Reply = asking();
  const upstream = await startUpstream((request) => answer(request));
  onTestFinished(() => upstream.close());
  const { url } = await startSealing(upstream.url);
  const elsewhere = await startSealing(upstream.url, { seal: { keys: [OTHER_KEY] } });
  const seen = new Seen(Object.keys(CHANGES), 3);
  const property = fc.asyncProperty(rounds, async ({ args, states, change, at }) => {
    seen.add(change);
    answer = asking(...states.map((requestState): Ask => ({ inputRequests: { ask: FORM }, requestState })));
    let retry: Retry = { method: 'tools/call', id: 1, params: { name: 'book', arguments: args }, meta: {} };
    for (const state of states) {
      const { message } = await send(url, retry);
      expect(message.result.resultType).toBe('input_required');
      expect(message.result.requestState).not.toContain(state);
      const params = { requestState: message.result.requestState, inputResponses: ACCEPT };
      retry = withParams({ ...retry, id: retry.id + 1 }, params);
    }
    const reached = upstream.requests.length;
    const { rule, make } = CHANGES[change] as Change;
    expect(ruleOf(await send(elsewhere.url, retry))).toBe(STATE);
    const final = await send(url, make(retry, at));
    expect(ruleOf(final)).toBe(rule);
    expect(upstream.requests.length).toBe(reached + (rule === '' ? 1 : 0));
    if (rule === '') expect(final.message.result.structuredContent.requestState).toBe(states.at(-1));
    else expect(final.text).not.toContain(retry.params.requestState);
  });
  await fuzz(property, { cases: 150, seen });
});

function send(url: string, { method, id, params, meta }: Retry): Promise<Received> {
  return call(url, method, { id, params, meta, capabilities: CAPABILITIES });
}

/** '' when it was not refused. */
function ruleOf({ status, message }: Received): string {
  if (status === 200 && message.error === undefined) return '';
  expect(status).toBe(400);
  return message.error.data?.rule ?? STATE_WORDS.get(message.error.message) ?? message.error.message;
}

/** What is wrong with a state is not told. */
const STATE_WORDS = new Map([['invalid params: params.requestState is not valid for this request', STATE]]);

function withParams(retry: Retry, params: Record<string, unknown>): Retry {
  return { ...retry, params: { ...retry.params, ...params } };
}

function argumentsOf({ params }: Retry): Record<string, unknown> {
  return params.arguments as Record<string, unknown>;
}

function withArguments(retry: Retry, changed: Record<string, unknown>): Retry {
  return withParams(retry, { arguments: changed });
}

/** One of the arguments wrapped in an array; where there are none, one more. */
function changedOne(given: Record<string, unknown>, at: number): Record<string, unknown> {
  const names = Object.keys(given);
  const chosen = names[at % names.length] ?? 'a';
  return { ...given, [chosen]: [given[chosen] ?? null] };
}

function withToken(retry: Retry, change: (token: string) => string): Retry {
  return withParams(retry, { requestState: change(retry.params.requestState as string) });
}

/** The token with another character of its alphabet at some place. */
function other(token: string, at: number): string {
  const place = at % token.length;
  const next = TOKEN[(TOKEN.indexOf(token.charAt(place)) + 1) % TOKEN.length];
  return token.slice(0, place) + next + token.slice(place + 1);
}

function answering(retry: Retry, ask: object): Retry {
  return withParams(retry, { inputResponses: { ask } });
}

function accepting(content: object): object {
  return { action: 'accept', content };
}
