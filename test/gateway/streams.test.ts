/** A stream from its first byte to its end: when its status goes out, what is dropped, what ends it. */
import { describe, expect, it } from 'vitest';
import { META_LOG_LEVEL } from '../../src/protocol/constants.js';
import { callTool, EventReader, open, receive, requestHeaders, requestText } from '../support/client.js';
import { findings, upstreamFailures } from '../support/counts.js';
import { type GatewayConfig, startPair } from '../support/pair.js';
import { rawRequest, sendRaw } from '../support/raw.js';
import { gate, jsonReply, type Step, sseEvent, sseReply } from '../support/upstream.js';

const DONE = '{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}';
const PROGRESS =
  '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1}}';
const SERVER_REQUEST = '{"jsonrpc":"2.0","id":9,"method":"roots/list"}';
const WANTS_PROGRESS = { meta: { progressToken: 'p' } };

function pairOf(steps: readonly Step[], config?: GatewayConfig) {
  return startPair(() => sseReply(steps), config);
}

function openTool(url: string) {
  return open(url, 'tools/call', { params: { name: 'book', arguments: {} }, ...WANTS_PROGRESS });
}

describe('the head of a stream', () => {
  it('says how to treat it, whatever the upstream said', async () => {
    const headers = {
      'content-type': 'Text/Event-Stream; charset=UTF-8',
      'cache-control': 'max-age=5',
      'x-accel-buffering': 'yes',
      'x-own': 'kept',
    };
    const { url, gateway } = await startPair(() => ({ headers, body: [sseEvent(DONE)] }));
    const answer = await callTool(url, 'book');
    expect(answer.text).toBe(`event: message\ndata: ${DONE}\n\n`);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-own': 'kept',
    });
    expect(await gateway.ended(0)).toMatchObject({ outcome: 'ok', status: 200, stream: true });
  });

  it('waits for the first judged message, so that its refusal has a status of its own', async () => {
    const refused = gate();
    const { url, upstream, gateway } = await pairOf([
      ': early\n\ndata: {}\n\n',
      refused.opened,
      sseEvent(SERVER_REQUEST),
    ]);
    const answer = openTool(url);
    await upstream.request(0);
    refused.open();
    const { status, headers, message } = await receive(await answer);
    expect({ status, type: headers.get('content-type') }).toEqual({ status: 200, type: 'application/json' });
    expect(message).toMatchObject({ id: 1, error: { code: -32603, data: { rule: 'no-server-request' } } });
    expect(await gateway.ended(0)).toMatchObject({ outcome: 'refused_outbound', status: 200 });
  });

  it('waits no longer than to the first ping', async () => {
    const refused = gate();
    const steps = [': early\n\n', refused.opened, sseEvent(SERVER_REQUEST)];
    const { url } = await pairOf(steps, { timeouts: { ssePingMs: 20 } });
    const answer = await openTool(url);
    expect({ status: answer.status, type: answer.headers.get('content-type') }).toEqual({
      status: 200,
      type: 'text/event-stream',
    });
    const reader = new EventReader(answer);
    expect(await reader.next()).toBe(': early');
    expect(await reader.next()).toBe(': ping');
    expect(await reader.next()).toBe(': ping');
    refused.open();
    expect(await reader.nextMessage()).toMatchObject({
      id: 1,
      error: { data: { rule: 'no-server-request' } },
    });
    expect(await reader.next()).toBeUndefined();
  });

  it.each([400, 500, 300])('is not passed on with status %d', async (status) => {
    const { url } = await startPair(() => ({ ...sseReply([sseEvent(DONE)]), status }));
    const answer = await callTool(url, 'book');
    expect(answer.status).toBe(502);
    expect(answer.message).toMatchObject({
      id: 1,
      error: { code: -32603, data: { rule: 'response-readable' } },
    });
  });

  it('is not passed on in answer to a notification', async () => {
    const { url } = await pairOf([sseEvent(DONE)]);
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/x' });
    const answer = await fetch(url, { method: 'POST', headers: requestHeaders('notifications/x'), body });
    expect([answer.status, await answer.text()]).toEqual([202, '']);
  });
});

