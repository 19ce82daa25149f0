import {
  Client,
  type ClientOptions,
  ProtocolError,
  SdkHttpError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startFixture } from '../conformance/fixture.js';
import { type Binary, startServe } from '../support/binary.js';
import type { FetchServer } from '../support/fetch-server.js';
import {
  errorReply,
  type Reply,
  resultReply,
  sseEvent,
  sseReply,
  startUpstream,
  type Upstream,
  type UpstreamRequest,
} from '../support/upstream.js';

type Answer = { action: 'accept'; content: Record<string, string> } | { action: 'decline' | 'cancel' };

const FORM = { elicitation: { form: {} } };
const clients: Client[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

/** A client that gives these answers in turn; `asked` collects what it was asked. */
async function connect(
  url: string,
  answers: Answer[] = [],
  capabilities: ClientOptions['capabilities'] = FORM,
) {
  const client = new Client(
    { name: 'official', version: '1' },
    { capabilities: capabilities ?? {}, versionNegotiation: { mode: 'auto' } },
  );
  const asked: unknown[] = [];
  if (capabilities?.elicitation !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params);
      return answers.shift() ?? { action: 'cancel' };
    });
  clients.push(client);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return { client, asked };
}

const textOf = (result: { content: readonly { type: string }[] }) => {
  const [first] = result.content as readonly { type: string; text?: string }[];
  return first?.text;
};

describe('in front of a server built on the official package, in profile spec', () => {
  let fixture: FetchServer;
  let gateway: Binary;
  const greet = { name: 'test_input_required_result_elicitation', arguments: {} };

  beforeAll(async () => {
    fixture = await startFixture();
    gateway = await startServe(fixture.url, '--profile', 'spec');
  });
  afterAll(async () => {
    await gateway?.stop();
    await fixture?.close();
  });

  it('negotiates the revision', async () => {
    const { client } = await connect(gateway.url);
    expect(client.getProtocolEra()).toBe('modern');
  });

  it('completes a call that the user answers', async () => {
    const { client, asked } = await connect(gateway.url, [{ action: 'accept', content: { name: 'Ada' } }]);
    expect(textOf(await client.callTool(greet))).toBe('Hello, Ada!');
    expect(asked).toMatchObject([{ message: 'What is your name?' }]);
  });

  it.each(['decline', 'cancel'] as const)(
    'completes a call that the user answers with %s',
    async (action) => {
      const { client, asked } = await connect(gateway.url, [{ action }]);
      expect(textOf(await client.callTool(greet))).toBe(`Not greeted: ${action}`);
      expect(asked).toHaveLength(1);
    },
  );

  it('completes a call of two rounds, each with its state', async () => {
    const { client, asked } = await connect(gateway.url, [
      { action: 'accept', content: { name: 'Ada' } },
      { action: 'accept', content: { color: 'blue' } },
    ]);
    const result = await client.callTool({ name: 'test_input_required_result_multi_round', arguments: {} });
    expect(textOf(result)).toBe('Both rounds are done');
    expect(asked).toHaveLength(2);
  });

  it('completes prompts/get', async () => {
    const { client, asked } = await connect(gateway.url, [{ action: 'accept', content: { context: 'BGP' } }]);
    const { messages } = await client.getPrompt({ name: 'test_input_required_result_prompt' });
    expect(messages[0]?.content).toEqual({ type: 'text', text: 'Context: BGP' });
    expect(asked).toHaveLength(1);
  });

  it('receives progress while it waits', async () => {
    const { client } = await connect(gateway.url);
    const seen: number[] = [];
    await client.callTool(
      { name: 'test_tool_with_progress', arguments: {} },
      { onprogress: ({ progress }) => seen.push(progress) },
    );
    expect(seen).toEqual([0, 50, 100]);
  });

  it("surfaces the server's own refusal of a tampered state", async () => {
    const { client } = await connect(gateway.url);
    const params = {
      name: 'test_input_required_result_tampered_state',
      arguments: {},
      requestState: 'forged',
    };
    const refused = await client.request({ method: 'tools/call', params }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ProtocolError);
    expect(refused).toMatchObject({ code: -32602 });
  });
});

