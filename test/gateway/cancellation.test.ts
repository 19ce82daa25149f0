/** Who leaves early: a client that goes away cancels its request upstream, and an upstream that goes away is told to the client. */
import { connect } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, it, onTestFinished } from 'vitest';
import { META_SUBSCRIPTION_ID } from '../../src/protocol/constants.js';
import {
  call,
  callTool,
  EventReader,
  open,
  receive,
  requestHeaders,
  requestText,
} from '../support/client.js';
import { buffered, inFlight, openStreams } from '../support/counts.js';
import { type Gateway, startPair } from '../support/pair.js';
import { rawRequest, sendRaw } from '../support/raw.js';
import {
  gate,
  jsonReply,
  type Reply,
  resultReply,
  sseEvent,
  sseReply,
  startUpstream,
} from '../support/upstream.js';

const PROGRESS =
  '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1}}';
const TOOL = { params: { name: 'book', arguments: {} }, meta: { progressToken: 'p' } };
const LISTEN = { id: 's1', params: { notifications: { toolsListChanged: true } } };
const ACKNOWLEDGED = JSON.stringify({
  jsonrpc: '2.0',
  method: 'notifications/subscriptions/acknowledged',
  params: { _meta: { [META_SUBSCRIPTION_ID]: 's1' }, notifications: { toolsListChanged: true } },
});

function settled(gateway: Gateway): void {
  expect({ inFlight: inFlight(gateway), streams: openStreams(gateway), held: buffered(gateway).now }).toEqual(
    {
      inFlight: 0,
      streams: 0,
      held: 0,
    },
  );
  expect(gateway.errors).toEqual([]);
}

interface Stage {
  readonly reply: Reply;
  readonly method?: string;
  readonly request?: Parameters<typeof open>[2];
  /** Resolves when the client has seen what it waits for before it leaves. */
  readonly seen?: (answer: Response) => Promise<unknown>;
}

const STAGES: Readonly<Record<string, Stage>> = {
  'before the upstream answers': { reply: { never: true } },
  'in the middle of a JSON answer': { reply: { body: ['{"jsonrpc":"2.0",'], after: 'stay-open' } },
  'before the first message of a stream': { reply: sseReply([': x\n\n', 'data: {"jso'], 'stay-open') },
  'after the first message of a stream': {
    reply: sseReply([sseEvent(PROGRESS), 'data: {"jso'], 'stay-open'),
    seen: (answer) => new EventReader(answer).nextMessage(),
  },
  'while it is subscribed': {
    method: 'subscriptions/listen',
    request: LISTEN,
    reply: sseReply([sseEvent(ACKNOWLEDGED)], 'stay-open'),
    seen: (answer) => new EventReader(answer).nextMessage(),
  },
};

async function leave(
  url: string,
  { method = 'tools/call', request = TOOL, seen }: Stage,
  reached: Promise<unknown>,
) {
  const leaving = new AbortController();
  const answer = open(url, method, { ...request, signal: leaving.signal });
  if (seen === undefined) await reached;
  else await seen(await answer);
  leaving.abort();
  await answer.catch(() => undefined);
}

