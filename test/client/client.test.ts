import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Client, type ClientOptions, createClient } from '../../src/client/client.js';
import { outcomeOf } from '../../src/client/outcome.js';
import {
  errorReply,
  jsonReply,
  type Reply,
  type ReplyFunction,
  resultReply,
  sseEvent,
  sseReply,
  startUpstream,
  type Upstream,
} from '../support/upstream.js';

const DONE = { resultType: 'complete' };

async function pair(
  reply: ReplyFunction,
  options: Partial<ClientOptions> = {},
): Promise<{ client: Client; upstream: Upstream }> {
  const upstream = await startUpstream(reply);
  onTestFinished(() => upstream.close());
  return { upstream, client: createClient({ url: new URL(upstream.url), ...options }) };
}

describe('a request', () => {
  it('says in its fields what its body says, and in _meta who asks and what they can do', async () => {
    const capabilities = { elicitation: { form: {} } };
    const { client, upstream } = await pair((request) => resultReply(request, DONE), { capabilities });
    await client.request('tools/call', { name: 'ze_execute', arguments: {} });
    const { headers, method, json } = await upstream.request(0);
    expect([method, headers]).toEqual([
      'POST',
      expect.objectContaining({
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'ze_execute',
      }),
    ]);
    expect(json()).toEqual({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'ze_execute',
        arguments: {},
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'mrtr-gateway', version: '0' },
          'io.modelcontextprotocol/clientCapabilities': capabilities,
        },
      },
    });
  });

  it.each([
    ['a name', 'prompts/get', { name: 'Grüße' }, '=?base64?R3LDvMOfZQ==?='],
    ['a name that looks encoded', 'tools/call', { name: '=?base64?x?=' }, '=?base64?PT9iYXNlNjQ/eD89?='],
    ['a URI', 'resources/read', { uri: 'file:///a b' }, 'file:///a b'],
    ['a task', 'tasks/get', { taskId: 't-1' }, 't-1'],
  ])('mirrors %s as a header can hold it', async (_, method, params, expected) => {
    const { client, upstream } = await pair((request) => resultReply(request, DONE));
    await client.request(method, params);
    expect((await upstream.request(0)).headers['mcp-name']).toBe(expected);
  });

  it('takes a new id each time, and what a caller lays over it', async () => {
    const { client, upstream } = await pair((request) => resultReply(request, DONE), {
      headers: { 'X-One': '1', 'Mcp-Method': 'lied' },
    });
    await client.request('tools/list');
    await client.request(
      'tools/list',
      {},
      { headers: { 'mcp-method': undefined }, id: 'own', meta: { more: 1 } },
    );
    const [first, second] = [await upstream.request(0), await upstream.request(1)];
    expect([first.json().id, first.headers['mcp-method'], first.headers['x-one']]).toEqual([1, 'lied', '1']);
    expect([second.json().id, second.headers['mcp-method']]).toEqual(['own', undefined]);
    expect(second.json().params?._meta).toMatchObject({ more: 1 });
  });
});

