/** What the gateway does not let through, and what it costs to say so. */
import { answerBytes, requestBytes } from '../lab/messages.js';
import type { Trial } from '../lab/race.js';
import { SPEC, ZE } from '../subjects/gateway.js';
import { DIRECT, HTTP_PROXY, NGINX } from '../subjects/peers.js';
import type { SubjectKind } from '../subjects/subject.js';
import { compare, withEntrants } from './comparison.js';
import type { Findings, Run, Table, Workload } from './workload.js';

const params = { name: 'tool_2', arguments: { command: 'show bgp summary' } };

interface Refused {
  readonly title: string;
  readonly request: Uint8Array;
  readonly status: number;
}

const REFUSED: readonly Refused[] = [
  {
    title: 'Another origin, refused before the body is read',
    request: requestBytes('tools/call', { params, headers: { origin: 'https://elsewhere.example' } }),
    status: 403,
  },
  {
    title: 'A header that names another tool than the body',
    request: requestBytes('tools/call', { params, headers: { 'mcp-name': 'tool_3' } }),
    status: 400,
  },
  {
    title: 'A forged state',
    request: requestBytes('tools/call', { params: { ...params, requestState: 'forged' } }),
    status: 400,
  },
];

/** A server that refuses as fast as it can, for those that refuse nothing themselves. */
const ANSWER = [REFUSED[0], REFUSED[1]].map((refused) => {
  const error = { code: -32_600, message: 'refused by the server' };
  return [answerBytes(JSON.stringify({ jsonrpc: '2.0', id: 1, error }), refused?.status)];
});

function trial({ request, status }: Refused): Trial {
  const check = (body: string) => {
    if (JSON.parse(body).error === undefined) throw new Error(`not a refusal: ${body}`);
  };
  return { request, status, check };
}

function contest(refused: Refused) {
  return {
    kinds: [DIRECT, NGINX, HTTP_PROXY, ZE, SPEC],
    base: HTTP_PROXY,
    answers: refused.status === 403 ? ANSWER.slice(0, 1) : ANSWER.slice(1),
    connections: 32,
    lapMs: 2_000,
    trialsFor: (_kind: SubjectKind) => [trial(refused)],
  };
}

async function run(run: Run): Promise<Findings> {
  const tables: Table[] = [];
  for (const refused of REFUSED) {
    const order = contest(refused);
    const { table } = await withEntrants(run, order, (entrants) => compare(run, entrants, order));
    tables.push({ ...table, caption: refused.title });
  }
  return { tables, measured: [], notes: [] };
}

export const refusals: Workload = {
  name: 'refusals',
  title: 'Refusals',
  says: 'Requests that break a rule. Behind the proxies that look at nothing the upstream refuses, with prepared bytes.',
  run,
};