describe('a client that leaves', () => {
  it.each(Object.entries(STAGES))('%s cancels the request upstream', async (_, stage) => {
    const { url, upstream, gateway } = await startPair(() => stage.reply);
    await leave(url, stage, upstream.request(0));
    await (await upstream.request(0)).aborted;
    expect((await gateway.ended(0)).outcome).toBe('client_gone');
    settled(gateway);
  });

  it('leaves nothing behind, however often', async () => {
    const stages = Object.values(STAGES);
    const { url, upstream, gateway } = await startPair(
      (_, n) => stages[n % stages.length]?.reply ?? { never: true },
    );
    for (let n = 0; n < 200; n += 1) {
      await leave(url, stages[n % stages.length] as Stage, upstream.request(n));
      await (await upstream.request(n)).aborted;
      await gateway.ended(n);
    }
    settled(gateway);
    upstream.answer((request) => resultReply(request, { resultType: 'complete', content: [] }));
    expect((await callTool(url, 'book')).status).toBe(200);
  });

  it('within its own request reaches no upstream', async () => {
    const { upstream, gateway } = await startPair();
    const fields = Object.entries(requestHeaders('tools/call', TOOL)).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const request = rawRequest(
      'POST /mcp',
      [...fields, 'Content-Length: 100000'],
      requestText('tools/call', TOOL),
    );
    const socket = connect(gateway.port, '127.0.0.1');
    socket.end(request);
    expect((await gateway.ended(0)).outcome).toBe('client_gone');
    socket.destroy();
    expect(upstream.requests).toEqual([]);
    settled(gateway);
  });

  it('while its token is looked into reaches no upstream', async () => {
    const looked = gate();
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const keys = await startUpstream(async () => {
      await looked.opened;
      return jsonReply({ keys: [await exportJWK(publicKey)] });
    });
    onTestFinished(() => keys.close());
    const auth = { mode: 'jwt', issuer: 'https://as.test', audience: ['me'], jwks: `${keys.origin}/jwks` };
    const { url, upstream, gateway } = await startPair(undefined, {
      publicUrl: 'https://mcp.example.com',
      route: { auth },
    });
    const token = await new SignJWT({ sub: 'ada', iss: 'https://as.test', aud: 'me', exp: 4_000_000_000 })
      .setProtectedHeader({ alg: 'ES256' })
      .sign(privateKey);
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${token}` };
    const answer = open(url, 'tools/call', { ...TOOL, headers, signal: leaving.signal });
    await keys.request(0);
    leaving.abort();
    await expect(answer).rejects.toThrow();
    // By the time that others are answered, the gateway has noticed.
    for (let n = 0; n < 3; n += 1) await fetch(`${gateway.origin}/nothing`);
    looked.open();
    expect((await gateway.ended(0)).outcome).toBe('client_gone');
    expect(upstream.requests).toEqual([]);
    settled(gateway);
  });

  it.each([{ never: true } as const, { body: ['half'], after: 'stay-open' } as const])(
    'cancels what passes through, too: %j',
    async (reply) => {
      const { gateway, upstream } = await startPair(() => reply, { route: { passThrough: ['/files/'] } });
      const leaving = new AbortController();
      const answer = fetch(`${gateway.origin}/files/a`, { signal: leaving.signal }).then((got) => got.text());
      const request = await upstream.request(0);
      leaving.abort();
      await expect(answer).rejects.toThrow();
      await request.aborted;
      expect(gateway.errors).toEqual([]);
    },
  );
});

describe('a client that stays', () => {
  it('is not taken for one that left once its request is read', async () => {
    const answered = gate();
    const { url, upstream, gateway } = await startPair(async (request) => {
      await answered.opened;
      return resultReply(request, { resultType: 'complete', content: [] });
    });
    const answer = open(url, 'tools/call', TOOL);
    await upstream.request(0);
    // Other requests come and go on the same gateway meanwhile.
    for (let n = 0; n < 5; n += 1) await fetch(`${gateway.origin}/nothing`);
    answered.open();
    expect((await receive(await answer)).message).toMatchObject({ id: 1, result: {} });
    expect((await gateway.ended(0)).outcome).toBe('ok');
  });

  it('may have asked for its connection to be closed', async () => {
    const { gateway } = await startPair((request) =>
      resultReply(request, { resultType: 'complete', content: [] }),
    );
    const fields = Object.entries(requestHeaders('tools/call', TOOL)).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const answer = await sendRaw(
      gateway.port,
      rawRequest('POST /mcp', fields, requestText('tools/call', TOOL)),
    );
    expect(answer.one('connection')).toBe('close');
    expect((await gateway.ended(0)).outcome).toBe('ok');
    settled(gateway);
  });
});

describe('an upstream that goes away', () => {
  const GONE: Readonly<Record<string, Reply>> = {
    'without an answer': { raw: '' },
    'in the middle of a JSON answer': { body: ['{"jsonrpc":"2.0",'], after: 'destroy' },
    'before the first message of a stream': sseReply([': x\n\n'], 'destroy'),
  };
  it.each(Object.entries(GONE))('%s is 502', async (_, reply) => {
    const { url, gateway } = await startPair(() => reply);
    const answer = await callTool(url, 'book');
    expect(answer.status).toBe(502);
    expect(answer.message).toMatchObject({ id: 1, error: { code: -32603 } });
    expect((await gateway.ended(0)).outcome).toBe('upstream_failed');
    settled(gateway);
  });

  it.each(['end', 'destroy'] as const)('in a stream is an error event: %s', async (after) => {
    const { url, gateway } = await startPair(() => sseReply([sseEvent(PROGRESS), 'data: {"jso'], after));
    const answer = await callTool(url, 'book', {}, TOOL);
    expect(answer.events).toHaveLength(2);
    expect(answer.message).toMatchObject({ id: 1, error: { code: -32603 } });
    expect((await gateway.ended(0)).outcome).toBe('upstream_failed');
    settled(gateway);
  });

  it.each(['end', 'destroy'] as const)('only closes a subscription: %s', async (after) => {
    const { url, gateway } = await startPair(() => sseReply([sseEvent(ACKNOWLEDGED), 'data: {"jso'], after));
    const answer = await call(url, 'subscriptions/listen', LISTEN);
    expect([answer.status, answer.events]).toEqual([200, [ACKNOWLEDGED]]);
    expect((await gateway.ended(0)).outcome).toBe('stream_closed');
    settled(gateway);
  });

  it('closes a subscription that had said nothing yet', async () => {
    const { url, gateway } = await startPair(() => sseReply([]));
    const answer = await call(url, 'subscriptions/listen', LISTEN);
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect((await gateway.ended(0)).outcome).toBe('stream_closed');
  });

  it('may end a subscription with its closing result', async () => {
    const closing = `{"jsonrpc":"2.0","id":"s1","result":{"resultType":"complete","_meta":{"${META_SUBSCRIPTION_ID}":"s1"}}}`;
    const { url, gateway } = await startPair(() => sseReply([sseEvent(ACKNOWLEDGED), sseEvent(closing)]));
    const answer = await call(url, 'subscriptions/listen', LISTEN);
    expect(answer.events).toEqual([ACKNOWLEDGED, closing]);
    expect((await gateway.ended(0)).outcome).toBe('ok');
  });

  it('may refuse a subscription in JSON', async () => {
    const refusal = { jsonrpc: '2.0', id: 's1', error: { code: -32601, message: 'no' } };
    const { url } = await startPair(() => jsonReply(refusal, { status: 404 }));
    const answer = await call(url, 'subscriptions/listen', LISTEN);
    expect([answer.status, answer.message]).toEqual([404, refusal]);
  });
});
