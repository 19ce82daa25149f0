/** The exchange that every other is compared with: a small tools/call. */
import { answerBytes, requestBytes, resultText } from '../lab/messages.js';
import { expectation, type Trial } from '../lab/race.js';
import type { Spread } from '../lab/statistics.js';
import type { Measured } from '../report/targets.js';
import { RELAY, SPEC, ZE } from '../subjects/gateway.js';
import { DIRECT, HTTP_PROXY, MCP_PROXY, NGINX } from '../subjects/peers.js';
import { compare, ratio, type Standing, withEntrants } from './comparison.js';
import { latency } from './latency.js';
import type { Findings, Run, Workload } from './workload.js';

const TEXT = 'peer 192.0.2.1 AS 64500 established, 812431 prefixes received, up 3 weeks 2 days. '.repeat(4);
export const SMALL_RESULT = JSON.stringify({
  resultType: 'complete',
  content: [{ type: 'text', text: TEXT }],
  isError: false,
});
export const SMALL_ANSWER = answerBytes(resultText(JSON.parse(SMALL_RESULT)));
export const SMALL_REQUEST = requestBytes('tools/call', {
  params: { name: 'tool_2', arguments: { command: 'show bgp summary', filter: 'established', limit: 100 } },
});

export const SMALL_TRIAL: Trial = { request: SMALL_REQUEST, status: 200, check: checkSmall };

export const SMALL = {
  kinds: [DIRECT, NGINX, HTTP_PROXY, ZE, SPEC, RELAY, MCP_PROXY],
  base: HTTP_PROXY,
  answers: [[SMALL_ANSWER]],
  connections: 32,
  lapMs: 4_000,
  trialsFor: () => [SMALL_TRIAL],
};

/** What the answer to it has to be. */
export const SMALL_EXCHANGE = (port: number) => expectation(port, SMALL_TRIAL);

function checkSmall(body: string): void {
  const { id, result } = JSON.parse(body);
  if (id !== 1 || result?.content?.[0]?.text !== TEXT) throw new Error(`not the result: ${body}`);
}

async function run(run: Run): Promise<Findings> {
  return withEntrants(run, SMALL, async (entrants) => {
    const { standings, table } = await compare(run, entrants, SMALL);
    const timed = await latency(run, entrants, standings, HTTP_PROXY.name);
    const measured = [ZE, SPEC].flatMap(({ name, title }) => [
      ...ratioTo(standings, 'small-cpu', name, HTTP_PROXY.name, title),
      ...ratioTo(standings, 'small-throughput', name, HTTP_PROXY.name, title),
      ...ratioTo(standings, 'small-cpu-nginx', name, NGINX.name, title),
      ...ratioTo(standings, 'small-throughput-mcp-proxy', name, MCP_PROXY.name, title),
      ...one('small-latency', title, timed?.p99.get(name)),
    ]);
    return { tables: [table, ...(timed ? [timed.table] : [])], measured, notes: [] };
  });
}

function ratioTo(
  standings: ReadonlyMap<string, Standing>,
  target: string,
  subject: string,
  base: string,
  of: string,
): Measured[] {
  const figure = target.includes('throughput') ? 'perSecond' : 'cpuMicroseconds';
  return one(target, of, ratio(standings, figure, subject, base));
}

function one(target: string, of: string, value: Spread | undefined): Measured[] {
  return value === undefined ? [] : [{ target, of, value }];
}

export const small: Workload = {
  name: 'small',
  title: 'A small tools/call',
  says: 'A request and a JSON answer of about 500 bytes each, on 32 connections.',
  run,
};