describe('an answer', () => {
  it('is read from a JSON body, with every byte both ways kept', async () => {
    const { client, upstream } = await pair((request) => resultReply(request, DONE));
    const record = await client.request('tools/list');
    expect(outcomeOf(record)).toEqual({ kind: 'complete', result: DONE });
    expect(record.sent.toString()).toMatch(/^POST \/mcp HTTP\/1\.1\r\n/);
    expect(record.sent.toString()).toContain((await upstream.request(0)).text);
    expect(record.received.toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*"resultType":"complete"/);
    expect(record.trouble).toBeUndefined();
  });

  it('is read from an event stream, notifications first', async () => {
    const { client } = await pair((request) =>
      sseReply([
        ': hello\n\n',
        sseEvent({ jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } }),
        sseEvent({ jsonrpc: '2.0', id: request.json().id, result: DONE }),
      ]),
    );
    const record = await client.request('tools/list');
    expect(record.stream).toBe(true);
    expect(record.heard.map(({ message }) => message?.kind)).toEqual(['notification', 'response']);
    expect(outcomeOf(record).kind).toBe('complete');
  });

  it('of a stream that stays open after its response is not waited for', async () => {
    const { client } = await pair((request) =>
      sseReply([sseEvent({ jsonrpc: '2.0', id: request.json().id, result: DONE })], 'stay-open'),
    );
    const record = await client.request('tools/list');
    expect([record.leftOpen, record.trouble, outcomeOf(record).kind]).toEqual([true, undefined, 'complete']);
  });

  const outcomes: readonly (readonly [string, ReplyFunction, object])[] = [
    [
      'an error',
      (request) => errorReply(request, 400, { code: -32602, message: 'no' }),
      { kind: 'error', status: 400, error: { code: -32602, message: 'no' } },
    ],
    [
      'an error without an id',
      () => jsonReply({ jsonrpc: '2.0', error: { code: -32700, message: 'no' } }, { status: 400 }),
      { kind: 'error', status: 400 },
    ],
    [
      'a question',
      (request) =>
        resultReply(request, { resultType: 'input_required', inputRequests: { a: {} }, requestState: 's' }),
      { kind: 'input_required', requestState: 's', asked: [{ key: 'a' }] },
    ],
    [
      'a task',
      (request) => resultReply(request, { resultType: 'task', taskId: 't' }),
      { kind: 'task', taskId: 't' },
    ],
    [
      'a result of no known type',
      (request) => resultReply(request, { resultType: 'later' }),
      { kind: 'unknown' },
    ],
    ['a result without a type', (request) => resultReply(request, {}), { kind: 'complete' }],
    [
      'another id',
      () => jsonReply({ jsonrpc: '2.0', id: 'x', result: {} }),
      { kind: 'unanswered', fault: undefined },
    ],
    [
      'an id of another type',
      () => jsonReply({ jsonrpc: '2.0', id: '1', result: {} }),
      { kind: 'unanswered' },
    ],
    [
      'a page',
      () => ({ headers: { 'content-type': 'text/html' }, body: '<html>' }),
      { kind: 'unanswered', fault: 'media-type' },
    ],
    ['no JSON', () => jsonReply('{'), { kind: 'unanswered', fault: 'not-json' }],
    [
      'a member twice',
      () => jsonReply('{"id":1,"id":1,"result":{}}'),
      { kind: 'unanswered', fault: 'duplicate-member' },
    ],
    ['nothing', () => ({ status: 202, headers: {}, body: '' }), { kind: 'unanswered', fault: 'empty' }],
    [
      'a coding that nobody asked for',
      () => ({ headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' }, body: 'x' }),
      { kind: 'unanswered', fault: 'coding' },
    ],
    [
      'a redirect',
      () => ({ status: 302, headers: { location: 'http://127.0.0.1:1/' } }),
      { kind: 'http', status: 302 },
    ],
    [
      'a refusal in HTML',
      () => ({ status: 401, headers: {}, body: '<p>no</p>' }),
      { kind: 'http', status: 401 },
    ],
    ['a stream without a response', () => sseReply([': only\n\n']), { kind: 'unanswered', fault: undefined }],
  ];
  it.each(outcomes)('that is %s is known for it', async (_, reply, expected) => {
    const { client } = await pair(reply);
    expect(outcomeOf(await client.request('tools/list'))).toMatchObject(expected);
  });
});

describe('trouble', () => {
  const bounds = { headMs: 1_000, totalMs: 2_000, maxBytes: 20_000 };
  function* endlessly(text: string) {
    for (;;) yield text;
  }
  const troubles: readonly (readonly [string, Reply, string])[] = [
    ['never answers', { never: true }, 'timeout'],
    ['sends a head and no body', { body: '', after: 'stay-open' }, 'timeout'],
    ['never ends its stream', sseReply([': ping\n\n'], 'stay-open'), 'timeout'],
    ['never ends its body', { body: endlessly('x'.repeat(1_000)) }, 'too-large'],
    [
      'sends events without end',
      sseReply(endlessly(sseEvent({ jsonrpc: '2.0', method: 'n' }).repeat(50))),
      'too-large',
    ],
    ['sends one endless event', sseReply(endlessly('data: x\n'.repeat(200))), 'too-large'],
    ['closes halfway', { headers: { 'content-length': '100' }, body: '{', after: 'destroy' }, 'cut'],
    ['closes at once', { raw: '' }, 'cut'],
    ['does not speak HTTP', { raw: 'SSH-2.0-OpenSSH_9.7\r\n' }, 'not-http'],
    [
      'sends a head without end',
      { raw: `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n` },
      'too-large',
    ],
  ];
  it.each(troubles)('with a server that %s ends in a bounded time', async (_, reply, kind) => {
    const { client } = await pair(() => reply, { bounds });
    const record = await client.request('tools/list');
    expect(record.trouble?.kind).toBe(kind);
    expect(record.trouble?.message).toMatch(/^[a-z].*[^.]$/);
    expect(record.received.length).toBeLessThan(300_000);
  });

  it('with a port where nobody listens says so', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const record = await createClient({ url: new URL(`http://127.0.0.1:${port}/mcp`) }).request('tools/list');
    expect(record.trouble).toMatchObject({ kind: 'unreachable', code: 'ECONNREFUSED' });
  });

  it('with TLS where there is none is no hang', async () => {
    const { upstream } = await pair((request) => resultReply(request, DONE));
    const url = new URL(upstream.url.replace('http:', 'https:'));
    const record = await createClient({ url, bounds }).request('tools/list');
    expect(record.trouble?.kind).toBe('tls');
  });

  it('is none when the caller has had enough', async () => {
    const { client, upstream } = await pair(() => sseReply([': open\n\n'], 'stay-open'));
    const abort = new AbortController();
    const watcher = { head: () => abort.abort() };
    const record = await client.request('tools/list', {}, { signal: abort.signal, watcher });
    expect(record.trouble?.kind).toBe('stopped');
    await (await upstream.request(0)).aborted;
    expect((await client.request('tools/list', {}, { stopAfterMs: 50 })).trouble?.kind).toBe('stopped');
  });
});