describe('in front of a server that breaks the rules, in profile ze', () => {
  let upstream: Upstream;
  let gateway: Binary;
  let reply: (request: UpstreamRequest) => Reply;

  beforeAll(async () => {
    upstream = await startUpstream((request) => {
      const { method } = request.json();
      if (method === 'server/discover')
        return resultReply(request, {
          resultType: 'complete',
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {} },
          ttlMs: 0,
          cacheScope: 'private',
        });
      return method === 'tools/call'
        ? reply(request)
        : errorReply(request, 404, { code: -32601, message: 'no' });
    });
    gateway = await startServe(upstream.url, '--profile', 'ze', '--elicits', 'ze_execute=command');
  });
  afterAll(async () => {
    await gateway?.stop();
    await upstream?.close();
  });

  const ask = (field = 'command', more: object = {}) => ({
    resultType: 'input_required',
    inputRequests: {
      ask: {
        method: 'elicitation/create',
        params: {
          mode: 'form',
          message: 'Which one?',
          requestedSchema: { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] },
        },
      },
    },
    ...more,
  });

  async function outcome(tool: string, capabilities: ClientOptions['capabilities'] = FORM) {
    const { client, asked } = await connect(gateway.url, [], capabilities);
    const settled = await client.callTool({ name: tool, arguments: {} }).catch((error: unknown) => error);
    expect(asked).toEqual([]);
    return settled;
  }

  const message = (request: UpstreamRequest, result: unknown) => ({
    jsonrpc: '2.0',
    id: request.json().id,
    result,
  });
  const progress = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: '' } };

  it.each<[string, string, (request: UpstreamRequest) => Reply]>([
    ['a form that asks for a credential', 'form-asks-no-credential', (r) => resultReply(r, ask('api_key'))],
    [
      'the same at the end of a stream',
      'form-asks-no-credential',
      (r) => sseReply([sseEvent(progress), sseEvent(message(r, ask('api_key')))]),
    ],
    [
      'a request of the server on the stream',
      'no-server-request',
      (r) =>
        sseReply([
          sseEvent({ jsonrpc: '2.0', id: 's', method: 'roots/list', params: {} }),
          sseEvent(message(r, ask())),
        ]),
    ],
    [
      'a state that no retry could carry back',
      'request-state-issued-none',
      (r) => resultReply(r, ask('command', { requestState: 'opaque' })),
    ],
    [
      'a kind that Ze never asks for',
      'input-request-kind-allowed',
      (r) =>
        resultReply(r, {
          resultType: 'input_required',
          inputRequests: { roots: { method: 'roots/list', params: {} } },
        }),
    ],
    ['a result type that nobody knows', 'result-type-known', (r) => resultReply(r, { resultType: 'later' })],
  ])('throws a typed error with code and data for %s', async (_, rule, answer) => {
    reply = answer;
    const refused = await outcome('other_tool');
    expect(refused).toBeInstanceOf(ProtocolError);
    expect(refused).toMatchObject({ code: -32603, data: { rule } });
  });

  it('throws a typed error at once for an answer with another id, instead of waiting', async () => {
    reply = (request) => resultReply(request, { resultType: 'complete', content: [] });
    const honest = reply;
    reply = (request) => {
      const { body } = honest(request) as { body: string };
      return {
        headers: { 'content-type': 'application/json' },
        body: body.replace(/"id":\d+/, '"id":"other"'),
      };
    };
    const refused = await outcome('other_tool');
    expect(refused).toBeInstanceOf(SdkHttpError);
    const { status, text } = (refused as SdkHttpError).data;
    expect(status).toBe(502);
    expect(JSON.parse(String(text))).toMatchObject({
      error: { code: -32603, data: { rule: 'response-answers-request' } },
    });
  });

  it('throws a typed error that names the capability which an ask needs', async () => {
    reply = (request) => resultReply(request, ask());
    const refused = await outcome('other_tool', {});
    expect(refused).toBeInstanceOf(ProtocolError);
    expect(refused).toMatchObject({ code: -32021, data: { requiredCapabilities: FORM } });
  });

  it('gets the error of the tool itself where the missing argument is known', async () => {
    reply = (request) => resultReply(request, ask());
    expect(await outcome('ze_execute', {})).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'missing required argument: command' }],
    });
  });

  it('throws a typed error for a state that it sends, and the upstream never sees it', async () => {
    const before = upstream.requests.length;
    const { client } = await connect(gateway.url);
    const params = { name: 'ze_execute', arguments: {}, requestState: 'mine' };
    const refused = await client.request({ method: 'tools/call', params }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ProtocolError);
    expect(refused).toMatchObject({ code: -32602, data: { rule: 'request-state-accepted' } });
    const seen = upstream.requests.slice(before).map((request) => request.json().method);
    expect(seen).toEqual(['server/discover']);
  });
});