describe('a comment', () => {
  it('passes at once when the stream has begun, also between the lines of an event', async () => {
    const rest = gate();
    const { url } = await pairOf([
      sseEvent(PROGRESS),
      ':heartbeat\r\n',
      'data: {"jsonrpc":"2.0",\n: between\n',
      rest.opened,
      `data: ${DONE.slice(17)}\n\n`,
    ]);
    const reader = new EventReader(await openTool(url));
    expect(await reader.nextMessage()).toMatchObject({ method: 'notifications/progress' });
    expect(await reader.next()).toBe(':heartbeat');
    expect(await reader.next()).toBe(': between');
    rest.open();
    expect(await reader.nextMessage()).toMatchObject({ id: 1, result: {} });
  });

  it('waits before that, up to a bound', async () => {
    const { url } = await pairOf([
      ...Array.from({ length: 64 }, () => `:${'x'.repeat(1023)}\n`),
      sseEvent(DONE),
    ]);
    const { text } = await callTool(url, 'book');
    const comments = text.match(/^:x+$/gm) ?? [];
    expect(comments).toHaveLength(15);
    expect(text.endsWith(`data: ${DONE}\n\n`)).toBe(true);
  });
});

const DROPPED: Readonly<Record<string, string>> = {
  'a refused notification': sseEvent(
    '{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{}}',
  ),
  'a log message that nobody asked for': sseEvent(
    '{"jsonrpc":"2.0","method":"notifications/message","params":{}}',
  ),
  'progress under another token': sseEvent(PROGRESS.replace('"p"', '"q"')),
  'a notification that is none by its name': sseEvent('{"jsonrpc":"2.0","method":"roots/list"}'),
  'empty data': 'data:\n\n',
  'data of spaces': 'data:   \n\n',
  'no JSON': sseEvent('[DONE]'),
  'half an object': sseEvent('{"jsonrpc":'),
  'no object': sseEvent('42'),
  'a batch': sseEvent(`[${DONE}]`),
  'a notification whose params are a list': sseEvent(
    '{"jsonrpc":"2.0","method":"notifications/x-own","params":[1]}',
  ),
  'a notification whose params are text': sseEvent(
    '{"jsonrpc":"2.0","method":"notifications/x-own","params":"x"}',
  ),
  'an object that is no message': sseEvent('{"type":"heartbeat"}'),
  'an event without data': 'event: ping\nid: 7\n\n',
};

describe.each([
  ['at the beginning of a stream', []],
  ['after other events', [sseEvent(PROGRESS)]],
] as const)('%s', (_, before) => {
  it.each(Object.entries(DROPPED))('%s is dropped and the stream goes on', async (_, event) => {
    const { url, gateway } = await pairOf([...before, event, sseEvent(DONE)]);
    const answer = await callTool(url, 'book', {}, WANTS_PROGRESS);
    expect(answer.status).toBe(200);
    expect(answer.events).toEqual([...before.map(() => PROGRESS), DONE]);
    expect((await gateway.ended(0)).outcome).toBe('ok');
  });
});

describe('a notification that was asked for', () => {
  it('passes, and so does any other one', async () => {
    const log = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}';
    const odd = '{"jsonrpc":"2.0","method":"notifications/x-own","params":{"n":18446744073709551615}}';
    const { url } = await pairOf([PROGRESS, log, odd, DONE].map((message) => sseEvent(message)));
    const answer = await callTool(
      url,
      'book',
      {},
      { meta: { progressToken: 'p', [META_LOG_LEVEL]: 'info' } },
    );
    expect(answer.events).toEqual([PROGRESS, log, odd, DONE]);
  });
});

const REFUSED: Readonly<Record<string, { readonly event: string | Buffer; readonly rule: string }>> = {
  'a request of the server': { event: sseEvent(SERVER_REQUEST), rule: 'no-server-request' },
  'a request of the server with id 0': {
    event: sseEvent('{"jsonrpc":"2.0","id":0,"method":"sampling/createMessage","params":{}}'),
    rule: 'no-server-request',
  },
  'a notification with a member twice': {
    event: sseEvent('{"jsonrpc":"2.0","method":"notifications/x","method":"notifications/y"}'),
    rule: 'response-readable',
  },
  'an object with a member almost of the protocol': {
    event: sseEvent('{"jsonrpc":"2.0","Method":"roots/list","id":4}'),
    rule: 'response-readable',
  },
  'an event that is no UTF-8': {
    event: Buffer.concat([
      Buffer.from('data: {"jsonrpc":"2.0","method":"notifications/'),
      Buffer.from([0xff]),
      Buffer.from('"}\n\n'),
    ]),
    rule: 'response-readable',
  },
  'an event that nests too deeply': {
    event: sseEvent(
      `{"jsonrpc":"2.0","method":"notifications/x","params":{"a":${'['.repeat(600)}${']'.repeat(600)}}}`,
    ),
    rule: 'response-readable',
  },
  'an event that is too large': {
    event: sseEvent(`{"jsonrpc":"2.0","method":"notifications/x","params":{"a":"${'x'.repeat(5000)}"}}`),
    rule: 'response-readable',
  },
  'a line without end that is too large': { event: `foo: ${'x'.repeat(5000)}`, rule: 'response-readable' },
  'a response to another request': {
    event: sseEvent(DONE.replace('1', '"1"')),
    rule: 'response-answers-request',
  },
};

