import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MISBEHAVIOURS, type Misbehaviour } from '../../src/demo/misbehave.js';
import { type DemoUpstream, startDemoUpstream } from '../../src/demo/upstream.js';
import { type Binary, startBinary } from '../support/binary.js';
import { call, callTool, type Received, URL_ONLY } from '../support/client.js';

/** Declares all that a misbehaving ask may need, so that nothing but the one rule is broken. */
const EVERYTHING = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  extensions: { 'io.modelcontextprotocol/tasks': {} },
};

const names = Object.keys(MISBEHAVIOURS) as Misbehaviour[];
const upstreams: DemoUpstream[] = [];
let gateway: Binary;
let folder: string;

/** One route a way to misbehave: `/<way>`. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mrtr-gateway-'));
  const routes = [];
  for (const name of names) {
    const upstream = await startDemoUpstream({ host: '127.0.0.1', port: 0, misbehave: new Set([name]) });
    upstreams.push(upstream);
    const tools = { ze_execute: { elicits: ['command'] } };
    routes.push({ path: `/${name}`, upstream: upstream.url, profile: 'ze', tools });
  }
  const file = join(folder, 'gateway.json');
  await writeFile(file, JSON.stringify({ listen: '127.0.0.1:0', admin: '127.0.0.1:0', routes }));
  gateway = await startBinary(['serve', '--config', file]);
});

afterAll(async () => {
  await gateway?.stop();
  for (const upstream of upstreams) await upstream.close();
  await rm(folder, { recursive: true, force: true });
});

const urlOf = (name: Misbehaviour) => new URL(`/${name}`, gateway.url).href;
const ask = (url: string) => callTool(url, 'ze_execute', {}, { capabilities: EVERYTHING });

function expectRefused(reply: Received, rule: string, status = 200, code = -32603): void {
  expect({ rule: reply.message.error?.data?.rule, status: reply.status }).toEqual({ rule, status });
  expect(reply.message).toMatchObject({ id: 1, error: { code } });
}

const refusedBy =
  (rule: string, status?: number) =>
  async (url: string): Promise<void> =>
    expectRefused(await ask(url), rule, status);

/** What a client sees of each way through the gateway in profile ze. */
const OUTCOMES: Record<Misbehaviour, (url: string) => Promise<void>> = {
  'credential-field': refusedBy('form-asks-no-credential'),
  'nested-form': refusedBy('form-schema-flat'),
  'url-mode': refusedBy('elicitation-well-formed'),
  sampling: refusedBy('input-request-kind-allowed'),
  'two-requests': refusedBy('input-requests-within-limit'),
  'request-state': refusedBy('request-state-issued-none'),
  'task-input-required': refusedBy('task-not-input-required'),
  'server-request': refusedBy('no-server-request'),
  'wrong-id': refusedBy('response-answers-request', 502),
  'unknown-result-type': refusedBy('result-type-known'),
  'removed-code': refusedBy('no-removed-message'),
  'unasked-log': async (url) => {
    const { events, message } = await ask(url);
    expect(events).toHaveLength(1);
    expect(message.result.resultType).toBe('input_required');
  },
  'ignore-capabilities': async (url) =>
    expect((await callTool(url, 'ze_execute')).message.result).toMatchObject({
      content: [{ type: 'text', text: 'missing required argument: command' }],
      isError: true,
    }),
  'list-required-missing': async (url) => {
    const { result } = (await call(url, 'tools/list', { capabilities: URL_ONLY })).message;
    expect(result.tools[0].inputSchema.required).toEqual(['command']);
  },
  'public-list': async (url) =>
    expect((await call(url, 'tools/list')).message.result.cacheScope).toBe('private'),
  'old-version': async (url) =>
    expect((await call(url, 'server/discover')).message.result.supportedVersions).toEqual(['2026-07-28']),
};

describe('each way of misbehaving, behind the gateway in profile ze', () => {
  it.each(names)('%s', async (name) => {
    await OUTCOMES[name](urlOf(name));
  });
});
