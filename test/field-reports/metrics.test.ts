import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { callTool, EventReader, open, post, requestHeaders, requestText } from '../support/client.js';
import { startPair } from '../support/pair.js';
import { errorReply, resultReply, sseEvent, sseReply } from '../support/upstream.js';
import { ANSWERED, DONE } from './exchange.js';

const CONFIG = { route: { requestState: 'forbid' } };

function seriesIn(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

/** Names of the series that the gateway itself keeps. */
function ownSeries(text: string): readonly string[] {
  return seriesIn(text)
    .filter((line) => line.startsWith('mrtr_gateway_'))
    .map((line) => line.slice(0, line.lastIndexOf(' ')));
}

describe('labels of metrics', () => {
  it('do not grow with the names that callers invent', async () => {
    const registry = new Registry();
    const { url } = await startPair(
      (request) => errorReply(request, 200, { code: -32602, message: 'Unknown tool' }),
      CONFIG,
      { registry },
    );
    const flood = async (from: number, to: number) => {
      for (let n = from; n < to; n += 1) {
        const meta = { 'io.modelcontextprotocol/clientInfo': { name: `client-${n}`, version: '1' } };
        const params = {
          name: `tool-${n}`,
          arguments: {},
          ...(n % 3 === 0 && { requestState: `state-${n}` }),
        };
        const method = n % 5 === 0 ? `com.example/method-${n}` : 'tools/call';
        const headers = {
          authorization: `Bearer secret-${n}`,
          ...(n % 7 === 0 && { 'mcp-name': `other-${n}` }),
        };
        await post(url, requestText(method, { params, meta }), requestHeaders(method, { params, headers }));
      }
    };
    await flood(0, 22);
    const few = ownSeries(await registry.metrics());
    await flood(22, 120);
    const text = await registry.metrics();
    expect(ownSeries(text)).toEqual(few);
    expect(text).not.toMatch(/tool-\d|client-\d|method-\d|state-\d|secret-\d|other-\d/);
    expect(text).toContain('method="other"');
  });

  it('cannot be broken out of by a name with quotes and line breaks', async () => {
    const registry = new Registry();
    const { url } = await startPair((request) => resultReply(request, DONE), CONFIG, { registry });
    const name = 'a"} 1\nfake_metric 1';
    const params = { name, arguments: {} };
    const headers = { 'mcp-name': `=?base64?${Buffer.from(name).toString('base64')}?=` };
    const answer = await post(
      url,
      requestText('tools/call', { params }),
      requestHeaders('tools/call', { params, headers }),
    );
    expect(answer.status).toBe(200);
    const text = await registry.metrics();
    expect(text).not.toContain('fake_metric');
    for (const line of seriesIn(text))
      expect(line).toMatch(/^[a-z_]+[a-z0-9_]*(\{([a-z_]+="[^"\\\n]*",?)+\})? [-+.\dea-zA-Z]+$/);
  });
});

describe('the duration of a stream', () => {
  it('is observed once, at its end, in buckets for long ones too', async () => {
    const registry = new Registry();
    const { url, gateway } = await startPair(() => sseReply(sseEvent(ANSWERED)), CONFIG, { registry });
    expect((await callTool(url, 'book')).message).toEqual(ANSWERED);
    await gateway.ended(0);
    const text = await registry.metrics();
    expect(text).toContain('mrtr_gateway_exchange_duration_seconds_count{route="mcp",method="tools/call"} 1');
    expect(text).toContain(
      'mrtr_gateway_exchange_duration_seconds_bucket{le="900",route="mcp",method="tools/call"} 1',
    );
    expect(text).toContain('mrtr_gateway_exchanges_in_flight{route="mcp"} 0');
    expect(text).toContain('mrtr_gateway_streams_open{route="mcp"} 0');
  });

  it('counts a stream that its client left as left', async () => {
    const registry = new Registry();
    const progress = {
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 'p', progress: 1 },
    };
    const { url, gateway } = await startPair(() => sseReply(sseEvent(progress), 'stay-open'), CONFIG, {
      registry,
    });
    const stream = new EventReader(
      await open(url, 'tools/call', { params: { name: 'book' }, meta: { progressToken: 'p' } }),
    );
    await stream.nextMessage();
    expect(await registry.metrics()).toContain('mrtr_gateway_streams_open{route="mcp"} 1');
    await stream.leave();
    await gateway.ended(0);
    const text = await registry.metrics();
    expect(text).toContain(
      'mrtr_gateway_exchanges_total{route="mcp",method="tools/call",outcome="client_gone"} 1',
    );
    expect(text).toContain('mrtr_gateway_streams_open{route="mcp"} 0');
    expect(text).toContain('mrtr_gateway_exchanges_in_flight{route="mcp"} 0');
  });
});
