import { describe, expect, it } from 'vitest';
import { call, callTool, FORM, TASKS, URL_ONLY } from '../support/client.js';
import { type Gateway, type GatewayConfig, startPair } from '../support/pair.js';
import { type HttpReply, jsonReply, sseEvent, sseReply } from '../support/upstream.js';

const FORM_REQUEST = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Which command?',
    requestedSchema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
  },
};
const ASKS = {
  jsonrpc: '2.0',
  id: 1,
  result: { resultType: 'input_required', inputRequests: { command: FORM_REQUEST } },
};
const ZE = { profile: 'ze', tools: { ze_execute: { elicits: ['command'] } } };

/** The same message as a JSON body and as the only event of a stream. */
const SHAPES: readonly (readonly [string, (message: unknown) => HttpReply])[] = [
  ['as JSON', (message) => jsonReply(message)],
  ['as a stream', (message) => sseReply([sseEvent(message)])],
];

function found({ told }: Gateway) {
  return told
    .filter(({ event }) => event === 'decided')
    .flatMap(({ args }) => (args[3] as { findings: { rule: { id: string }; severity: string }[] }).findings)
    .map(({ rule, severity }) => `${rule.id} ${severity}`);
}

describe.each(SHAPES)('an input request to a client that cannot be asked, %s', (_, shape) => {
  const start = (config: GatewayConfig) => startPair(() => shape(ASKS), config);
  const REFUSED = {
    jsonrpc: '2.0',
    id: 1,
    error: {
      code: -32021,
      message: expect.any(String),
      data: {
        rule: 'input-request-declared',
        spec: expect.stringMatching(/^https:\/\/modelcontextprotocol\.io\/specification\/2026-07-28\//),
        at: '/result/inputRequests/command',
        requiredCapabilities: { elicitation: { form: {} } },
      },
    },
  };

  it.each([
    ['nothing', {}],
    ['only url', URL_ONLY],
    ['null', { elicitation: null }],
    ['true', { elicitation: true }],
    ['a list', { elicitation: [] }],
    ['only an unknown mode', { elicitation: { voice: {} } }],
    ['a form that is null', { elicitation: { form: null } }],
  ])('is a missing capability, or the tool’s own error: declared %s', async (__, capabilities) => {
    const plain = await start({});
    const refused = await callTool(plain.url, 'ze_execute', {}, { capabilities });
    expect(refused.status).toBe(400);
    expect(refused.message).toEqual(REFUSED);
    expect(await plain.gateway.ended(0)).toMatchObject({ outcome: 'refused_outbound', status: 400 });

    const configured = await start({ route: ZE });
    const told = await callTool(configured.url, 'ze_execute', {}, { capabilities });
    expect(told.status).toBe(200);
    expect(told.message).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {
        resultType: 'complete',
        content: [{ type: 'text', text: 'missing required argument: command' }],
        isError: true,
      },
    });
    expect(await configured.gateway.ended(0)).toMatchObject({ outcome: 'refused_outbound', status: 200 });
    expect(found(configured.gateway)).toContain('input-request-declared enforce');
  });

  it('is answered at status 200 where the configuration says so', async () => {
    const { url } = await start({ route: { capabilityErrorStatus: 200 } });
    const { status, message } = await callTool(url, 'ze_execute');
    expect(status).toBe(200);
    expect(message).toEqual(REFUSED);
  });

  it('is a missing capability where the tool says nothing of its own', async () => {
    const tools = { ze_execute: { elicits: ['command'], toolError: false } };
    const { url } = await start({ route: { profile: 'ze', tools } });
    const { status, message } = await callTool(url, 'ze_execute');
    expect([status, message]).toEqual([400, REFUSED]);
  });

  it('is a missing capability where the argument is not missing, or another tool was called', async () => {
    for (const [name, args] of [
      ['ze_execute', { command: '' }],
      ['ze_other', {}],
    ] as const) {
      const { url } = await start({ route: ZE });
      expect((await callTool(url, name, args)).message.error.code).toBe(-32021);
    }
  });

  it('names every argument that is missing', async () => {
    const tools = { ze_execute: { elicits: ['command', 'peer', 'constructor'] } };
    const { url } = await start({ route: { tools } });
    const { message } = await callTool(url, 'ze_execute', { peer: null });
    expect(message.result.content[0].text).toBe('missing required argument: command, constructor');
  });
});

describe('an input request to a client that can be asked', () => {
  const text = JSON.stringify(ASKS)
    .replace('"Which', ' "\\u0057hich')
    .replace('"required"', '"x-n":1.0,"required"');

  it.each([
    ['form', FORM],
    ['an empty object', { elicitation: {} }],
  ])('passes byte for byte: declared %s', async (_, capabilities) => {
    const { gateway, url } = await startPair(() => jsonReply(text), { route: { tools: ZE.tools } });
    const got = await callTool(url, 'ze_execute', {}, { capabilities });
    expect([got.status, got.text]).toEqual([200, text]);
    expect(await gateway.ended(0)).toMatchObject({ outcome: 'input_required', status: 200 });
  });
});

