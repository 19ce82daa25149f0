import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { callTool, type Received } from '../support/client.js';
import { type Gateway, startPair } from '../support/pair.js';
import { gate, type ReplyFunction, resultReply } from '../support/upstream.js';

const done: ReplyFunction = (request) => resultReply(request, { resultType: 'complete', content: [] });

function expectBusy(got: Received, message: string, id?: number): void {
  expect(got.status).toBe(503);
  expect(got.headers.get('retry-after')).toBe('1');
  expect(got.headers.get('content-type')).toBe('application/json');
  const error = { code: -32603, message };
  expect(got.message).toEqual(id === undefined ? { jsonrpc: '2.0', error } : { jsonrpc: '2.0', id, error });
}

function rejections({ told }: Gateway): unknown[] {
  return told.filter(({ event }) => event === 'limitRejected').map(({ args }) => args[0]);
}

/** Bytes held for judging by what the observer was told; 0 when all were given back. */
function held({ told }: Gateway): number {
  return told.filter(({ event }) => event === 'buffered').reduce((sum, { args }) => sum + Number(args[0]), 0);
}

describe('the number of exchanges at once', () => {
  const FULL = 'the gateway has too many exchanges in flight';

  it('is bounded, and one more may come when one has ended', async () => {
    const opened = gate();
    const { gateway, upstream, url } = await startPair(
      async (request, n) => {
        if (n < 2) await opened.opened;
        return done(request, n);
      },
      { limits: { exchanges: 2 } },
    );
    const first = [callTool(url, 'a'), callTool(url, 'b')];
    await upstream.request(1);
    expectBusy(await callTool(url, 'c'), FULL);
    expectBusy(await callTool(url, 'd'), FULL);
    expect(upstream.requests).toHaveLength(2);
    expect(await gateway.ended(1)).toMatchObject({ outcome: 'refused_inbound', status: 503 });
    opened.open();
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200]);
    await gateway.ended(3);
    expect((await callTool(url, 'e')).status).toBe(200);
    expect(rejections(gateway)).toEqual(['exchanges', 'exchanges']);
  });

  it.each([
    ['refused by a rule', { headers: { 'mcp-method': 'other' } }, 400],
    ['refused by its head', { headers: { 'content-type': 'text/plain' } }, 415],
  ])('is not used up by what is %s', async (_, options, status) => {
    const { gateway, url } = await startPair(done, { limits: { exchanges: 1 } });
    for (const n of [0, 1, 2]) {
      expect((await callTool(url, 'a', {}, options)).status).toBe(status);
      await gateway.ended(n);
    }
    expect((await callTool(url, 'a')).status).toBe(200);
  });

  it.each<readonly [string, ReplyFunction]>([
    ['is refused', () => ({ status: 302, headers: { location: '/' } })],
    ['breaks off', () => ({ raw: '' })],
    ['is too large', () => ({ headers: { 'content-type': 'application/json' }, body: 'x'.repeat(2_000) })],
  ])('is not used up by what the answer to %s', async (_, reply) => {
    const { gateway, upstream, url } = await startPair(reply, {
      limits: { exchanges: 1, responseBytes: 1_024 },
    });
    for (const n of [0, 1]) {
      expect((await callTool(url, 'a')).status).toBe(502);
      await gateway.ended(n);
    }
    upstream.answer(done);
    expect((await callTool(url, 'a')).status).toBe(200);
  });
});

describe('the bytes that are held for judging', () => {
  const limits = { requestBytes: 4_000, responseBytes: 4_000, eventBytes: 4_000, bufferedBytes: 5_000 };
  const FULL = 'the gateway holds too many bytes at once';

  it('are bounded over all requests, and given back when an exchange has ended', async () => {
    const opened = gate();
    const { gateway, upstream, url } = await startPair(
      async (request, n) => {
        if (n === 0) await opened.opened;
        return done(request, n);
      },
      { limits },
    );
    const large = { text: 'x'.repeat(3_000) };
    const first = callTool(url, 'a', large);
    await upstream.request(0);
    expectBusy(await callTool(url, 'b', large), FULL);
    expect(upstream.requests).toHaveLength(1);
    expect((await callTool(url, 'small')).status).toBe(200);
    opened.open();
    expect((await first).status).toBe(200);
    await gateway.ended(2);
    expect((await callTool(url, 'c', large)).status).toBe(200);
    await gateway.ended(3);
    expect(rejections(gateway)).toEqual(['bufferedBytes']);
    expect(held(gateway)).toBe(0);
  });

  const text = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    result: { resultType: 'complete', content: [{ type: 'text', text: 'x'.repeat(3_500) }] },
  });

  it.each([
    ['in one piece', { headers: { 'content-type': 'application/json' }, body: text }],
    [
      'in many pieces',
      { headers: { 'content-type': 'application/json' }, body: [text.slice(0, 2_000), text.slice(2_000)] },
    ],
    [
      'compressed',
      { headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' }, body: gzipSync(text) },
    ],
  ])('are those of an answer too, which is then given up: %s', async (_, reply) => {
    const { gateway, upstream, url } = await startPair(() => reply, { limits });
    expectBusy(await callTool(url, 'a', { text: 'x'.repeat(2_000) }), FULL, 1);
    expect(await gateway.ended(0)).toMatchObject({ outcome: 'upstream_failed', status: 503 });
    expect(rejections(gateway)).toEqual(['bufferedBytes']);
    expect(held(gateway)).toBe(0);
    expect((await callTool(url, 'a')).status).toBe(200);
    expect(upstream.requests).toHaveLength(2);
  });

  it('are given back when the client leaves', async () => {
    const { gateway, upstream, url } = await startPair(undefined, { limits });
    const leave = new AbortController();
    const answer = callTool(url, 'a', { text: 'x'.repeat(3_000) }, { signal: leave.signal }).catch(
      () => 'left',
    );
    await upstream.request(0);
    expect(held(gateway)).toBeGreaterThan(3_000);
    leave.abort();
    expect(await answer).toBe('left');
    await gateway.ended(0);
    expect(held(gateway)).toBe(0);
  });
});