describe.each(Object.entries(REFUSED))('%s', (_, { event, rule }) => {
  const config = { limits: { eventBytes: 4096 } };

  it('is refused as the reply when it comes first, and the upstream is told', async () => {
    const { url, upstream, gateway } = await startPair(() => sseReply([event], 'stay-open'), config);
    const answer = await callTool(url, 'book');
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.message).toMatchObject({ id: 1, error: { code: -32603, data: { rule } } });
    await (await upstream.request(0)).aborted;
    expect(findings(gateway)).toEqual([rule]);
  });

  it('is refused as the last event later', async () => {
    const { url, upstream } = await startPair(
      () => sseReply([sseEvent(PROGRESS), event], 'stay-open'),
      config,
    );
    const answer = await callTool(url, 'book', {}, WANTS_PROGRESS);
    expect(answer.status).toBe(200);
    expect(answer.events).toHaveLength(2);
    expect(answer.message).toMatchObject({ id: 1, error: { code: -32603, data: { rule } } });
    await (await upstream.request(0)).aborted;
  });
});

describe('the end of a stream', () => {
  const CUT: Readonly<Record<string, readonly Step[]>> = {
    'without a response': [],
    'within its last event': [`data: ${DONE}\n`],
    'within a line': [`data: ${DONE}`],
  };
  it.each(Object.entries(CUT))('%s is 502 when nothing came before', async (_, steps) => {
    const { url, gateway } = await pairOf(steps);
    const answer = await callTool(url, 'book');
    expect(answer.status).toBe(502);
    expect(answer.message).toMatchObject({ id: 1, error: { code: -32603 } });
    expect((await gateway.ended(0)).outcome).toBe('upstream_failed');
  });

  it.each(Object.entries(CUT))('%s is an error event later', async (_, steps) => {
    const { url, gateway } = await pairOf([sseEvent(PROGRESS), ...steps]);
    const answer = await callTool(url, 'book', {}, { ...WANTS_PROGRESS, id: 'a"b' });
    expect(answer.events).toHaveLength(2);
    expect(answer.message).toMatchObject({ jsonrpc: '2.0', id: 'a"b', error: { code: -32603 } });
    expect(upstreamFailures(gateway)).toEqual(['reset']);
  });

  it('comes when the upstream is cut off, with an error event for the exact id', async () => {
    const { url, gateway } = await startPair(() => sseReply([sseEvent(PROGRESS)], 'destroy'));
    const body = requestText('tools/call', { params: { name: 'book', arguments: {} }, ...WANTS_PROGRESS });
    const fields = Object.entries(requestHeaders('tools/call', { params: { name: 'book' } }));
    const answer = await sendRaw(
      gateway.port,
      rawRequest(
        'POST /mcp',
        fields.map(([name, value]) => `${name}: ${value}`),
        body.replace('"id":1', '"id":12345678901234567890'),
      ),
    );
    expect(url).toBe(gateway.url);
    expect(answer.text).toContain('"id":12345678901234567890,"error":{"code":-32603');
  });

  it('comes with the response: nothing after it reaches the client', async () => {
    const late = gate();
    const steps = [[sseEvent(DONE), sseEvent(PROGRESS), ': x\n'].join(''), late.opened, sseEvent(DONE)];
    const { url, upstream } = await startPair(() => sseReply(steps, 'stay-open'));
    const answer = await callTool(url, 'book', {}, WANTS_PROGRESS);
    expect(answer.text).toBe(`event: message\ndata: ${DONE}\n\n`);
    late.open();
    await (await upstream.request(0)).aborted;
  });

  it('leaves the connection to the upstream usable when the upstream ends it too', async () => {
    const { url, upstream } = await pairOf([sseEvent(DONE)]);
    await callTool(url, 'book');
    await (await upstream.request(0)).closed;
    const answer = await callTool(url, 'book');
    expect(answer.events).toEqual([DONE]);
  });
});

describe('an answer that is no stream', () => {
  it('keeps its own way on the same route', async () => {
    const { url, gateway } = await startPair(() => jsonReply(DONE));
    const answer = await callTool(url, 'book');
    expect([answer.status, answer.text]).toEqual([200, DONE]);
    expect((await gateway.ended(0)).stream).toBe(false);
  });
});