describe('a rule that is broken by the server', () => {
  const STATE = { jsonrpc: '2.0', id: 1, result: { resultType: 'input_required', requestState: 's' } };
  const config = (more: Record<string, unknown>) => ({ route: { requestState: 'forbid', ...more } });

  it.each(SHAPES)('is the server’s fault at status 200, %s', async (_, shape) => {
    const { gateway, url } = await startPair(() => shape(STATE), config({}));
    const { status, message } = await callTool(url, 'echo', {}, { capabilities: FORM });
    expect(status).toBe(200);
    expect(message.error).toMatchObject({
      code: -32603,
      data: { rule: 'request-state-issued-none', at: '/result/requestState' },
    });
    expect(found(gateway)).toContain('request-state-issued-none enforce');
  });

  it('passes where the rule only reports, and is counted', async () => {
    const { gateway, url } = await startPair(
      () => jsonReply(STATE),
      config({ rules: { 'request-state-issued-none': 'report' } }),
    );
    const got = await callTool(url, 'echo', {}, { capabilities: FORM });
    expect([got.status, got.message]).toEqual([200, STATE]);
    expect(found(gateway)).toContain('request-state-issued-none report');
  });

  it('passes unseen where the rule is off', async () => {
    const { gateway, url } = await startPair(
      () => jsonReply(STATE),
      config({ rules: { 'request-state-issued-none': 'off' } }),
    );
    expect((await callTool(url, 'echo', {}, { capabilities: FORM })).message).toEqual(STATE);
    expect(found(gateway)).toEqual([]);
  });
});

describe('a route that only reports', () => {
  const LIST =
    '{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"ze_execute","inputSchema":{"type":"object","properties":{"command":{}},"required":["command"]}}],"ttlMs":1.0,"cacheScope":"public"}}';

  it('changes nothing of a tool list', async () => {
    const { gateway, url } = await startPair(() => jsonReply(LIST), { route: { ...ZE, mode: 'report' } });
    for (const capabilities of [FORM, {}])
      expect((await call(url, 'tools/list', { capabilities })).text).toBe(LIST);
    expect(gateway.told.filter(({ event }) => event === 'rewrote')).toEqual([]);
  });

  it('lets what others refuse pass both ways, and counts it', async () => {
    const { gateway, upstream, url } = await startPair(() => jsonReply(ASKS), {
      route: { ...ZE, mode: 'report' },
    });
    const got = await callTool(
      url,
      'ze_execute',
      {},
      { params: { requestState: 's' }, headers: { 'mcp-name': 'other' } },
    );
    expect([got.status, got.message]).toEqual([200, ASKS]);
    expect((await upstream.request(0)).json().params?.requestState).toBe('s');
    expect(found(gateway)).toEqual([
      'headers-match-body report',
      'request-state-accepted report',
      'input-request-declared report',
    ]);
    expect(await gateway.ended(0)).toMatchObject({ outcome: 'input_required', status: 200 });
  });

  it('refuses what cannot be judged otherwise', async () => {
    const { url } = await startPair(() => jsonReply({ ...ASKS, id: 2 }), { route: { mode: 'report' } });
    expect((await callTool(url, 'echo')).message.error.data.rule).toBe('response-answers-request');
    const odd = await callTool(url, 'echo', {}, { headers: { 'content-type': 'text/plain' } });
    expect(odd.status).toBe(415);
  });

  it('enforces single rules', async () => {
    const { url } = await startPair(() => jsonReply(ASKS), {
      route: { mode: 'report', rules: { 'input-request-declared': 'enforce' } },
    });
    expect((await callTool(url, 'ze_execute')).status).toBe(400);
  });
});

describe('how an exchange ended', () => {
  it.each([
    ['ok', { resultType: 'complete', content: [] }, {}],
    ['tool_error', { resultType: 'complete', content: [], isError: true }, {}],
    ['input_required', ASKS.result, FORM],
    [
      'ok',
      {
        resultType: 'task',
        taskId: 't',
        status: 'working',
        createdAt: '2026-07-28T00:00:00Z',
        lastUpdatedAt: '2026-07-28T00:00:00Z',
        ttlMs: null,
      },
      TASKS,
    ],
  ] as const)('is told: %s', async (outcome, result, capabilities) => {
    const { gateway, url } = await startPair(() => jsonReply({ jsonrpc: '2.0', id: 1, result }));
    await callTool(url, 'echo', {}, { capabilities });
    expect(await gateway.ended(0)).toMatchObject({ outcome, status: 200 });
  });

  it('is told as an error whatever its status', async () => {
    for (const status of [200, 400, 404]) {
      const error = { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'x' } };
      const { gateway, url } = await startPair(() => jsonReply(error, { status }));
      await callTool(url, 'echo');
      expect(await gateway.ended(0)).toMatchObject({ outcome: 'rpc_error', status });
    }
  });
});
