import { describe, expect, it, onTestFinished } from 'vitest';
import type { Answerer } from '../../src/client/call.js';
import { createClient } from '../../src/client/client.js';
import { type PollOptions, pollTask, type TaskEnd } from '../../src/client/task.js';
import { errorReply, resultReply, startUpstream, type Upstream } from '../support/upstream.js';

const ACCEPT: Answerer = async () => ({ result: { action: 'accept', content: {} } });
const asking = (...keys: readonly string[]) => ({
  status: 'input_required',
  inputRequests: Object.fromEntries(keys.map((key) => [key, { method: 'elicitation/create', params: {} }])),
});

/** Follows a task that reports these states, one a poll; the last one again and again. */
async function followed(
  states: readonly object[],
  options: Partial<PollOptions> = {},
): Promise<{ end: TaskEnd; upstream: Upstream }> {
  let polls = 0;
  const upstream = await startUpstream((request) => {
    if (request.json().method === 'tasks/update') return resultReply(request, { resultType: 'complete' });
    const state = states[polls++] ?? states.at(-1);
    if (state === undefined) return errorReply(request, 400, { code: -32602, message: 'unknown task' });
    return resultReply(request, { resultType: 'complete', taskId: 't', pollIntervalMs: 1, ...state });
  });
  onTestFinished(() => upstream.close());
  const client = createClient({ url: new URL(upstream.url) });
  const end = await pollTask(client, 't', { answer: ACCEPT, minPauseMs: 1, ...options });
  return { end, upstream };
}

describe('a task', () => {
  it.each(['completed', 'failed', 'cancelled'])('is followed until it is %s', async (status) => {
    const { end, upstream } = await followed([{ status: 'working' }, { status }]);
    expect([end.status, upstream.requests.length]).toEqual([status, 2]);
  });

  it('gets each answer once, however often it asks', async () => {
    const states = [asking('one'), asking('one'), asking('one', 'two'), { status: 'completed' }];
    const { end, upstream } = await followed(states);
    const updates = upstream.requests
      .map((request) => request.json())
      .filter(({ method }) => method === 'tasks/update');
    expect(end.status).toBe('completed');
    expect(updates.map(({ params }) => Object.keys(params?.inputResponses as object))).toEqual([
      ['one'],
      ['two'],
    ]);
    expect(upstream.requests.every(({ headers }) => headers['mcp-name'] === 't')).toBe(true);
  });

  it('that waits for an answer that nobody gives is left', async () => {
    const { end } = await followed([asking('one')], { answer: async () => 'stop' });
    expect(end.status).toBe('unanswered');
  });

  it('that never ends is left in time', async () => {
    const { end } = await followed([{ status: 'working' }], { forMs: 50, minPauseMs: 20 });
    expect(end.status).toBe('too-long');
  });

  it('that there is not is told', async () => {
    const { end } = await followed([]);
    expect(end).toMatchObject({ status: 'gone', outcome: { kind: 'error' } });
  });
});
