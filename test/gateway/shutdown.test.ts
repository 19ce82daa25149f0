/** The built binary at its end: what is in flight finishes, what would never end is closed, and nothing is cut before its time. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { META_SUBSCRIPTION_ID } from '../../src/protocol/constants.js';
import { type Binary, runBinary, startBinary } from '../support/binary.js';
import { callTool, EventReader, open, receive, requestHeaders, requestText } from '../support/client.js';
import { configFor, writeConfig } from '../support/config-file.js';
import { parseAnswer, rawRequest } from '../support/raw.js';
import { atRest, sendUnread } from '../support/slow-client.js';
import {
  gate,
  jsonReply,
  type ReplyFunction,
  resultReply,
  sseEvent,
  sseReply,
  startUpstream,
} from '../support/upstream.js';

const TOOL = { params: { name: 'book', arguments: {} } };
const SHORT_DRAIN = { timeouts: { drainMs: 300 } };
const COMPLETE = { resultType: 'complete', content: [] };

async function startInFront(reply: ReplyFunction, more: Readonly<Record<string, unknown>> = {}) {
  const upstream = await startUpstream(reply);
  const { path } = await writeConfig(configFor(upstream.url, more));
  const binary = await startBinary(['serve', '--config', path]);
  onTestFinished(async () => {
    binary.signal('SIGKILL');
    await upstream.close();
  });
  return { upstream, binary, port: Number(new URL(binary.url).port) };
}

function toolRequest(connection = 'close'): Buffer {
  const fields = Object.entries(requestHeaders('tools/call', TOOL)).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return rawRequest('POST /mcp', [...fields, `Connection: ${connection}`], requestText('tools/call', TOOL));
}

async function readiness({ adminUrl }: Binary): Promise<unknown> {
  const answer = await fetch(new URL('readyz', adminUrl));
  return { status: answer.status, ...((await answer.json()) as object) };
}

async function subscribe(url: string, id: string | number): Promise<EventReader> {
  const reader = new EventReader(
    await open(url, 'subscriptions/listen', { id, params: { notifications: {} } }),
  );
  await reader.nextMessage();
  return reader;
}

/** Acknowledges subscriptions and keeps them open; answers all else when the gate is open. */
function subscriptionsAnd(reply: ReplyFunction): ReplyFunction {
  return (request, n) => {
    if (request.json().method !== 'subscriptions/listen') return reply(request, n);
    const params = { _meta: { [META_SUBSCRIPTION_ID]: request.json().id }, notifications: {} };
    return sseReply(
      [sseEvent({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params })],
      'stay-open',
    );
  };
}

describe.each(['SIGTERM', 'SIGINT'] as const)('at %s', (signal) => {
  it('a call in flight finishes, subscriptions end with their result, idle connections close, and the exit is 0', async () => {
    const answered = gate();
    const { upstream, binary, port } = await startInFront(
      subscriptionsAnd(async (request) => {
        await answered.opened;
        return resultReply(request, COMPLETE);
      }),
    );
    const idle = connect(port, '127.0.0.1');
    idle.write(rawRequest('GET /nothing', ['Connection: keep-alive']));
    await once(idle, 'data');
    const fresh = connect(port, '127.0.0.1');
    await once(fresh, 'connect');
    const closed = Promise.all([once(idle.resume(), 'close'), once(fresh.resume(), 'close')]);
    const subscription = await subscribe(binary.url, 's1');
    const inFlight = open(binary.url, 'tools/call', TOOL);
    await upstream.request(1);
    expect(await readiness(binary)).toMatchObject({ status: 200, ready: true, draining: false });

    binary.signal(signal);
    const last = await subscription.nextMessage();
    expect(last).toEqual({
      jsonrpc: '2.0',
      id: 's1',
      result: { resultType: 'complete', _meta: { [META_SUBSCRIPTION_ID]: 's1' } },
    });
    expect(await subscription.next()).toBeUndefined();
    await (await upstream.request(0)).aborted;
    await closed;
    await expect(fetch(binary.url)).rejects.toThrow();
    expect(await readiness(binary)).toMatchObject({ status: 503, ready: false, draining: true });
    binary.signal(signal);
    await expect.poll(() => binary.lines.filter(({ msg }) => msg === 'signal received')).toHaveLength(2);

    answered.open();
    const answer = await inFlight;
    expect(answer.headers.get('connection')).toBe('close');
    expect((await receive(answer)).message).toEqual({ jsonrpc: '2.0', id: 1, result: COMPLETE });
    expect(await binary.finished).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect(binary.lines.at(-1)?.msg).toBe('stopped');
  });
});

