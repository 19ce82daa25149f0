import { describe, expect, it } from 'vitest';
import { FORM, open } from '../support/client.js';
import { jsonReply, sseEvent, sseReply } from '../support/upstream.js';
import { ANSWERED, exchange, expectRefusal, start, streamed } from './exchange.js';

const ASKING = { capabilities: FORM, meta: { progressToken: 'p' } };
const REFUSED = { status: 200, code: -32603, rule: 'no-server-request' };
const PROGRESS = {
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken: 'p', progress: 1 },
};

/** Requests that servers of earlier revisions send to their clients. */
const REQUESTS: readonly (readonly [string, Record<string, unknown>])[] = [
  [
    'an elicitation',
    {
      jsonrpc: '2.0',
      id: 'theirs',
      method: 'elicitation/create',
      params: { mode: 'form', message: 'm', requestedSchema: { type: 'object', properties: {} } },
    },
  ],
  ['a request for roots with id 0', { jsonrpc: '2.0', id: 0, method: 'roots/list' }],
  [
    'sampling under the id of the client’s own request',
    { jsonrpc: '2.0', id: 1, method: 'sampling/createMessage', params: {} },
  ],
  ['a ping', { jsonrpc: '2.0', id: 'theirs', method: 'ping' }],
  ['a method that nobody knows', { jsonrpc: '2.0', id: 'theirs', method: 'com.example/ask' }],
  ['a request whose id is null', { jsonrpc: '2.0', id: null, method: 'roots/list' }],
];

describe.each(REQUESTS)('a server that sends %s', (_, request) => {
  it('in a stream: the client gets an error instead, and the server is told to stop', async () => {
    const pair = await start(() => sseReply(`event: message\n${sseEvent(request)}: wait\n\n`, 'stay-open'));
    const answer = await open(pair.url, 'tools/call', { params: { name: 'book' }, ...ASKING });
    const text = await answer.text();
    expect(text).not.toContain(`"${request.method}"`);
    expect([answer.status, JSON.parse(text).id, JSON.parse(text).error.data.rule]).toEqual([
      200,
      1,
      REFUSED.rule,
    ]);
    await (await pair.upstream.request(0)).aborted;
  });

  it('after a notification: the stream ends with the error', async () => {
    const pair = await start(() => sseReply(`${sseEvent(PROGRESS)}${sseEvent(request)}`, 'stay-open'));
    const answer = await open(pair.url, 'tools/call', { params: { name: 'book' }, ...ASKING });
    const events = (await answer.text())
      .split('\n\n')
      .flatMap((block) => /^data: (.*)$/m.exec(block)?.[1] ?? []);
    expect(events.map((event) => JSON.parse(event))).toEqual([
      PROGRESS,
      { jsonrpc: '2.0', id: 1, error: expect.objectContaining({ code: REFUSED.code }) },
    ]);
    await (await pair.upstream.request(0)).aborted;
  });

  it('as a JSON body: the client gets an error instead', async () => {
    expectRefusal(await exchange({ ...ASKING, reply: request }), REFUSED);
  });
});

describe('what is no request of the server', () => {
  it('is not made one by having a result as well: it is neither, and refused', async () => {
    const both = { jsonrpc: '2.0', id: 1, method: 'roots/list', result: {} };
    for (const reply of [both, streamed(both)])
      expectRefusal(await exchange({ reply }), { status: 502, code: -32603, rule: 'response-readable' });
  });

  it('flows on: a notification, then the result', async () => {
    const answer = await exchange({
      ...ASKING,
      reply: streamed(`${sseEvent(PROGRESS)}${sseEvent(ANSWERED)}`),
    });
    expect(answer.events.map((event) => JSON.parse(event))).toEqual([PROGRESS, ANSWERED]);
  });

  it('may speak of methods in its content', async () => {
    const result = {
      resultType: 'complete',
      content: [{ type: 'text', text: '{"method":"roots/list","id":1}' }],
      structuredContent: { id: 1, method: 'roots/list' },
    };
    const answer = await exchange({ reply: jsonReply({ jsonrpc: '2.0', id: 1, result }) });
    expect(answer.message.result).toEqual(result);
  });

  it('includes a request of the server in mode report: it is counted and passed on', async () => {
    const reply = streamed(`${sseEvent(REQUESTS[0]?.[1])}${sseEvent(ANSWERED)}`);
    const answer = await exchange({ ...ASKING, reply, config: { route: { mode: 'report' } } });
    expect(answer.events).toHaveLength(2);
  });
});
