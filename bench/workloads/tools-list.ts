/** A long list of tools, passed as it is and with an edit in every tool. */
import { answerBytes, requestBytes, resultText } from '../lab/messages.js';
import type { Trial } from '../lab/race.js';
import { toolsOf } from '../lab/tools.js';
import { gatewayKind } from '../subjects/gateway.js';
import { DIRECT, HTTP_PROXY, NGINX } from '../subjects/peers.js';
import type { SubjectKind } from '../subjects/subject.js';
import { compare, ratio, withEntrants } from './comparison.js';
import type { Findings, Run, Workload } from './workload.js';

const TOOLS = 200;

export function listAnswer(count: number): Uint8Array {
  const list = { resultType: 'complete', tools: toolsOf(count), ttlMs: 3_600_000, cacheScope: 'public' };
  return answerBytes(resultText(list));
}

export const LIST_REQUEST = requestBytes('tools/list');

/** A route whose client may leave out an argument of each tool: none of the lists that names it as required is right. */
export function elicitingRoute(count: number): Readonly<Record<string, unknown>> {
  const names = Array.from({ length: count }, (_, index) => [`tool_${index}`, { elicits: ['command'] }]);
  return { profile: 'spec', tools: Object.fromEntries(names) };
}

const OFF = { 'tools-list-required': 'off', 'list-scope-private': 'off' };
export const REWRITTEN = gatewayKind('rewritten', 'gateway, each tool rewritten', elicitingRoute(TOOLS));
export const UNREWRITTEN = gatewayKind('unrewritten', 'gateway, rewrites off', {
  ...elicitingRoute(TOOLS),
  rewrites: OFF,
});

export function listTrial(rewritten: boolean, count: number): Trial {
  const required = JSON.stringify(rewritten ? ['limit'] : ['command', 'limit']);
  const check = (body: string) => {
    const { tools } = JSON.parse(body).result;
    const right = tools.filter((tool: { inputSchema: { required: unknown } }) => {
      return JSON.stringify(tool.inputSchema.required) === required;
    });
    if (tools.length !== count || right.length !== count) throw new Error(`not the list: ${body}`);
  };
  return { request: LIST_REQUEST, status: 200, check };
}

const LIST = {
  kinds: [DIRECT, NGINX, HTTP_PROXY, UNREWRITTEN, REWRITTEN],
  base: HTTP_PROXY,
  answers: [[listAnswer(TOOLS)]],
  connections: 16,
  lapMs: 3_000,
  trialsFor: (kind: SubjectKind) => [listTrial(kind === REWRITTEN, TOOLS)],
};

async function run(run: Run): Promise<Findings> {
  return withEntrants(run, LIST, async (entrants) => {
    const { standings, table } = await compare(run, entrants, LIST);
    const value = ratio(standings, 'cpuMicroseconds', REWRITTEN.name, UNREWRITTEN.name);
    return { tables: [table], measured: value ? [{ target: 'list-rewritten', value }] : [], notes: [] };
  });
}

export const toolsList: Workload = {
  name: 'tools-list',
  title: 'tools/list with 200 tools',
  says: `A list of ${Math.round(listAnswer(TOOLS).length / 1024)} KiB. Rewritten, an argument of each tool is taken out of \`required\`, and the list is made private.`,
  run,
};
