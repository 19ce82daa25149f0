import { describe, expect, it, onTestFinished } from 'vitest';
import { type Answerer, type CallOptions, call } from '../../src/client/call.js';
import { createClient } from '../../src/client/client.js';
import type { JsonObject } from '../../src/protocol/messages.js';
import { resultReply, startUpstream, type Upstream } from '../support/upstream.js';

const ELICIT = {
  method: 'elicitation/create',
  params: { message: 'm', requestedSchema: { properties: {} } },
};
const ACCEPT: Answerer = async () => ({ result: { action: 'accept', content: { a: 1 } } });

function asks(keys: readonly string[], more: JsonObject = {}): JsonObject {
  const inputRequests = Object.fromEntries(keys.map((key) => [key, ELICIT]));
  return { resultType: 'input_required', ...(keys.length > 0 && { inputRequests }), ...more };
}

/** Calls a tool of a server that gives these results, one a round; the last one again and again. */
async function called(
  results: readonly JsonObject[],
  options: Partial<CallOptions> = {},
): Promise<{ end: Awaited<ReturnType<typeof call>>; upstream: Upstream }> {
  const upstream = await startUpstream((request, n) => resultReply(request, results[n] ?? results.at(-1)));
  onTestFinished(() => upstream.close());
  const client = createClient({ url: new URL(upstream.url) });
  const params = { name: 'tool', arguments: { x: 1 } };
  const end = await call(client, 'tools/call', params, { answer: ACCEPT, ...options });
  return { end, upstream };
}

const DONE = { resultType: 'complete' };

function paramsOf({ requests }: Upstream): readonly Record<string, unknown>[] {
  return requests.map((request) => request.json().params ?? {});
}

describe('the loop', () => {
  it('retries the same request under another id, with the answers by key', async () => {
    const { end, upstream } = await called([asks(['one', 'two']), DONE]);
    expect(end).toMatchObject({ outcome: { kind: 'complete' }, usedUp: false });
    const [first, second] = upstream.requests.map((request) => request.json());
    expect(second?.id).not.toBe(first?.id);
    const answer = { action: 'accept', content: { a: 1 } };
    expect(second).toEqual({
      ...first,
      id: second?.id,
      params: { ...first?.params, inputResponses: { one: answer, two: answer } },
    });
  });

  it.each(['c2VjcmV0', '', ' "\u2028\\ \ud83d\ude00 ', '{"a":1}', '1e999'])(
    'gives back the state %j exactly as it came',
    async (requestState) => {
      const { upstream } = await called([asks(['one'], { requestState }), DONE]);
      expect(paramsOf(upstream)[1]?.requestState).toBe(requestState);
    },
  );

  it('gives back the latest state, and none when the latest question has none', async () => {
    const { upstream } = await called([
      asks(['one'], { requestState: 'first' }),
      asks(['one'], { requestState: 'second' }),
      asks(['one']),
      DONE,
    ]);
    expect(paramsOf(upstream).map((params) => params.requestState ?? 'none')).toEqual([
      'none',
      'first',
      'second',
      'none',
    ]);
    expect(Object.keys(paramsOf(upstream)[3] ?? {})).not.toContain('requestState');
  });

  it('forgets the answers of earlier rounds', async () => {
    const { upstream } = await called([asks(['one']), asks(['two']), DONE]);
    expect(
      paramsOf(upstream).map(({ inputResponses = {} }) => Object.keys(inputResponses as object)),
    ).toEqual([[], ['one'], ['two']]);
  });

  it('retries without inputResponses when nothing but time is asked for', async () => {
    const { upstream } = await called([asks([], { requestState: 's' }), DONE]);
    expect(Object.keys(paramsOf(upstream)[1] ?? {}).sort()).toEqual([
      '_meta',
      'arguments',
      'name',
      'requestState',
    ]);
  });

  it('omits an answer: the retry has an empty map', async () => {
    const { upstream } = await called([asks(['one']), DONE], { answer: async () => 'omit' });
    expect(paramsOf(upstream)[1]?.inputResponses).toEqual({});
  });

  it('stops when nobody answers', async () => {
    const { end, upstream } = await called([asks(['one'])], { answer: async () => 'stop' });
    expect([end.outcome.kind, end.usedUp, upstream.requests.length]).toEqual(['input_required', false, 1]);
  });

  it('ends with a server that asks for ever', async () => {
    const { end, upstream } = await called([asks(['one'])], { maxRounds: 4 });
    expect([end.outcome.kind, end.usedUp, upstream.requests.length]).toEqual(['input_required', true, 4]);
  });

  it('ends with a server that asks for nothing', async () => {
    const { end, upstream } = await called([asks([])]);
    expect([end.outcome.kind, upstream.requests.length]).toEqual(['input_required', 1]);
  });

  it('sends what is for the first request with that alone', async () => {
    const { upstream } = await called([asks(['one']), DONE], { first: { requestState: 'made up' } });
    expect(paramsOf(upstream).map(({ requestState }) => requestState)).toEqual(['made up', undefined]);
  });

  it('takes a key like __proto__ for a key', async () => {
    const results = [JSON.parse('{"resultType":"input_required","inputRequests":{"__proto__":{}}}'), DONE];
    const { upstream } = await called(results, { answer: async () => ({ result: { action: 'cancel' } }) });
    expect(upstream.requests[1]?.text).toContain('"inputResponses":{"__proto__":{"action":"cancel"}}');
  });
});
