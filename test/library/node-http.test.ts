import { Registry } from 'prom-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createGateway, type Gateway, type GatewayOptions } from '../../src/index.js';
import { call, callTool, EventReader, open, requestHeaders, requestText } from '../support/client.js';
import { gate, resultReply, sseEvent, sseReply, type Upstream } from '../support/upstream.js';
import { serve, startServer } from './mount.js';

const SUBSCRIPTION = { 'io.modelcontextprotocol/subscriptionId': 's1' };
const ACKNOWLEDGED = {
  jsonrpc: '2.0',
  method: 'notifications/subscriptions/acknowledged',
  params: { _meta: SUBSCRIPTION, notifications: { toolsListChanged: true } },
};
const LISTEN = { id: 's1', params: { notifications: { toolsListChanged: true } } };

async function mounted(
  upstream: Upstream,
  keys: object = {},
  options: GatewayOptions = {},
): Promise<{ gateway: Gateway; url: string }> {
  const gateway = createGateway(
    { ...keys, routes: [{ upstream: upstream.url, requestState: 'relay' }] },
    options,
  );
  onTestFinished(() => gateway.close());
  return { gateway, url: `${await serve((req, res) => gateway(req, res))}/mcp` };
}

describe('the gateway under node:http', () => {
  it('answers what is not its own with 404, since nobody is next', async () => {
    const { url } = await mounted(await startServer());
    const answer = await fetch(new URL('/elsewhere', url));
    expect([answer.status, await answer.json()]).toEqual([
      404,
      { jsonrpc: '2.0', error: { code: -32600, message: 'not found' } },
    ]);
  });

  it('calls next for what is not its own, as Connect does', async () => {
    const upstream = await startServer();
    const gateway = createGateway({ routes: [{ upstream: upstream.url, requestState: 'relay' }] });
    onTestFinished(() => gateway.close());
    const origin = await serve((req, res) => gateway(req, res, () => void res.end('next')));
    expect(await (await fetch(`${origin}/elsewhere`)).text()).toBe('next');
    expect((await callTool(`${origin}/mcp`, 'book')).status).toBe(200);
  });

  it('judges and forwards', async () => {
    const upstream = await startServer();
    const { url } = await mounted(upstream);
    expect((await callTool(url, 'book')).message.result.content[0].text).toBe('done');
    expect((await upstream.request(0)).text).toBe(
      requestText('tools/call', { params: { name: 'book', arguments: {} } }),
    );
  });
});

describe('close', () => {
  it('ends subscription streams with their closing result', async () => {
    const upstream = await startServer();
    upstream.answer(() => sseReply(sseEvent(ACKNOWLEDGED), 'stay-open'));
    const { gateway, url } = await mounted(upstream);
    const stream = new EventReader(await open(url, 'subscriptions/listen', LISTEN));
    expect((await stream.nextMessage()).method).toBe('notifications/subscriptions/acknowledged');
    const closed = gateway.close();
    expect(await stream.nextMessage()).toEqual({
      jsonrpc: '2.0',
      id: 's1',
      result: { resultType: 'complete', _meta: SUBSCRIPTION },
    });
    expect(await stream.nextMessage()).toBeUndefined();
    await closed;
    await (await upstream.request(0)).aborted;
  });

  it('lets an exchange in flight finish', async () => {
    const upstream = await startServer();
    const answered = gate();
    upstream.answer(async (request) => {
      await answered.opened;
      return resultReply(request, { resultType: 'complete' });
    });
    const { gateway, url } = await mounted(upstream);
    const answer = callTool(url, 'book');
    await upstream.request(0);
    const closed = gateway.close();
    answered.open();
    expect((await answer).message.result).toEqual({ resultType: 'complete' });
    await closed;
  });

  it('cuts an exchange that does not finish within drainMs', async () => {
    const upstream = await startServer();
    upstream.answer(() => ({ never: true }));
    const { gateway, url } = await mounted(upstream, { timeouts: { drainMs: 1 } });
    const answer = callTool(url, 'book', {}, { id: 7 });
    const request = await upstream.request(0);
    await gateway.close();
    expect(await answer).toMatchObject({ status: 502, message: { id: 7, error: { code: -32603 } } });
    await request.aborted;
  });

  it('is done once, however often it is asked for', async () => {
    const upstream = await startServer();
    const { gateway, url } = await mounted(upstream);
    await callTool(url, 'book');
    await Promise.all([gateway.close(), gateway.close()]);
    await gateway.close();
  });

  it('makes the gateway not ready, and later calls are told that the upstream is gone', async () => {
    const upstream = await startServer();
    const registry = new Registry();
    const { gateway, url } = await mounted(upstream, {}, { registry });
    expect(gateway.readiness().ready).toBe(true);
    await gateway.close();
    expect(gateway.readiness().ready).toBe(false);
    expect(await registry.metrics()).toContain('mrtr_gateway_ready 0');
    const answer = await call(url, 'tools/list', { id: 3 });
    expect([answer.status, answer.message.id, answer.message.error.code]).toEqual([502, 3, -32603]);
  });
});

describe('the options of the library', () => {
  it('are checked as the file is: every problem at once', () => {
    const config = { routes: [{ upstraem: 'http://127.0.0.1:9718/mcp' }], limts: {} };
    expect(() => createGateway(config)).toThrow(/limts[\s\S]*upstr|upstr[\s\S]*limts/);
  });

  it.each([[undefined], [null], ['gateway.yaml'], [[]]])('are no %j', (config) => {
    expect(() => createGateway(config)).toThrow('expected an object of configuration keys');
  });

  it('keep no metrics without a registry', async () => {
    const upstream = await startServer();
    const { url } = await mounted(upstream);
    expect((await fetch(url, { method: 'POST', headers: requestHeaders('tools/list') })).status).toBe(400);
  });
});
