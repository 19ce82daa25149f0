import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { call, callTool, EventReader, open, requestHeaders, requestText } from '../support/client.js';
import { inFlight, openStreams } from '../support/counts.js';
import { rawRequest } from '../support/raw.js';
import { gate, resultReply, sseEvent, sseReply } from '../support/upstream.js';
import { DONE, start } from './exchange.js';

const LISTEN = { id: 's1', params: { notifications: { toolsListChanged: true } } };
const ACKNOWLEDGED = sseEvent({
  jsonrpc: '2.0',
  method: 'notifications/subscriptions/acknowledged',
  params: {
    _meta: { 'io.modelcontextprotocol/subscriptionId': 's1' },
    notifications: { toolsListChanged: true },
  },
});

describe('a client that goes away', () => {
  it('takes the server’s stream with it, every time', async () => {
    const pair = await start(() => sseReply(ACKNOWLEDGED, 'stay-open'));
    for (let n = 0; n < 200; n += 1) {
      const stream = new EventReader(await open(pair.url, 'subscriptions/listen', LISTEN));
      await stream.nextMessage();
      await stream.leave();
      await (await pair.upstream.request(n)).aborted;
      await pair.gateway.ended(n);
    }
    expect([openStreams(pair.gateway), inFlight(pair.gateway), pair.gateway.errors]).toEqual([0, 0, []]);
  });

  it('before the server has answered is told to the server', async () => {
    const pair = await start(() => ({ never: true }));
    const leaving = new AbortController();
    const answer = callTool(pair.url, 'book', {}, { signal: leaving.signal });
    const request = await pair.upstream.request(0);
    leaving.abort();
    await expect(answer).rejects.toThrow();
    await request.aborted;
    expect((await pair.gateway.ended(0)).outcome).toBe('client_gone');
  });

  it('in the middle of a JSON answer is told to the server', async () => {
    const head = '{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[';
    const pair = await start(() => ({
      headers: { 'content-type': 'application/json' },
      body: head,
      after: 'stay-open',
    }));
    const leaving = new AbortController();
    const answer = callTool(pair.url, 'book', {}, { signal: leaving.signal });
    const request = await pair.upstream.request(0);
    leaving.abort();
    await expect(answer).rejects.toThrow();
    await request.aborted;
  });

  it('in the middle of its own request leaves nothing behind', async () => {
    const pair = await start(() => ({ never: true }));
    const params = { name: 'book', arguments: {} };
    const fields = Object.entries(requestHeaders('tools/call', { params })).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const socket = connect(pair.gateway.port, '127.0.0.1');
    const whole = rawRequest('POST /mcp', fields, requestText('tools/call', { params }));
    await new Promise((resolve) => socket.write(whole.subarray(0, -20), resolve));
    socket.destroy();
    expect((await pair.gateway.ended(0)).outcome).toBe('client_gone');
    expect(pair.upstream.requests).toHaveLength(0);
  });
});

describe('a client that only has sent all it had to say', () => {
  it('is not taken for one that goes away', async () => {
    const answered = gate();
    const pair = await start(async (request) => {
      await answered.opened;
      return resultReply(request, DONE);
    });
    const answer = callTool(pair.url, 'book');
    await pair.upstream.request(0);
    // Two further turns through the gateway: had the end of the request cancelled the first, it would have by now.
    for (const n of [1, 2]) {
      const other = call(pair.url, 'tools/list', { id: n });
      await pair.upstream.request(n);
      answered.open();
      await other;
    }
    expect([(await answer).status, (await answer).message.result]).toEqual([200, DONE]);
  });
});

describe('a server that goes away', () => {
  it.each([
    ['before its answer', () => ({ raw: '' })],
    ['in the head of its answer', () => ({ raw: 'HTTP/1.1 200 OK\r\ncontent-ty' })],
    [
      'in the middle of its answer',
      () => ({
        headers: { 'content-type': 'application/json' },
        body: '{"jsonrpc":',
        after: 'destroy' as const,
      }),
    ],
    ['with an answer that is no HTTP', () => ({ raw: 'SSH-2.0-OpenSSH\r\n\r\n' })],
  ])('%s is an error with the id, and the call is not made twice', async (_, reply) => {
    const pair = await start(reply);
    const answer = await callTool(pair.url, 'book', {}, { id: 'once' });
    expect([answer.status, answer.message.id, answer.message.error.code]).toEqual([502, 'once', -32603]);
    expect(pair.upstream.requests).toHaveLength(1);
  });
});
