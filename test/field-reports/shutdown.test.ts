import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Binary, startServe } from '../support/binary.js';
import { callTool, EventReader, open, requestHeaders, requestText } from '../support/client.js';
import { rawRequest } from '../support/raw.js';
import { gate, resultReply, sseEvent, sseReply, startUpstream, type Upstream } from '../support/upstream.js';
import { DONE } from './exchange.js';

const SUBSCRIPTION = { 'io.modelcontextprotocol/subscriptionId': 's1' };
const LISTEN = { id: 's1', params: { notifications: { toolsListChanged: true } } };
const ACKNOWLEDGED = sseEvent({
  jsonrpc: '2.0',
  method: 'notifications/subscriptions/acknowledged',
  params: { _meta: SUBSCRIPTION, notifications: { toolsListChanged: true } },
});

interface Running {
  readonly upstream: Upstream;
  readonly gateway: Binary;
  /** Lets the server answer the call that waits. */
  readonly answer: () => void;
}

/** A server whose subscriptions stay open, whose call `slow` waits, and which answers everything else at once. */
async function startRunning(): Promise<Running> {
  const answered = gate();
  const upstream = await startUpstream(async (request) => {
    const { method, params } = request.json();
    if (method === 'subscriptions/listen') return sseReply(ACKNOWLEDGED, 'stay-open');
    if (params?.name === 'slow') await answered.opened;
    return resultReply(request, DONE);
  });
  onTestFinished(() => upstream.close());
  const gateway = await startServe(upstream.url, '--profile', 'ze');
  onTestFinished(async () => void (await gateway.stop('SIGKILL')));
  return { upstream, gateway, answer: () => answered.open() };
}

/** A connection that has had an answer and waits for its client’s next request. */
async function idleConnection({ url }: Binary): Promise<Socket> {
  const params = { name: 'book', arguments: {} };
  const fields = Object.entries(requestHeaders('tools/call', { params })).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const answer = new Promise((resolve) => socket.once('data', resolve));
  socket.write(
    rawRequest('POST /mcp', [...fields, 'Connection: keep-alive'], requestText('tools/call', { params })),
  );
  await answer;
  return socket;
}

describe('a gateway that is told to end', () => {
  it('while a stream is open, a connection idle and a call in flight, ends all three and exits with 0', async () => {
    const { gateway, upstream, answer } = await startRunning();
    const stream = new EventReader(await open(gateway.url, 'subscriptions/listen', LISTEN));
    await stream.nextMessage();
    const idle = await idleConnection(gateway);
    const idleClosed = new Promise((resolve) => idle.once('close', resolve));
    idle.resume();
    const slow = callTool(gateway.url, 'slow', {}, { id: 'slow' });
    await upstream.request(2);

    gateway.signal('SIGTERM');
    await gateway.line(({ msg }) => msg === 'draining');
    expect(await stream.nextMessage()).toEqual({
      jsonrpc: '2.0',
      id: 's1',
      result: { resultType: 'complete', _meta: SUBSCRIPTION },
    });
    expect(await stream.nextMessage()).toBeUndefined();
    await idleClosed;
    await expect(callTool(gateway.url, 'book')).rejects.toThrow();

    gateway.signal('SIGTERM');
    answer();
    expect((await slow).message).toEqual({ jsonrpc: '2.0', id: 'slow', result: DONE });
    expect(await gateway.finished).toMatchObject({ code: 0, stderr: '' });
  });

  it('with nothing to wait for, exits at once', async () => {
    const { gateway } = await startRunning();
    expect(await gateway.stop('SIGINT')).toMatchObject({ code: 0, stderr: '' });
  });
});
