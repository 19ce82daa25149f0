/** How long streams may be silent, and who is to blame for it. */
import { describe, expect, it } from 'vitest';
import { callTool, EventReader, open, requestHeaders, requestText } from '../support/client.js';
import { upstreamFailures } from '../support/counts.js';
import { startPair } from '../support/pair.js';
import { parseAnswer, rawRequest } from '../support/raw.js';
import { atRest, sendUnread } from '../support/slow-client.js';
import { gate, sseEvent, sseReply } from '../support/upstream.js';

const DONE = '{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}';
const PROGRESS =
  '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1}}';
const TOOL = { params: { name: 'book', arguments: {} }, meta: { progressToken: 'p' } };

describe('a stream that falls silent', () => {
  it('before its first message is 504 after streamIdleMs', async () => {
    const { url, upstream, gateway } = await startPair(() => sseReply([': x\n\n'], 'stay-open'), {
      timeouts: { streamIdleMs: 50 },
    });
    const answer = await callTool(url, 'book');
    expect(answer.status).toBe(504);
    expect(answer.message).toMatchObject({ id: 1, error: { code: -32603 } });
    await (await upstream.request(0)).aborted;
    expect((await gateway.ended(0)).outcome).toBe('upstream_failed');
    expect(upstreamFailures(gateway)).toEqual(['timeout']);
  });

  it.each(['tools/call', 'subscriptions/listen'])('later ends with an error event: %s', async (method) => {
    const notification = '{"jsonrpc":"2.0","method":"notifications/x","params":{}}';
    const { url, upstream } = await startPair(() => sseReply([sseEvent(notification)], 'stay-open'), {
      timeouts: { streamIdleMs: 50 },
    });
    const params = method === 'tools/call' ? TOOL.params : { notifications: {} };
    const reader = new EventReader(await open(url, method, { params }));
    await reader.nextMessage();
    expect(await reader.nextMessage()).toMatchObject({ id: 1, error: { code: -32603 } });
    expect(await reader.next()).toBeUndefined();
    await (await upstream.request(0)).aborted;
  });

  it('is kept open by pings, and by bodyIdleMs not closed', async () => {
    const rest = gate();
    const steps = [sseEvent(PROGRESS), rest.opened, sseEvent(DONE)];
    const { url } = await startPair(() => sseReply(steps), { timeouts: { ssePingMs: 20, bodyIdleMs: 10 } });
    const reader = new EventReader(await open(url, 'tools/call', TOOL));
    await reader.nextMessage();
    for (let n = 0; n < 3; n += 1) expect(await reader.next()).toBe(': ping');
    rest.open();
    expect(await reader.nextMessage()).toMatchObject({ id: 1, result: {} });
  });

  it('gets no pings where they are turned off', async () => {
    const rest = gate();
    const steps = [sseEvent(PROGRESS), rest.opened, sseEvent(DONE)];
    const { url } = await startPair(() => sseReply(steps), { timeouts: { ssePingMs: 0 } });
    const reader = new EventReader(await open(url, 'tools/call', TOOL));
    await reader.nextMessage();
    rest.open();
    expect(await reader.next()).toBe(`event: message\ndata: ${DONE}`);
  });

  it('because its client does not read is not the upstream’s fault', async () => {
    const payload = 'x'.repeat(65_536);
    const notification = `{"jsonrpc":"2.0","method":"notifications/x","params":{"payload":"${payload}"}}`;
    const count = 400;
    const steps = [...Array.from({ length: count }, () => sseEvent(notification)), sseEvent(DONE)];
    const { gateway, upstream } = await startPair(() => sseReply(steps), {
      timeouts: { streamIdleMs: 400, ssePingMs: 20 },
    });
    const fields = Object.entries(requestHeaders('tools/call', TOOL)).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const client = await sendUnread(
      gateway.port,
      rawRequest('POST /mcp', fields, requestText('tools/call', TOOL)),
    );
    const { taken } = await upstream.request(0);
    for (let n = 0; n < 3; n += 1) await atRest(taken);
    const { text } = parseAnswer(await client.rest());
    expect(text.split('\n').filter((line) => line.startsWith('data: '))).toHaveLength(count + 1);
    expect(text.endsWith(`data: ${DONE}\n\n`)).toBe(true);
    expect((await gateway.ended(0)).outcome).toBe('ok');
  });
});

describe('an upstream that does not begin its answer', () => {
  it('is 504 after headersMs', async () => {
    const { url, upstream, gateway } = await startPair(() => ({ never: true }), {
      timeouts: { headersMs: 50 },
    });
    const answer = await callTool(url, 'book');
    expect(answer.status).toBe(504);
    expect(answer.message).toMatchObject({ id: 1, error: { code: -32603 } });
    await (await upstream.request(0)).aborted;
    expect(upstreamFailures(gateway)).toEqual(['timeout']);
  });
});
