import { afterEach, describe, expect, it } from 'vitest';
import { type DemoOptions, type DemoUpstream, startDemoUpstream } from '../../src/demo/upstream.js';
import {
  call,
  callTool,
  EventReader,
  FORM,
  open,
  post,
  requestHeaders,
  requestText,
  TASKS,
  URL_ONLY,
} from '../support/client.js';

let ze: DemoUpstream | undefined;

async function start(options: Partial<DemoOptions> = {}): Promise<string> {
  ze = await startDemoUpstream({ host: '127.0.0.1', port: 0, ...options });
  return ze.url;
}

afterEach(async () => {
  await ze?.close();
  ze = undefined;
});

const ASK =
  '{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"ze_execute_command":' +
  '{"method":"elicitation/create","params":{"mode":"form","message":"Which ze command should be run? For example: ' +
  'show bgp summary","requestedSchema":{"type":"object","properties":{"command":{"type":"string","title":"ze command",' +
  '"description":"The ze command to execute, for example \'show bgp peer list\'."}},"required":["command"]}}}}}}';

function answered(answer: unknown) {
  return { capabilities: FORM, params: { inputResponses: { ze_execute_command: answer } } };
}

describe('ze_execute without a command', () => {
  it('asks a form client for it, byte for byte as Ze does', async () => {
    const reply = await callTool(await start(), 'ze_execute', {}, { capabilities: FORM });
    expect(reply.status).toBe(200);
    expect(reply.text).toBe(ASK);
  });

  it.each([
    ['nothing', {}],
    ['only url', URL_ONLY],
    ['an unknown mode', { elicitation: { voice: {} } }],
    ['true', { elicitation: true }],
    ['null', { elicitation: null }],
    ['a list', { elicitation: [] }],
  ])('tells a client that declares %s which argument is missing', async (_, capabilities) => {
    const reply = await callTool(await start(), 'ze_execute', {}, { capabilities });
    expect(reply.message.result).toEqual({
      resultType: 'complete',
      content: [{ type: 'text', text: 'missing required argument: command' }],
      isError: true,
    });
  });

  it('runs the command that the user accepted', async () => {
    const options = answered({ action: 'accept', content: { command: 'show bgp summary' } });
    const { result } = (await callTool(await start(), 'ze_execute', {}, { ...options, id: 2 })).message;
    expect(result.isError).toBe(false);
    expect(result.content[0].text).toContain('BGP router identifier');
  });

  it('tells a decline from a cancel, and asks after neither', async () => {
    const url = await start();
    const declined = await callTool(url, 'ze_execute', {}, answered({ action: 'decline' }));
    const cancelled = await callTool(url, 'ze_execute', {}, answered({ action: 'cancel' }));
    expect(declined.message.result.content[0].text).toContain('declined');
    expect(cancelled.message.result.content[0].text).toContain('cancelled');
  });

  it.each([
    ['an empty map', {}],
    ['another key', { other: { action: 'decline' } }],
    ['no content', { ze_execute_command: { action: 'accept' } }],
  ])('asks again after %s', async (_, inputResponses) => {
    const options = { capabilities: FORM, params: { inputResponses } };
    expect((await callTool(await start(), 'ze_execute', {}, options)).text).toBe(ASK);
  });
});

describe('the tool list', () => {
  it('leaves command out of required for a form client, and names it for the others', async () => {
    const url = await start();
    const required = async (capabilities: unknown) =>
      (await call(url, 'tools/list', { capabilities })).message.result.tools[0].inputSchema.required;
    expect(await required(FORM)).toBeUndefined();
    expect(await required({ elicitation: {} })).toBeUndefined();
    expect(await required(URL_ONLY)).toEqual(['command']);
    expect(await required({})).toEqual(['command']);
  });

  it('may not be shared between callers', async () => {
    expect((await call(await start(), 'tools/list')).message.result).toMatchObject({
      ttlMs: 60_000,
      cacheScope: 'private',
    });
  });
});

