import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { callTool } from '../support/client.js';
import { type Gateway, type GatewayConfig, startGateway, startPair } from '../support/pair.js';
import { type Reply, resultReply } from '../support/upstream.js';

const RESULT = '{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}';

type Trouble = readonly [status: number, message: string, reason: string];

/** The client has its answer, with the request's id and nothing of the upstream's; the account says the same. */
async function expectTrouble(
  gateway: Gateway,
  url: string,
  [status, message, reason]: Trouble,
): Promise<void> {
  const got = await callTool(url, 'echo', {}, { id: 'x' });
  expect(got.status).toBe(status);
  expect(got.headers.get('content-type')).toBe('application/json');
  expect(got.headers.get('via')).toBeNull();
  expect(got.message).toEqual({ jsonrpc: '2.0', id: 'x', error: { code: -32603, message } });
  expect(await gateway.ended(0)).toMatchObject({ outcome: 'upstream_failed', status });
  const failed = gateway.told.filter(({ event }) => event === 'upstreamFailed');
  expect(failed.map(({ args }) => args[1])).toEqual([reason]);
  expect(gateway.errors).toEqual([]);
}

const UNREACHABLE = [502, 'the upstream cannot be reached', 'connect'] as const;
const CLOSED = [502, 'the upstream closed the connection', 'reset'] as const;
const NO_HTTP = [502, 'the upstream did not answer in HTTP', 'invalid'] as const;
const SILENT = [504, 'the upstream did not answer in time', 'timeout'] as const;
const STALLED = [504, 'the upstream stopped in the middle of its answer', 'timeout'] as const;

describe('an upstream that is not there', () => {
  it('is answered for', async () => {
    const { gateway, upstream, url } = await startPair();
    await upstream.close();
    await expectTrouble(gateway, url, UNREACHABLE);
  });

  it('is answered for when it speaks no TLS', async () => {
    const { upstream } = await startPair();
    const gateway = await startGateway(upstream.url.replace('http:', 'https:'));
    await expectTrouble(gateway, gateway.url, UNREACHABLE);
  });
});

