/** A long call that tells how it goes. */
import { eventStream, requestBytes, resultText } from '../lab/messages.js';
import { SPEC, ZE } from '../subjects/gateway.js';
import { DIRECT, HTTP_PROXY, NGINX } from '../subjects/peers.js';
import { compare, withEntrants } from './comparison.js';
import type { Findings, Run, Workload } from './workload.js';

const EVENTS = 1_000;
const TOKEN = 'token-1';

export function progressEvents(count: number): readonly string[] {
  const done = { resultType: 'complete', content: [{ type: 'text', text: 'done' }], isError: false };
  const progress = Array.from({ length: count }, (_, index) => {
    const params = { progressToken: TOKEN, progress: index + 1, total: count, message: `step ${index + 1}` };
    return JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params });
  });
  return [...progress, resultText(done)];
}

export function streamTrial(count: number, answer?: number) {
  const params = { name: 'tool_2', arguments: { command: 'commit' } };
  const options = { params, meta: { progressToken: TOKEN }, ...(answer !== undefined && { answer }) };
  const check = (body: string) => {
    const events = body.split('\n').filter((line) => line.startsWith('data:')).length;
    if (events !== count + 1) throw new Error(`${events} events instead of ${count + 1}`);
  };
  return { request: requestBytes('tools/call', options), status: 200, check };
}

const STREAM = {
  kinds: [DIRECT, NGINX, HTTP_PROXY, ZE, SPEC],
  base: HTTP_PROXY,
  answers: [eventStream(progressEvents(EVENTS))],
  connections: 4,
  lapMs: 4_000,
  trialsFor: () => [streamTrial(EVENTS)],
};

async function run(run: Run): Promise<Findings> {
  return withEntrants(run, STREAM, async (entrants) => {
    const { table } = await compare(run, entrants, STREAM);
    return { tables: [table], measured: [], notes: [] };
  });
}

export const sse: Workload = {
  name: 'sse',
  title: 'A stream of 1,000 progress events',
  says: 'A tools/call whose answer is 1,000 notifications, each a write of its own of the upstream, and the result; on 4 connections. How many events a proxy finds together depends on how fast it is.',
  run,
};