describe('what the stand-in refuses', () => {
  const sentence =
    'invalid params: params.requestState is not accepted; this server issues no requestState, so a retry must not carry one';

  it.each(['tools/call', 'tools/list', 'server/discover', 'tasks/get', 'no/such'])(
    'a requestState on %s',
    async (method) => {
      const params = { name: 'ze_execute', taskId: 't', requestState: '' };
      const headers = { 'mcp-name': method === 'tasks/get' ? 't' : 'ze_execute' };
      const reply = await call(await start(), method, { params, headers });
      expect(reply.status).toBe(400);
      expect(reply.message.error).toEqual({ code: -32602, message: sentence });
    },
  );

  it.each([
    ['a missing version header', { 'mcp-protocol-version': undefined }, 400, -32020],
    ['another version in the header', { 'mcp-protocol-version': '2025-11-25' }, 400, -32020],
    ['another method in the header', { 'mcp-method': 'tools/list' }, 400, -32020],
    ['another name in the header', { 'mcp-name': 'other' }, 400, -32020],
    ['another content type', { 'content-type': 'text/plain' }, 415, -32600],
    ['a browser', { origin: 'https://example.com' }, 403, -32600],
  ])('%s', async (_, headers, status, code) => {
    const reply = await callTool(await start(), 'ze_execute', {}, { headers });
    expect([reply.status, reply.message.error.code]).toEqual([status, code]);
  });

  it('an earlier revision, naming the one it speaks', async () => {
    const old = '2025-11-25';
    const reply = await call(await start(), 'tools/list', {
      headers: { 'mcp-protocol-version': old },
      meta: { 'io.modelcontextprotocol/protocolVersion': old },
    });
    expect(reply.status).toBe(400);
    expect(reply.message.error).toMatchObject({
      code: -32022,
      data: { supported: ['2026-07-28'], requested: old },
    });
  });

  it('a legacy handshake, naming the revision it speaks', async () => {
    const body = '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}';
    const reply = await post(await start(), body, { 'content-type': 'application/json' });
    expect(reply.message).toMatchObject({
      id: 0,
      error: { code: -32022, data: { requested: '2025-06-18' } },
    });
  });

  it.each([
    ['no JSON', '{"jsonrpc"', -32700],
    ['a batch', '[]', -32600],
    ['a null id', '{"jsonrpc":"2.0","id":null,"method":"tools/list"}', -32600],
    ['no metadata', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', -32602],
  ])('%s', async (_, body, code) => {
    const reply = await post(await start(), body, requestHeaders('tools/list'));
    expect([reply.status, reply.message.error.code]).toEqual([400, code]);
  });

  it('a method and a tool that it does not have', async () => {
    const url = await start();
    const method = await call(url, 'prompts/list');
    expect([method.status, method.message.error.code]).toEqual([404, -32601]);
    const tool = await callTool(url, 'constructor');
    expect([tool.status, tool.message.error.code]).toEqual([400, -32602]);
  });

  it('another path, and another verb', async () => {
    const url = await start();
    expect((await fetch(`${url}/x`)).status).toBe(404);
    const get = await fetch(url);
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

it('takes a notification without a word', async () => {
  const body = '{"jsonrpc":"2.0","method":"notifications/cancelled"}';
  const reply = await post(await start(), body, { 'content-type': 'application/json' });
  expect([reply.status, reply.text]).toEqual([202, '']);
});

it('answers with the very digits of the id', async () => {
  const body = requestText('server/discover').replace('"id":1', '"id":9007199254740993');
  expect((await post(await start(), body, requestHeaders('server/discover'))).text).toContain(
    '"id":9007199254740993,',
  );
});

it('says who it is and what it speaks', async () => {
  const { result } = (await call(await start(), 'server/discover', { id: 'd' })).message;
  expect(result).toMatchObject({
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: { listChanged: true }, extensions: { 'io.modelcontextprotocol/tasks': {} } },
    cacheScope: 'public',
  });
});

describe('a subscription', () => {
  const listen = { id: 's', params: { notifications: { toolsListChanged: true, promptsListChanged: true } } };
  const tag = { 'io.modelcontextprotocol/subscriptionId': 's' };

  it('is acknowledged first, tells of a reload, and ends with its closing result', async () => {
    const url = await start();
    const events = new EventReader(await open(url, 'subscriptions/listen', listen));
    expect(await events.nextMessage()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { _meta: tag, notifications: { toolsListChanged: true } },
    });
    await callTool(url, 'ze_execute', { command: 'Daemon  reload' });
    expect(await events.nextMessage()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/tools/list_changed',
      params: { _meta: tag },
    });
    await ze?.close();
    expect(await events.nextMessage()).toEqual({
      jsonrpc: '2.0',
      id: 's',
      result: { resultType: 'complete', _meta: tag },
    });
    expect(await events.next()).toBeUndefined();
  });

  it('keeps an idle stream alive with comments', async () => {
    const events = new EventReader(
      await open(await start({ keepAliveMs: 1 }), 'subscriptions/listen', listen),
    );
    await events.next();
    expect(await events.next()).toBe(':');
    await events.leave();
  });
});

describe('the long task', () => {
  const tasks = { capabilities: TASKS };
  const get = (url: string, taskId: string) => call(url, 'tasks/get', { ...tasks, params: { taskId } });

  it('works, then completes with the result of the call, and never asks', async () => {
    let now = Date.parse('2026-08-01T00:00:00Z');
    const url = await start({ now: () => now });
    const created = (await callTool(url, 'ze_rib_dump', {}, tasks)).message.result;
    expect(created).toMatchObject({
      resultType: 'task',
      status: 'working',
      createdAt: '2026-08-01T00:00:00.000Z',
    });
    expect((await get(url, created.taskId)).message.result).toMatchObject({
      resultType: 'complete',
      status: 'working',
    });
    now += 2_000;
    const completed = (await get(url, created.taskId)).message.result;
    expect(completed).toMatchObject({ status: 'completed', result: { isError: false } });
    expect(completed.result.content[0].text).toContain('203.0.113.0/24');
    await call(url, 'tasks/cancel', { ...tasks, params: { taskId: created.taskId } });
    expect((await get(url, created.taskId)).message.result.status).toBe('completed');
  });

  it('can be cancelled while it works', async () => {
    const url = await start({ now: () => 0 });
    const { taskId } = (await callTool(url, 'ze_rib_dump', {}, tasks)).message.result;
    const cancelled = await call(url, 'tasks/cancel', { ...tasks, params: { taskId } });
    expect(cancelled.message.result).toEqual({ resultType: 'complete' });
    expect((await get(url, taskId)).message.result.status).toBe('cancelled');
  });

  it('is unknown once its time to live is over and another begins', async () => {
    let now = 0;
    const url = await start({ now: () => now });
    const { taskId } = (await callTool(url, 'ze_rib_dump', {}, tasks)).message.result;
    now += 600_000;
    await callTool(url, 'ze_rib_dump', {}, tasks);
    expect((await get(url, taskId)).message.error.code).toBe(-32602);
  });

  it('is for clients that declare tasks alone; others get the result at once', async () => {
    const url = await start();
    expect((await callTool(url, 'ze_rib_dump')).message.result.resultType).toBe('complete');
    const refused = await call(url, 'tasks/get', { params: { taskId: 't' } });
    expect(refused.message.error).toMatchObject({ code: -32021, data: { requiredCapabilities: TASKS } });
  });

  it('reports progress on a stream to a client that gave a token instead', async () => {
    const reply = await callTool(await start(), 'ze_rib_dump', {}, { meta: { progressToken: 7 } });
    const events = reply.events.map((event) => JSON.parse(event));
    expect(events.map(({ params }) => params?.progress)).toEqual([1, 2, 3, undefined]);
    expect(events[0].params.progressToken).toBe(7);
    expect(events.at(-1)).toMatchObject({ id: 1, result: { resultType: 'complete', isError: false } });
  });
});

it.each(['show bgp summary', 'show bgp peer list', 'show bgp rib', 'show version'])(
  'prints the same for %s each time',
  async (command) => {
    const url = await start();
    const run = async () => (await callTool(url, 'ze_execute', { command })).message.result.content[0].text;
    expect(await run()).toBe(await run());
  },
);
