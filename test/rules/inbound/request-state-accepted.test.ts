import { describe, expect, it } from 'vitest';
import type { Exchange, StateOpening } from '../../../src/engine/exchange.js';
import type { RequestStateMode } from '../../../src/engine/policy.js';
import type { JsonValue } from '../../../src/protocol/messages.js';
import { requestStateAccepted } from '../../../src/rules/inbound/request-state-accepted.js';
import { judges, PEER_VALUE } from '../cases.js';
import { accepted, type ExchangeOptions, exchange, policy, requestMeta, sealPolicy } from '../fixtures.js';

const AT = '/params/requestState';
const AT_META = '/params/_meta/requestState';
const ACCEPTED = accepted();

const inMode =
  (requestState: RequestStateMode) =>
  (options: ExchangeOptions): Exchange =>
    exchange({ ...options, policy: policy({ requestState, ...(options.legacy ? { legacy: 'pass' } : {}) }) });
const forbid = inMode('forbid');
const relay = inMode('relay');
const seal = inMode('seal');

const state = (requestState: JsonValue): ExchangeOptions => ({ params: { name: 'book', requestState } });
const inEnvelope: ExchangeOptions = { envelope: { requestState: PEER_VALUE } };
const inMeta: ExchangeOptions = { meta: { ...requestMeta(), requestState: PEER_VALUE } };
const onList: ExchangeOptions = { method: 'tools/list', params: { requestState: PEER_VALUE } };
const onNotification: ExchangeOptions = { method: 'notifications/x', params: { requestState: PEER_VALUE } };
/** Places where the name is a tool's or a user's own. */
const elsewhere: ExchangeOptions = {
  params: {
    name: 'book',
    arguments: { requestState: PEER_VALUE },
    inputResponses: { requestState: { action: 'accept', content: { requestState: PEER_VALUE } } },
  },
};
const always = (options: ExchangeOptions): Exchange =>
  exchange({ ...options, policy: policy({ requestState: 'seal', seal: sealPolicy({ always: true }) }) });
const answers = (inputResponses: JsonValue): ExchangeOptions => ({
  params: { name: 'book', inputResponses },
});
const opened = (opening: StateOpening | undefined, options: ExchangeOptions = state(PEER_VALUE)): Exchange =>
  seal({ ...options, facts: { state: opening } });

judges(requestStateAccepted, {
  refuses: [
    ['a state where none is issued', forbid(state(PEER_VALUE)), AT],
    ['an empty state where none is issued', forbid(state('')), AT],
    ['a null state where none is issued', forbid(state(null)), AT],
    ['an object as state where none is issued', forbid(state({})), AT],
    ['a state on tools/list where none is issued', forbid(onList), AT],
    [
      'a state on tasks/update where none is issued',
      forbid({ method: 'tasks/update', params: { requestState: '' } }),
      AT,
    ],
    ['a state on a notification where none is issued', forbid(onNotification), AT],
    ['a state in the envelope where none is issued', forbid(inEnvelope), '/requestState'],
    ['a state in _meta where none is issued', forbid(inMeta), AT_META],
    ['a state of the legacy era where none is issued', forbid({ ...state(PEER_VALUE), legacy: true }), AT],
    ['a relayed state that is null', relay(state(null)), AT],
    ['a relayed state that is an object', relay(state({ a: PEER_VALUE })), AT],
    ['a relayed state on tools/list', relay(onList), AT],
    ['a relayed state on tasks/update', relay({ method: 'tasks/update', params: { requestState: 's' } }), AT],
    ['a relayed state on a notification', relay(onNotification), AT],
    ['a relayed state in the envelope', relay(inEnvelope), '/requestState'],
    ['a relayed state in _meta', relay(inMeta), AT_META],
    ['a sealed state that expired', opened({ verdict: 'expired' }), AT],
    ['a sealed state of another principal', opened({ verdict: 'foreign' }), AT],
    ['a sealed state of another request', opened({ verdict: 'moved' }), AT],
    ['a sealed state used before', opened({ verdict: 'reused' }), AT],
    ['a sealed state that this gateway did not issue', opened({ verdict: 'invalid' }), AT],
    ['a state that nobody opened', opened(undefined), AT],
    ['a sealed state that is null', opened(undefined, state(null)), AT],
    ['a sealed state in the envelope', opened(ACCEPTED, inEnvelope), '/requestState'],
    ['a sealed state in _meta', opened(undefined, inMeta), AT_META],
    ['answers without a state where every question leaves with one', always(answers({ ask: {} })), AT],
    ['a list of answers without a state where every question leaves with one', always(answers([{}])), AT],
  ],
  passes: [
    ['a call without state where none is issued', forbid({})],
    ['the name among arguments and answers where none is issued', forbid(elsewhere)],
    ['a call without state where states are relayed', relay({})],
    ['the name among arguments and answers where states are relayed', relay(elsewhere)],
    ['a relayed state on tools/call', relay(state(PEER_VALUE))],
    ['a relayed state that is empty', relay(state(''))],
    [
      'a relayed state on prompts/get',
      relay({ method: 'prompts/get', params: { name: 'p', requestState: 's' } }),
    ],
    [
      'a relayed state on resources/read',
      relay({ method: 'resources/read', params: { uri: 'a:b', requestState: 's' } }),
    ],
    ['a call without state where states are sealed', opened(undefined, {})],
    ['the name among arguments and answers where states are sealed', opened(undefined, elsewhere)],
    ['a sealed state that opened', opened(ACCEPTED)],
    ['answers without a state where questions may leave without', opened(undefined, answers({ ask: {} }))],
    ['no answers and no state where every question leaves with one', always(answers({}))],
    [
      'answers to a task where every question leaves with a state',
      always({ method: 'tasks/update', params: { taskId: 't', inputResponses: { ask: {} } } }),
    ],
  ],
});

describe('request-state-accepted', () => {
  it('refuses with the one sentence of Ze where no state is issued', () => {
    for (const options of [state(PEER_VALUE), inEnvelope, inMeta, onNotification]) {
      expect(requestStateAccepted.check(forbid(options))).toMatchObject({
        message:
          'invalid params: params.requestState is not accepted; this server issues no requestState, so a retry must not carry one',
        detail: { kind: 'state', verdict: 'forbidden' },
      });
    }
  });

  it('tells a caller the same for every reason that a sealed state is refused', () => {
    const verdicts = ['expired', 'foreign', 'moved', 'reused', 'exhausted', 'invalid'] as const;
    for (const verdict of verdicts) {
      expect(requestStateAccepted.check(opened({ verdict }))).toEqual({
        at: AT,
        message: 'invalid params: params.requestState is not valid for this request',
        detail: { kind: 'state', verdict },
      });
    }
  });

  it('counts a misplaced state as invalid', () => {
    for (const input of [relay(onList), opened(ACCEPTED, inEnvelope), opened(undefined)]) {
      expect(requestStateAccepted.check(input)?.detail).toEqual({ kind: 'state', verdict: 'invalid' });
    }
  });
});
