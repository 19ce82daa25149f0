/** What streams may take up: how many at once, and how much of them may be held. */
import { describe, expect, it } from 'vitest';
import { META_SUBSCRIPTION_ID } from '../../src/protocol/constants.js';
import { callTool, EventReader, open, receive } from '../support/client.js';
import { buffered, limitRejections, openStreams } from '../support/counts.js';
import { startPair } from '../support/pair.js';
import { gate, resultReply, sseEvent, sseReply } from '../support/upstream.js';

const DONE = '{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}';
const PROGRESS =
  '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1}}';
const TOOL = { params: { name: 'book', arguments: {} }, meta: { progressToken: 'p' } };
const LISTEN = { id: 's1', params: { notifications: { toolsListChanged: true } } };
const ACKNOWLEDGED = JSON.stringify({
  jsonrpc: '2.0',
  method: 'notifications/subscriptions/acknowledged',
  params: { _meta: { [META_SUBSCRIPTION_ID]: 's1' }, notifications: {} },
});

describe('the number of streams', () => {
  it('is limited: one too many is told to come again, and its upstream is told', async () => {
    const { url, upstream, gateway } = await startPair(
      () => sseReply([sseEvent(ACKNOWLEDGED)], 'stay-open'),
      {
        limits: { streams: 1 },
      },
    );
    const first = new EventReader(await open(url, 'subscriptions/listen', LISTEN));
    await first.nextMessage();
    const { status, headers, message } = await receive(await open(url, 'subscriptions/listen', LISTEN));
    expect({ status, retryAfter: headers.get('retry-after') }).toEqual({ status: 503, retryAfter: '1' });
    expect(message).toMatchObject({ jsonrpc: '2.0', id: 's1', error: { code: -32603 } });
    await (await upstream.request(1)).aborted;
    expect(limitRejections(gateway)).toEqual(['streams']);
    await first.leave();
    await gateway.ended(1);
    expect(openStreams(gateway)).toBe(0);
    const third = new EventReader(await open(url, 'subscriptions/listen', LISTEN));
    expect(await third.nextMessage()).toMatchObject({ method: 'notifications/subscriptions/acknowledged' });
    await third.leave();
  });

  it('is counted apart from the exchanges that are no streams', async () => {
    const limits = { streams: 1, exchanges: 1 };
    const { url, upstream, gateway } = await startPair(
      () => sseReply([sseEvent(ACKNOWLEDGED)], 'stay-open'),
      { limits },
    );
    const stream = new EventReader(await open(url, 'subscriptions/listen', LISTEN));
    await stream.nextMessage();
    const answered = gate();
    upstream.answer(async (request) => {
      await answered.opened;
      return resultReply(request, { resultType: 'complete', content: [] });
    });
    const second = open(url, 'tools/call', TOOL);
    await upstream.request(1);
    const third = await callTool(url, 'book');
    expect([third.status, third.headers.get('retry-after')]).toEqual([503, '1']);
    answered.open();
    expect((await second).status).toBe(200);
    expect(limitRejections(gateway)).toEqual(['exchanges']);
    await stream.leave();
  });
});

describe('what is remembered of a stream that finds fault for as long as it lasts', () => {
  const unasked = sseEvent('{"jsonrpc":"2.0","method":"notifications/message","params":{}}');
  const request = sseEvent('{"jsonrpc":"2.0","id":7,"method":"roots/list"}');

  it.each([
    ['its response', sseEvent(DONE), { rule: 'log-level-requested' }, 'ok'],
    ['what ended it', request, { rule: 'no-server-request' }, 'refused_outbound'],
  ])('is bounded, and %s is among it', async (_, last, { rule }, outcome) => {
    const { url, gateway } = await startPair(() => sseReply([...Array(200).fill(unasked), last]));
    await callTool(url, 'book', {}, TOOL);
    const summary = await gateway.ended(0);
    expect(summary.outcome).toBe(outcome);
    expect(summary.decisions.length).toBeLessThanOrEqual(51);
    expect(summary.decisions.at(-1)?.decision.findings[0]?.rule.id).toBe(rule);
    expect(summary.findingsOmitted).toBe(150);
    expect(gateway.told.filter(({ event }) => event === 'decided').length).toBeGreaterThanOrEqual(200);
  });
});

describe('what is held of an event until it is whole', () => {
  const limits = { requestBytes: 2048, responseBytes: 2048, eventBytes: 16_384, bufferedBytes: 16_384 };
  const part = `data: {"x":"${'y'.repeat(8000)}`;

  it('counts, and no longer than until then', async () => {
    const rest = gate();
    const { url, gateway } = await startPair(
      () => sseReply([sseEvent(PROGRESS), part, rest.opened, '"}\n\n', sseEvent(DONE)]),
      {
        limits,
      },
    );
    const reader = new EventReader(await open(url, 'tools/call', TOOL));
    await reader.nextMessage();
    await expect.poll(() => buffered(gateway).now).toBeGreaterThan(8000);
    rest.open();
    expect(await reader.nextMessage()).toMatchObject({ id: 1, result: {} });
    await gateway.ended(0);
    expect(buffered(gateway).now).toBe(0);
    expect(buffered(gateway).most).toBeLessThan(8000 + 1024);
  });

  it.each([0, 1])(
    'is refused where all exchanges together hold too much, after %d events',
    async (events) => {
      const first = Array.from({ length: events }, () => sseEvent(PROGRESS));
      const { url, upstream, gateway } = await startPair(() => sseReply([...first, part], 'stay-open'), {
        limits,
      });
      const holder = open(url, 'tools/call', TOOL).catch(() => undefined);
      await expect.poll(() => buffered(gateway).now).toBeGreaterThan(8000);
      const answer = await callTool(url, 'book', {}, TOOL);
      expect(answer.status).toBe(events === 0 ? 503 : 200);
      expect(answer.headers.get('retry-after')).toBe(events === 0 ? '1' : null);
      expect(answer.message).toMatchObject({ id: 1, error: { code: -32603 } });
      expect(answer.message.error.data).toBeUndefined();
      await (await upstream.request(1)).aborted;
      expect(limitRejections(gateway)).toEqual(['bufferedBytes']);
      upstream.answer(() => ({ never: true }));
      await gateway.close();
      await holder;
      await gateway.ended(1);
      expect(buffered(gateway).now).toBe(0);
    },
  );
});
