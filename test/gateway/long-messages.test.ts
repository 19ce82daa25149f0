/** Long messages: what they weigh while they are read, and what is still known of them when they are answered. */
import { describe, expect, it } from 'vitest';
import { createAudit } from '../../src/adapters/audit.js';
import { LONG_BYTES } from '../../src/protocol/weight.js';
import { ACCEPT, answer, book, FORM as QUESTION, startSealing, tokenOf } from '../seal/asking.js';
import { call, callTool, FORM, open, type Received } from '../support/client.js';
import { buffered, findings, limitRejections } from '../support/counts.js';
import { type Gateway, startPair } from '../support/pair.js';
import {
  gate,
  type Reply,
  type ReplyFunction,
  resultReply,
  sseEvent,
  sseReply,
} from '../support/upstream.js';

const LONG = 'ü'.repeat(LONG_BYTES);
const DENSE = Array(2_000).fill({});
const BYTES = JSON.stringify(DENSE).length;
/** More than any of the messages here is long, less than the dense ones weigh. */
const limits = { requestBytes: 50_000, responseBytes: 50_000, eventBytes: 50_000, bufferedBytes: 60_000 };
const OVER = { code: -32603, message: 'the gateway holds too many bytes at once' };

const done: ReplyFunction = (request) => resultReply(request, { resultType: 'complete', content: [] });

function expectBusy({ status, headers, message }: Received): void {
  expect([status, headers.get('retry-after'), message.error]).toEqual([503, '1', OVER]);
}

async function expectNothingHeld(gateway: Gateway, exchanges: number): Promise<void> {
  await gateway.ended(exchanges - 1);
  expect(buffered(gateway).now).toBe(0);
}

describe('a request of many small values', () => {
  it('weighs more than its bytes while it is read, and no more than those while its answer is awaited', async () => {
    const opened = gate();
    const { gateway, upstream, url } = await startPair(async (request, n) => {
      await opened.opened;
      return done(request, n);
    });
    const answered = callTool(url, 'book', { dense: DENSE });
    const { body } = await upstream.request(0);
    expect(buffered(gateway).most).toBeGreaterThan(20 * BYTES);
    expect(buffered(gateway).now).toBe(body.length);
    opened.open();
    expect((await answered).status).toBe(200);
    await expectNothingHeld(gateway, 1);
  });

  it('is told to come again where there is no room for it, and a text of its length is served', async () => {
    const { gateway, upstream, url } = await startPair(done, { limits });
    const busy = await callTool(url, 'book', { dense: DENSE });
    expectBusy(busy);
    expect(await gateway.ended(0)).toMatchObject({ outcome: 'refused_inbound', status: 503 });
    expect((await callTool(url, 'book', { text: 'x'.repeat(BYTES) })).status).toBe(200);
    expect(upstream.requests).toHaveLength(1);
    expect(limitRejections(gateway)).toEqual(['bufferedBytes']);
    await expectNothingHeld(gateway, 2);
  });

  it('is found out from a body that was read before, too', async () => {
    const { gateway, url } = await startPair(done, { limits }, { trustParsedBody: true });
    expectBusy(await callTool(url, 'book', { dense: DENSE }));
    await expectNothingHeld(gateway, 1);
  });

  it.each([
    ['of a subscription', 'subscriptions/listen', { notifications: { more: DENSE } }, {}],
    [
      'whose arguments are audited',
      'tools/call',
      { name: 'book', arguments: { dense: DENSE } },
      { auditArguments: ['dense'] },
    ],
  ])('keeps its weight where it is kept: %s', async (_, method, params, tool) => {
    const { gateway, upstream, url } = await startPair(undefined, { route: { tools: { book: tool } } });
    const leave = new AbortController();
    const left = open(url, method, { params, signal: leave.signal }).catch(() => 'left');
    await upstream.request(0);
    expect(buffered(gateway).now).toBeGreaterThan(20 * BYTES);
    leave.abort();
    expect(await left).toBe('left');
    await expectNothingHeld(gateway, 1);
  });
});

describe('an answer of many small values', () => {
  const result = { resultType: 'complete', content: [], structuredContent: { dense: DENSE } };
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, result });
  const error = JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: 1, message: 'no', data: DENSE } });
  const json = { 'content-type': 'application/json' };

  it.each<readonly [string, number, Reply]>([
    ['a result', 200, { headers: json, body: message }],
    ['an error', 400, { status: 400, headers: json, body: error }],
    ['an event', 200, sseReply([sseEvent(message)])],
  ])(
    'is given up where there is no room for it, and weighs nothing afterwards: %s',
    async (_, status, reply) => {
      const narrow = await startPair(() => reply, { limits });
      expectBusy(await callTool(narrow.url, 'book'));
      expect(await narrow.gateway.ended(0)).toMatchObject({ outcome: 'upstream_failed', status: 503 });
      expect(limitRejections(narrow.gateway)).toEqual(['bufferedBytes']);
      await expectNothingHeld(narrow.gateway, 1);
      const wide = await startPair(() => reply);
      expect((await callTool(wide.url, 'book')).status).toBe(status);
      expect(buffered(wide.gateway).most).toBeGreaterThan(20 * BYTES);
      await expectNothingHeld(wide.gateway, 1);
    },
  );

  it('ends a stream that has begun', async () => {
    const log = {
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 'p', progress: 1 },
    };
    const events = [sseEvent(JSON.stringify(log)), sseEvent(message)];
    const { gateway, url } = await startPair(() => sseReply(events), { limits });
    const got = await callTool(url, 'book', {}, { meta: { progressToken: 'p' } });
    expect([got.events.length, got.message.error]).toEqual([2, OVER]);
    await expectNothingHeld(gateway, 1);
  });
});