describe('the closing result of a subscription', () => {
  it('has its exact id, whatever that is', async () => {
    const ids = ['a"b\\u', 0, -5, 9007199254740991, ''];
    const { binary } = await startInFront(subscriptionsAnd(() => ({ never: true })));
    const readers = await Promise.all(ids.map((id) => subscribe(binary.url, id)));
    binary.signal('SIGTERM');
    for (const [n, reader] of readers.entries()) {
      const message = await reader.nextMessage();
      expect(message).toMatchObject({ id: ids[n], result: { _meta: { [META_SUBSCRIPTION_ID]: ids[n] } } });
    }
    expect((await binary.finished).code).toBe(0);
  });

  it('keeps an id that is larger than numbers are', async () => {
    const { binary, port } = await startInFront(subscriptionsAnd(() => ({ never: true })));
    const body = requestText('subscriptions/listen', { params: { notifications: {} } }).replace(
      '"id":1',
      '"id":123456789012345678901',
    );
    const fields = Object.entries(requestHeaders('subscriptions/listen')).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const client = await sendUnread(port, rawRequest('POST /mcp', fields, body));
    const first = once(client.socket, 'readable');
    await first;
    binary.signal('SIGTERM');
    const { text } = parseAnswer(await client.rest());
    expect(text).toContain(
      `data: {"jsonrpc":"2.0","id":123456789012345678901,"result":{"resultType":"complete","_meta":{"${META_SUBSCRIPTION_ID}":123456789012345678901}}}\n\n`,
    );
    expect((await binary.finished).code).toBe(0);
  });

  it('is the answer to one whose upstream has not answered yet', async () => {
    const { upstream, binary } = await startInFront(() => ({ never: true }));
    const answer = open(binary.url, 'subscriptions/listen', { id: 's1', params: { notifications: {} } });
    const request = await upstream.request(0);
    binary.signal('SIGTERM');
    const { status, message } = await receive(await answer);
    expect(status).toBe(200);
    expect(message).toMatchObject({ id: 's1', result: { _meta: { [META_SUBSCRIPTION_ID]: 's1' } } });
    await request.aborted;
    expect((await binary.finished).code).toBe(0);
  });

  it('is none for the stream of an earlier revision, which just ends', async () => {
    const told = sseEvent({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    const { binary } = await startInFront(() => sseReply([told], 'stay-open'), { route: { legacy: 'pass' } });
    const reader = new EventReader(await fetch(binary.url, { headers: { accept: 'text/event-stream' } }));
    await reader.nextMessage();
    binary.signal('SIGTERM');
    expect(await reader.next()).toBeUndefined();
    expect((await binary.finished).code).toBe(0);
  });
});

describe('before it drains', () => {
  it('it is not ready, and serves for drainDelayMs', async () => {
    const { binary } = await startInFront((request) => resultReply(request, COMPLETE), {
      timeouts: { drainDelayMs: 3000 },
    });
    binary.signal('SIGTERM');
    await binary.line(({ msg }) => msg === 'draining');
    expect(await readiness(binary)).toMatchObject({ status: 503, ready: false, draining: true });
    expect((await callTool(binary.url, 'book')).message).toMatchObject({ id: 1, result: COMPLETE });
    expect((await binary.finished).code).toBe(0);
    await expect(fetch(binary.url)).rejects.toThrow();
  });
});

/** Resolves when no new connection is taken. */
async function takesNoMore({ url }: Binary): Promise<void> {
  const state = () =>
    fetch(url).then(
      () => 'open',
      () => 'closed',
    );
  await expect.poll(state).toBe('closed');
}

describe('replies that are owed on one connection', () => {
  it('all arrive, in the order of their requests, before it closes', async () => {
    const answered = gate();
    const { upstream, binary, port } = await startInFront(async (request) => {
      await answered.opened;
      return resultReply(request, COMPLETE);
    });
    const kept = toolRequest('keep-alive').toString();
    const three = [1, 2, 3].map((id) => kept.replace('"id":1', `"id":${id}`));
    const client = await sendUnread(port, Buffer.from(three.join('')));
    await upstream.request(2);
    binary.signal('SIGTERM');
    await binary.line(({ msg }) => msg === 'draining');
    client.socket.write(kept.replace('"id":1', '"id":4'));
    await upstream.request(3);
    answered.open();
    const replies = (await client.rest()).toString();
    expect([...replies.matchAll(/"id":(\d)/g)].map(([, id]) => id)).toEqual(['1', '2', '3', '4']);
    expect((await binary.finished).code).toBe(0);
    const outcomes = binary.lines.filter(({ msg }) => msg === 'exchange').map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['ok', 'ok', 'ok', 'ok']);
  });

  it('includes one whose request came after the other said that it was the last', async () => {
    const answered = gate();
    const { upstream, binary, port } = await startInFront(async (request) => {
      await answered.opened;
      return resultReply(request, COMPLETE);
    });
    const client = await sendUnread(port, toolRequest('keep-alive'));
    await upstream.request(0);
    binary.signal('SIGTERM');
    await takesNoMore(binary);
    client.socket.write(toolRequest('keep-alive').toString().replace('"id":1', '"id":2'));
    await upstream.request(1);
    answered.open();
    const replies = (await client.rest()).toString();
    expect([...replies.matchAll(/"id":(\d)/g)].map(([, id]) => id)).toEqual(['1', '2']);
    expect((await binary.finished).code).toBe(0);
  });
});

describe('what takes its time', () => {
  it('a reply that is written and not yet sent arrives whole', async () => {
    const large = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[],"x":"${'y'.repeat(15_000_000)}"}}`;
    const { upstream, binary, port } = await startInFront(() => jsonReply(large));
    const client = await sendUnread(port, toolRequest('keep-alive'));
    await (await upstream.request(0)).closed;
    binary.signal('SIGTERM');
    await binary.line(({ msg }) => msg === 'draining');
    await takesNoMore(binary);
    expect(parseAnswer(await client.rest()).text).toBe(large);
    expect((await binary.finished).code).toBe(0);
  });

  it('what passes through arrives whole', async () => {
    const rest = gate();
    const { binary } = await startInFront(() => ({ body: ['first', rest.opened, 'rest'] }), {
      route: { passThrough: ['/files/'] },
    });
    const answer = await fetch(new URL('/files/a', binary.url));
    binary.signal('SIGTERM');
    await takesNoMore(binary);
    rest.open();
    expect(await answer.text()).toBe('firstrest');
    expect((await binary.finished).code).toBe(0);
  });

  it('a client that never reads is cut after drainMs', async () => {
    const { upstream, binary, port } = await startInFront(() => sseReply(endless()), SHORT_DRAIN);
    const client = await sendUnread(port, toolRequest());
    const request = await upstream.request(0);
    await atRest(request.taken);
    binary.signal('SIGTERM');
    await request.aborted;
    expect(await binary.finished).toMatchObject({ code: 0, stderr: '' });
    client.leave();
  });

  it('an upstream that never answers is given up after drainMs', async () => {
    const { upstream, binary } = await startInFront(() => ({ never: true }), SHORT_DRAIN);
    const answer = callTool(binary.url, 'book').catch(() => 'cut');
    const request = await upstream.request(0);
    binary.signal('SIGTERM');
    await request.aborted;
    expect(await answer).toBe('cut');
    expect(await binary.finished).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('an address that is taken', () => {
  it.each(['listen', 'admin'])('ends the start with exit code 1: %s', async (key) => {
    const taken = await startUpstream();
    onTestFinished(() => taken.close());
    const { path } = await writeConfig(configFor(taken.url, { [key]: new URL(taken.url).host }));
    const finished = await runBinary(['serve', '--config', path]);
    expect(finished.code).toBe(1);
    expect(finished.stdout).toContain('cannot listen');
    expect(finished.stdout).not.toContain('"listening"');
  });
});

function* endless(): Generator<string> {
  for (;;)
    yield sseEvent({ jsonrpc: '2.0', method: 'notifications/x', params: { payload: 'x'.repeat(65_536) } });
}
