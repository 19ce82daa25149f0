import { afterEach, describe, expect, it } from 'vitest';
import { isMisbehaviour, MISBEHAVIOURS, type Misbehaviour } from '../../src/demo/misbehave.js';
import { type DemoUpstream, startDemoUpstream } from '../../src/demo/upstream.js';
import { call, callTool, FORM, type Received, TASKS } from '../support/client.js';

let ze: DemoUpstream | undefined;
afterEach(async () => {
  await ze?.close();
  ze = undefined;
});

async function start(...misbehave: Misbehaviour[]): Promise<string> {
  ze = await startDemoUpstream({ host: '127.0.0.1', port: 0, misbehave: new Set(misbehave) });
  return ze.url;
}

const ask = (url: string) => callTool(url, 'ze_execute', {}, { capabilities: { ...FORM, ...TASKS } });
const entry = (reply: Received) => reply.message.result.inputRequests.ze_execute_command;

/** What each way shows of itself in the reply to an ask; every way stands here. */
const SHOWS: Record<Misbehaviour, (url: string) => Promise<void>> = {
  'credential-field': async (url) =>
    expect(Object.keys(entry(await ask(url)).params.requestedSchema.properties)).toEqual([
      'command',
      'api_key',
    ]),
  'nested-form': async (url) =>
    expect(entry(await ask(url)).params.requestedSchema.properties.options.type).toBe('object'),
  'url-mode': async (url) => expect(entry(await ask(url)).params.mode).toBe('url'),
  sampling: async (url) => expect(entry(await ask(url)).method).toBe('sampling/createMessage'),
  'two-requests': async (url) =>
    expect(Object.keys((await ask(url)).message.result.inputRequests)).toEqual([
      'ze_execute_command',
      'ze_execute_again',
    ]),
  'request-state': async (url) => expect((await ask(url)).message.result.requestState).toBe('ze-demo-state'),
  'task-input-required': async (url) => {
    const { result } = (await ask(url)).message;
    expect(result).toMatchObject({ resultType: 'task', status: 'input_required' });
    const report = await call(url, 'tasks/get', { capabilities: TASKS, params: { taskId: result.taskId } });
    expect(report.message.result).toMatchObject({
      status: 'input_required',
      inputRequests: expect.any(Object),
    });
  },
  'server-request': async (url) => {
    const [first, last] = (await ask(url)).events.map((event) => JSON.parse(event));
    expect(first).toMatchObject({ id: 'ze-demo-1', method: 'elicitation/create' });
    expect(last).toMatchObject({ id: 1, result: { resultType: 'input_required' } });
  },
  'unasked-log': async (url) => {
    const [first, last] = (await ask(url)).events.map((event) => JSON.parse(event));
    expect(first.method).toBe('notifications/message');
    expect(last).toMatchObject({ id: 1, result: { resultType: 'input_required' } });
  },
  'wrong-id': async (url) => expect((await ask(url)).message.id).toBe('ze-demo-unknown'),
  'unknown-result-type': async (url) =>
    expect((await ask(url)).message.result).toEqual({ resultType: 'ask_again_later' }),
  'removed-code': async (url) => expect((await ask(url)).message.error.code).toBe(-32042),
  'ignore-capabilities': async (url) =>
    expect((await callTool(url, 'ze_execute')).message.result.resultType).toBe('input_required'),
  'list-required-missing': async (url) =>
    expect((await call(url, 'tools/list')).message.result.tools[0].inputSchema).not.toHaveProperty(
      'required',
    ),
  'public-list': async (url) =>
    expect((await call(url, 'tools/list')).message.result.cacheScope).toBe('public'),
  'old-version': async (url) =>
    expect((await call(url, 'server/discover')).message.result.supportedVersions).toContain('2025-11-25'),
};

describe('each way of misbehaving', () => {
  it.each(Object.entries(SHOWS))('%s shows on the wire', async (name, shows) => {
    if (!isMisbehaviour(name)) throw new Error('no such way');
    await shows(await start(name));
  });

  it('says what it does', () => {
    for (const { says } of Object.values(MISBEHAVIOURS)) expect(says).toMatch(/^\S.+[^.]$/);
  });
});

it('combines ways in the order in which they are given', async () => {
  const { result } = (await ask(await start('credential-field', 'request-state', 'two-requests'))).message;
  expect(Object.keys(result.inputRequests)).toHaveLength(2);
  expect(result.requestState).toBe('ze-demo-state');
  expect(result.inputRequests.ze_execute_again.params.requestedSchema.properties).toHaveProperty('api_key');
});

it('does not ask from a task when the client knows no tasks', async () => {
  const url = await start('task-input-required');
  const reply = await callTool(url, 'ze_execute', {}, { capabilities: FORM });
  expect(reply.message.result.resultType).toBe('input_required');
});

it('knows its own names alone', () => {
  expect(isMisbehaviour('sampling')).toBe(true);
  expect(isMisbehaviour('constructor')).toBe(false);
});
