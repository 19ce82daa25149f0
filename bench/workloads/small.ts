/** The exchange that every other is compared with: a small tools/call. */
import { answerBytes, requestBytes, resultText } from '../lab/messages.js';
import { RELAY, SPEC, ZE } from '../subjects/gateway.js';
import { DIRECT, HTTP_PROXY, MCP_PROXY, NGINX } from '../subjects/peers.js';
import { compare, ratio, withEntrants } from './comparison.js';
import type { Findings, Measured, Run, Workload } from './workload.js';

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

export const SMALL = {
  kinds: [DIRECT, NGINX, HTTP_PROXY, ZE, SPEC, RELAY, MCP_PROXY],
  base: HTTP_PROXY,
  answers: [[SMALL_ANSWER]],
  connections: 32,
  lapMs: 4_000,
  trialsFor: () => [{ request: SMALL_REQUEST, status: 200, check: checkSmall }],
};

function checkSmall(body: string): void {
  const { id, result } = JSON.parse(body);
  if (id !== 1 || result?.content?.[0]?.text !== TEXT) throw new Error(`not the result: ${body}`);
}

async function run(run: Run): Promise<Findings> {
  return withEntrants(run, SMALL, async (entrants) => {
    const { standings, table } = await compare(run, entrants, SMALL);
    const measured: Measured[] = [];
    const add = (
      target: string,
      ...of: Parameters<typeof ratio> extends [unknown, ...infer R] ? R : never
    ) => {
      const value = ratio(standings, ...of);
      if (value !== undefined) measured.push({ target, value });
    };
    add('small-cpu', 'cpuMicroseconds', 'spec', 'http-proxy');
    add('small-throughput', 'perSecond', 'spec', 'http-proxy');
    add('small-cpu-nginx', 'cpuMicroseconds', 'spec', 'nginx');
    add('small-throughput-mcp-proxy', 'perSecond', 'spec', 'mcp-proxy');
    return { tables: [table], measured, notes: [] };
  });
}

export const small: Workload = {
  name: 'small',
  title: 'A small tools/call',
  says: 'A request and a JSON answer of about 500 bytes each.',
  run,
};