describe('an upstream that answers badly', () => {
  const cases: readonly (readonly [string, Reply, Trouble, GatewayConfig])[] = [
    ['closes the connection unanswered', { raw: '' }, CLOSED, {}],
    ['closes the connection within its head', { raw: 'HTTP/1.1 200 OK\r\ncontent-ty' }, CLOSED, {}],
    [
      'breaks off a body of a stated length',
      {
        headers: { 'content-type': 'application/json', 'content-length': '999' },
        body: [RESULT],
        after: 'destroy',
      },
      CLOSED,
      {},
    ],
    [
      'breaks off a chunked body',
      { headers: { 'content-type': 'application/json' }, body: [RESULT], after: 'destroy' },
      CLOSED,
      {},
    ],
    [
      'breaks off an error page',
      { status: 500, headers: { 'content-type': 'text/html' }, body: ['<h1>'], after: 'destroy' },
      CLOSED,
      {},
    ],
    [
      'ends before the length that it stated',
      { raw: `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 999\r\n\r\n${RESULT}` },
      CLOSED,
      {},
    ],
    ['speaks something else', { raw: 'SSH-2.0-OpenSSH_9.6\r\n' }, NO_HTTP, {}],
    [
      'states two lengths',
      { raw: `HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello` },
      NO_HTTP,
      {},
    ],
    [
      'states a length and chunks',
      { raw: `HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\nhello` },
      NO_HTTP,
      {},
    ],
    [
      'breaks its chunks',
      {
        raw: 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
      },
      NO_HTTP,
      {},
    ],
    [
      'sends endless fields',
      { raw: `HTTP/1.1 200 OK\r\n${'x-filler: 0123456789\r\n'.repeat(4_000)}\r\n` },
      NO_HTTP,
      {},
    ],
    [
      'changes to another protocol',
      { raw: 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n' },
      CLOSED,
      {},
    ],
    ['stays silent', { never: true }, SILENT, { timeouts: { headersMs: 60 } }],
    [
      'stops within its head',
      { raw: 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n' },
      CLOSED,
      {},
    ],
    [
      'stalls before its body',
      { headers: { 'content-type': 'application/json' }, body: [], after: 'stay-open' },
      STALLED,
      { timeouts: { bodyIdleMs: 60 } },
    ],
    [
      'stalls within its body',
      { headers: { 'content-type': 'application/json' }, body: [RESULT.slice(0, 9)], after: 'stay-open' },
      STALLED,
      { timeouts: { bodyIdleMs: 60 } },
    ],
    [
      'stalls within an error page',
      { status: 502, headers: { 'content-type': 'text/html' }, body: ['<h1>'], after: 'stay-open' },
      STALLED,
      { timeouts: { bodyIdleMs: 60 } },
    ],
  ];

  it.each(cases)('is answered for when it %s', async (_, reply, trouble, config) => {
    const { gateway, url } = await startPair(() => reply, config);
    await expectTrouble(gateway, url, trouble);
  });

  it('is told that nobody waits any more when it was too slow', async () => {
    const { upstream, url } = await startPair(undefined, { timeouts: { headersMs: 60, bodyIdleMs: 60 } });
    expect((await callTool(url, 'echo')).status).toBe(504);
    await (await upstream.request(0)).aborted;
    upstream.answer(() => ({
      headers: { 'content-type': 'application/json' },
      body: ['{'],
      after: 'stay-open',
    }));
    expect((await callTool(url, 'echo')).status).toBe(504);
    await (await upstream.request(1)).aborted;
  });

  it('may take its time between pieces that come', async () => {
    const { url } = await startPair(
      () => ({ headers: { 'content-type': 'application/json' }, body: [...RESULT] }),
      { timeouts: { bodyIdleMs: 2_000 } },
    );
    expect((await callTool(url, 'echo')).text).toBe(RESULT);
  });

  it('may answer in HTTP/1.0, to the end of the connection', async () => {
    const { url } = await startPair(() => ({
      raw: `HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n${RESULT}`,
    }));
    const got = await callTool(url, 'echo');
    expect([got.status, got.text]).toEqual([200, RESULT]);
  });

  it('may say something in advance', async () => {
    const raw = `HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${RESULT.length}\r\n\r\n${RESULT}`;
    const { url } = await startPair(() => ({ raw }));
    const got = await callTool(url, 'echo');
    expect([got.status, got.text]).toEqual([200, RESULT]);
    expect(got.headers.get('link')).toBeNull();
  });

  it('is answered for once, and its next answer is its own', async () => {
    const { upstream, url } = await startPair(() => ({ raw: 'nonsense' }));
    expect((await callTool(url, 'echo')).status).toBe(502);
    upstream.answer((request) => resultReply(request, { resultType: 'complete', content: [] }));
    expect((await callTool(url, 'echo')).status).toBe(200);
  });
});

describe('an upstream that cannot be connected to in time', () => {
  it('is answered for', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    onTestFinished(() => void silent.close());
    // A TLS handshake that is never answered counts as connecting.
    const { port } = silent.address() as AddressInfo;
    const gateway = await startGateway(`https://127.0.0.1:${port}/mcp`, { timeouts: { connectMs: 60 } });
    await expectTrouble(gateway, gateway.url, UNREACHABLE);
  });
});

describe('a client that leaves while its answer comes', () => {
  it.each([
    ['before the head', undefined],
    ['within the body', ['{']],
  ])('ends the upstream request and the exchange: %s', async (_, body) => {
    const { gateway, upstream, url } = await startPair(
      () =>
        body === undefined
          ? { never: true }
          : { headers: { 'content-type': 'application/json' }, body, after: 'stay-open' },
      { limits: { exchanges: 1 } },
    );
    const leave = new AbortController();
    const answer = callTool(url, 'echo', {}, { signal: leave.signal }).catch(() => 'left');
    const request = await upstream.request(0);
    leave.abort();
    expect(await answer).toBe('left');
    await request.aborted;
    expect(await gateway.ended(0)).toMatchObject({ outcome: 'client_gone', status: 0 });
    upstream.answer((request) => resultReply(request, { resultType: 'complete', content: [] }));
    expect((await callTool(url, 'echo')).status).toBe(200);
  });
});
