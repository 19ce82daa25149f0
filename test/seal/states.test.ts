import { describe, expect, it } from 'vitest';
import type { SealPolicy } from '../../src/engine/policy.js';
import type { AskedInput } from '../../src/protocol/asked.js';
import { isObject, readClientMessage } from '../../src/protocol/messages.js';
import { generateKey, parseKey } from '../../src/seal/key.js';
import { KeyRing } from '../../src/seal/ring.js';
import { learnState, type StatefulRequest } from '../../src/seal/states.js';

const START = 1_800_000_000_000;
const key = () => parseKey(generateKey()) as Uint8Array;
const [FIRST, SECOND] = [key(), key()];
const RING = new KeyRing([FIRST]);
const POLICY: SealPolicy = {
  ttlMs: 600_000,
  operationMs: 3_600_000,
  maxRounds: 1000,
  maxBytes: 131_072,
  always: false,
  singleUse: false,
  storeFailure: 'refuse',
};
const ASKED: readonly AskedInput[] = [{ key: 'ask', kind: 'roots', schema: undefined }];
const CALL = { name: 'book', arguments: { seats: 2 } };

interface Differences extends Partial<Omit<StatefulRequest, 'message' | 'text'>> {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: object;
  readonly ring?: KeyRing;
  /** When the answer is sealed. */
  readonly answeredAt?: number;
}

function learn({
  id = 1,
  method = 'tools/call',
  params = CALL,
  ring = RING,
  answeredAt,
  ...more
}: Differences) {
  const text = JSON.stringify({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), method, params });
  const envelope: unknown = JSON.parse(text);
  if (!isObject(envelope as never)) throw new Error('no object');
  const message = readClientMessage(envelope as never, () => String(id));
  const request = {
    route: 'mcp',
    policy: POLICY,
    principal: 'p',
    now: START,
    ...more,
    message,
    text: () => text,
  };
  return learnState(ring, request, () => answeredAt ?? request.now);
}

const first = (more: Differences = {}) => learn(more).seal?.('"inner"', ASKED) ?? '';
const retry = (requestState: unknown, more: Differences = {}) =>
  learn({ id: 2, ...more, params: { ...(more.params ?? CALL), requestState } });

describe('a state on a retry', () => {
  it('opens to what was sealed, with what it is bound to', () => {
    expect(retry(first()).state).toMatchObject({
      verdict: 'accepted',
      token: {
        route: 'mcp',
        method: 'tools/call',
        target: 'book',
        principal: 'p',
        answered: '1',
        round: 1,
        issuedAt: START,
        expiresAt: START + 600_000,
        firstAt: START,
        asked: ASKED,
        inner: '"inner"',
      },
    });
  });

  it.each<[string, string, Differences]>([
    ['another tool', 'moved', { params: { ...CALL, name: 'cancel' } }],
    ['another argument', 'moved', { params: { ...CALL, arguments: { seats: 3 } } }],
    ['one more argument', 'moved', { params: { ...CALL, arguments: { seats: 2, vip: true } } }],
    ['another member of params', 'moved', { params: { ...CALL, task: {} } }],
    ['another method', 'moved', { method: 'prompts/get' }],
    ['another route', 'moved', { route: 'other' }],
    ['another principal', 'foreign', { principal: 'q' }],
    ['nobody in particular', 'foreign', { principal: '' }],
    ['a later time than it is good for', 'expired', { now: START + 600_000 }],
    ['the id of the request that it answered', 'reused', { id: 1 }],
    ['a ring without its key', 'foreign', { ring: new KeyRing([SECOND]) }],
    ['a route that allows fewer rounds', 'exhausted', { policy: { ...POLICY, maxRounds: 0 } }],
  ])('does not open for %s', (_, verdict, difference) => {
    expect(retry(first(), difference).state).toEqual({ verdict });
  });

  it.each<[string, Differences]>([
    ['a new key before its own', { ring: new KeyRing([SECOND, FIRST]) }],
    [
      'answers, metadata and another order of members',
      { params: { arguments: CALL.arguments, name: 'book', inputResponses: { ask: {} }, _meta: { a: 1 } } },
    ],
    ['the same id as text', { id: '1' }],
    ['the last moment that it is good for', { now: START + 599_999 }],
  ])('opens with %s', (_, difference) => {
    expect(retry(first(), difference).state?.verdict).toBe('accepted');
  });

  it.each([
    ['is made up', 'forged'],
    ['is empty', ''],
    ['is a token with something after it', `${first()}-TAMPERED`],
  ])('does not open when it %s', (_, given) => {
    expect(retry(given).state).toEqual({ verdict: 'foreign' });
  });

  it.each([null, 1, {}, ['x']])('is none when it is %j', (given) => {
    expect(retry(given).state).toBeUndefined();
  });
});

describe('the states of one operation', () => {
  it('count its rounds and keep the time of the first', () => {
    const second =
      retry(first(), { now: START + 1000, answeredAt: START + 2000 }).seal?.(undefined, []) ?? '';
    const third = retry(second, { id: 3, now: START + 500_000 }).state;
    expect(third).toMatchObject({
      token: { round: 2, firstAt: START, issuedAt: START + 2000, answered: '2', inner: undefined, asked: [] },
    });
  });

  it('expire with the operation, however often they are renewed', () => {
    let now = START;
    let id = 1;
    let token = first();
    while (now < START + 3_600_000) {
      now += 500_000;
      id += 1;
      const learned = retry(token, { id, now });
      if (learned.state?.verdict !== 'accepted') break;
      token = learned.seal?.(undefined, []) ?? '';
    }
    expect(retry(token, { id: id + 1, now }).state).toEqual({ verdict: 'expired' });
    expect(now).toBe(START + 4_000_000);
  });

  it('begin anew after a state that did not open', () => {
    const token = retry('forged', { now: START + 5 }).seal?.(undefined, []) ?? '';
    expect(retry(token, { id: 3, now: START + 6 }).state).toMatchObject({
      token: { round: 1, firstAt: START + 5 },
    });
  });
});

describe('requests that cannot be asked back', () => {
  it.each<[string, Differences]>([
    ['another method', { method: 'tools/list' }],
    ['a task request', { method: 'tasks/update' }],
    ['a notification', { id: undefined, method: 'notifications/cancelled' }],
  ])('have neither state nor seal: %s', (_, difference) => {
    expect(learn({ ...difference, params: { requestState: 'x' } })).toEqual({
      state: undefined,
      seal: undefined,
    });
  });
});