describe('of a long request it is still known', () => {
  const meta = { progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'info' };

  it('what it asked for by the way', async () => {
    const notification = (method: string, params: object) =>
      sseEvent(JSON.stringify({ jsonrpc: '2.0', method, params }));
    const result = { resultType: 'complete', content: [] };
    const events = [
      notification('notifications/progress', { progressToken: 'p', progress: 1 }),
      notification('notifications/message', { level: 'info', data: 'x' }),
      sseEvent(JSON.stringify({ jsonrpc: '2.0', id: 1, result })),
    ];
    const { gateway, url } = await startPair(() => sseReply(events));
    expect((await callTool(url, 'book', { text: LONG }, { meta })).events).toHaveLength(3);
    expect(findings(gateway)).toEqual([]);
    const { exchange } = await gateway.ended(0);
    expect(exchange?.message).toMatchObject({ method: 'tools/call', params: { name: 'book' } });
  });

  it('what it filters', async () => {
    const notifications = { toolsListChanged: true, resourceSubscriptions: [`file:///${LONG}`] };
    const tagged = (method: string, params: object) =>
      sseEvent(
        JSON.stringify({
          jsonrpc: '2.0',
          method,
          params: { ...params, _meta: { 'io.modelcontextprotocol/subscriptionId': 1 } },
        }),
      );
    const events = [
      tagged('notifications/subscriptions/acknowledged', { notifications }),
      tagged('notifications/resources/updated', { uri: `file:///${LONG}` }),
    ];
    const { gateway, url } = await startPair(() => sseReply(events), {
      route: { rules: { 'listen-filtered': 'enforce' } },
    });
    const got = await call(url, 'subscriptions/listen', { params: { notifications } });
    expect(got.events).toHaveLength(2);
    expect(findings(gateway)).toEqual([]);
  });

  it.each([
    [{}, { isError: true, content: [{ type: 'text', text: 'missing required argument: command' }] }],
    [{ command: null }, undefined],
  ])('which of the arguments that are asked for it had: %j', async (args, result) => {
    const asked = { ask: QUESTION };
    const { url } = await startPair(
      (request) => resultReply(request, { resultType: 'input_required', inputRequests: asked }),
      { route: { tools: { book: { elicits: ['command'] } } } },
    );
    const { message } = await callTool(url, 'book', { ...args, text: LONG });
    expect(message.result).toEqual(result && { resultType: 'complete', ...result });
    expect(message.error?.code).toBe(result === undefined ? -32021 : undefined);
  });

  it('whether its client may get what no rule knows', async () => {
    const capabilities = {
      ...FORM,
      extensions: { 'io.modelcontextprotocol/tasks': {}, 'com.example/x': {} },
    };
    const { url } = await startPair((request) =>
      resultReply(request, { resultType: 'example', content: [] }),
    );
    expect((await callTool(url, 'book', { text: LONG }, { capabilities })).message.result.resultType).toBe(
      'example',
    );
  });

  it('what the audit log is to say', async () => {
    const lines: string[] = [];
    const audit = { write: (line: string) => void lines.push(line) };
    const observer = createAudit({ audit, enabled: () => true } as unknown as Parameters<
      typeof createAudit
    >[0]);
    const { gateway, url } = await startPair(done, {
      route: { tools: { book: { auditArguments: ['seats'] } } },
    });
    for (const name of ['book', 'other']) await callTool(url, name, { seats: [1, 2], text: LONG });
    for (const n of [0, 1]) observer.ended?.(await gateway.ended(n));
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { name: 'book', arguments: { seats: '[1,2]' } },
      { name: 'other', outcome: 'ok' },
    ]);
  });

  it('what its state is bound to', async () => {
    const { upstream } = await startPair((request) => {
      const { requestState } = request.json().params ?? {};
      if (requestState !== undefined) return resultReply(request, { resultType: 'complete', content: [] });
      return resultReply(request, {
        resultType: 'input_required',
        inputRequests: { ask: QUESTION },
        requestState: 's',
      });
    });
    const { url } = await startSealing(upstream.url);
    const params = { name: 'book', arguments: { city: LONG } };
    const token = await tokenOf(url, { params });
    expect((await answer(url, token, { params })).message.result.resultType).toBe('complete');
    expect(upstream.requests[1]?.json().params).toMatchObject({
      ...params,
      requestState: 's',
      inputResponses: ACCEPT,
    });
    const other = { name: 'book', arguments: { city: `${LONG}!` } };
    expect((await answer(url, token, { params: other })).message.error.data.rule).toBe(
      'request-state-accepted',
    );
    expect((await book(url, { params })).status).toBe(200);
  });
});
