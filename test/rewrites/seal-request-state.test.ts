import { describe, expect, it } from 'vitest';
import type { OutboundInput } from '../../src/engine/exchange.js';
import type { RoutePolicy } from '../../src/engine/policy.js';
import type { SealState } from '../../src/engine/state.js';
import { readInputRequests } from '../../src/protocol/input-requests.js';
import { rewriteAnswer } from '../../src/rewrites/index.js';
import { sealPolicy } from '../rules/fixtures.js';
import { answer, route } from './fixtures.js';

const policy = (always = false) =>
  route(['seal-request-state'], { requestState: 'seal', seal: sealPolicy({ always }) });

/** What leaves, and what was put into the token. */
function sealed(text: string, on: RoutePolicy = policy(), method = 'tools/call') {
  const issued: Parameters<SealState>[] = [];
  const seal: SealState = (...content) => {
    issued.push(content);
    return 'TOKEN';
  };
  const read = answer(text, { method, policy: on, facts: { seal } });
  const input: OutboundInput = { ...read, asked: readInputRequests(read.message) };
  const account = { route: on, observer: { rewrote: () => {} } };
  return { text: rewriteAnswer(input, account) ?? text, issued };
}

const FORM =
  '"inputRequests":{"ask":{"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{"n":{"type":"integer","title":"N"}},"required":["n"]}}}}';
const ASKED = [
  {
    key: 'ask',
    kind: 'elicitation_form',
    schema: { properties: { n: { type: 'integer' } }, required: ['n'] },
  },
];

describe('seal-request-state', () => {
  it('replaces the state of an input_required result, and keeps every other byte', () => {
    const text = `{"id":1, "result":{"resultType":"input_required","requestState" : "a\\u0062\\n",${FORM} , "n":12345678901234567890}}`;
    const { text: leaves, issued } = sealed(text);
    expect(leaves).toBe(text.replace('"a\\u0062\\n"', '"TOKEN"'));
    expect(issued).toEqual([['"a\\u0062\\n"', ASKED]]);
  });

  it('seals a state that comes with no question, and an empty one', () => {
    const text = '{"id":1,"result":{"resultType":"input_required","requestState":""}}';
    expect(sealed(text)).toEqual({ text: text.replace('""', '"TOKEN"'), issued: [['""', []]] });
  });

  it('seals the state of a result with questions, whatever type it claims', () => {
    const text = `{"id":1,"result":{"requestState":"s",${FORM}}}`;
    expect(sealed(text).text).toBe(text.replace('"s"', '"TOKEN"'));
  });

  it.each([
    ['a complete result', '{"id":1,"result":{"resultType":"complete","requestState":"s"}}'],
    ['a task', `{"id":1,"result":{"resultType":"task","requestState":"s",${FORM}}}`],
    ['an error', '{"id":1,"error":{"code":-32603,"message":"","data":{"requestState":"s"}}}'],
    ['a notification', '{"method":"notifications/message","params":{"requestState":"s"}}'],
    ['a question without a state', `{"id":1,"result":{"resultType":"input_required",${FORM}}}`],
  ])('leaves %s alone', (_, text) => {
    expect(sealed(text)).toEqual({ text, issued: [] });
  });

  it('adds a token to a question without a state where the route seals always', () => {
    const text = `{"id":1,"result":{"resultType":"input_required",${FORM} }}`;
    const { text: leaves, issued } = sealed(text, policy(true));
    expect(leaves).toBe(text.replace(' }}', ',"requestState":"TOKEN" }}'));
    expect(issued).toEqual([[undefined, ASKED]]);
  });

  it.each([
    ['a complete result', '{"id":1,"result":{"resultType":"complete"}}'],
    ['a result that asks nothing', '{"id":1,"result":{"resultType":"input_required","inputRequests":{}}}'],
  ])('adds nothing to %s', (_, text) => {
    expect(sealed(text, policy(true))).toEqual({ text, issued: [] });
  });

  it('has nothing to do where nothing is sealed', () => {
    const text = `{"id":1,"result":{"resultType":"input_required","requestState":"s",${FORM}}}`;
    const input = answer(text, { policy: policy() });
    const account = { route: policy(), observer: { rewrote: () => expect.unreachable() } };
    expect(rewriteAnswer(input, account)).toBeUndefined();
  });
});
