import express, { type Express, type RequestHandler } from 'express';
import { Registry } from 'prom-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createGateway, type Gateway, type GatewayOptions } from '../../src/index.js';
import { callTool, post, requestHeaders, requestText } from '../support/client.js';
import { rawRequest, sendRaw } from '../support/raw.js';
import type { Upstream } from '../support/upstream.js';
import { serve, startServer } from './mount.js';

const CONFIG = { routes: [{ upstream: 'http://127.0.0.1:9718/mcp', profile: 'ze' }] };
const STATE = { params: { requestState: 'carried-in-vain' } };

function gatewayTo(upstream: Upstream, route: object = {}, options: GatewayOptions = {}): Gateway {
  const gateway = createGateway({ routes: [{ upstream: upstream.url, profile: 'ze', ...route }] }, options);
  onTestFinished(() => gateway.close());
  return gateway;
}

function appWith(...mount: readonly RequestHandler[]): Express {
  const app = express();
  for (const one of mount) app.use(one);
  return app;
}

/** Two calls tell whether the gateway is in force: one that it lets through, byte for byte, and one that it refuses. */
async function expectInForce(url: string, upstream: Upstream): Promise<void> {
  const options = { params: { text: '18446744073709551615' } };
  const passed = await callTool(url, 'book', {}, options);
  expect(passed.status).toBe(200);
  expect(passed.message.result.content[0].text).toBe('done');
  expect((await upstream.request(0)).text).toBe(
    requestText('tools/call', { params: { name: 'book', arguments: {}, ...options.params } }),
  );
  const refused = await callTool(url, 'book', {}, STATE);
  expect(refused.status).toBe(400);
  expect(refused.message.error.data.rule).toBe('request-state-accepted');
  expect(upstream.requests).toHaveLength(1);
}

describe('the gateway in an Express app', () => {
  it('mounts with app.use at the root', async () => {
    const upstream = await startServer();
    const origin = await serve(appWith(gatewayTo(upstream)));
    await expectInForce(`${origin}/mcp`, upstream);
  });

  it('matches the whole path under a mount path', async () => {
    const upstream = await startServer();
    const app = express();
    app.use('/api', gatewayTo(upstream, { path: '/api/mcp' }));
    await expectInForce(`${await serve(app)}/api/mcp`, upstream);
  });

  it('mounts in a router within a router', async () => {
    const upstream = await startServer();
    const inner = express.Router().use('/tools', gatewayTo(upstream, { path: '/api/tools/mcp' }));
    const app = express().use('/api', express.Router().use(inner));
    await expectInForce(`${await serve(app)}/api/tools/mcp`, upstream);
  });

  it('mounts as the handler of a route', async () => {
    const upstream = await startServer();
    const app = express();
    app.post('/mcp', gatewayTo(upstream));
    await expectInForce(`${await serve(app)}/mcp`, upstream);
  });

  it('leaves every other path to the app, before and behind it', async () => {
    const upstream = await startServer();
    const app = express();
    app.get('/before', (_, res) => void res.json({ at: 'before' }));
    app.use(gatewayTo(upstream));
    app.post('/behind', express.json(), (req, res) => void res.json({ at: 'behind', got: req.body }));
    app.use((_, res) => void res.status(404).json({ at: 'nowhere' }));
    const origin = await serve(app);
    expect(await (await fetch(`${origin}/before`)).json()).toEqual({ at: 'before' });
    const behind = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' };
    expect(await (await fetch(`${origin}/behind`, behind)).json()).toEqual({ at: 'behind', got: { a: 1 } });
    expect(await (await fetch(`${origin}/elsewhere`)).json()).toEqual({ at: 'nowhere' });
    expect(upstream.requests).toHaveLength(0);
  });

  it('keeps the app from serving what only looks like the MCP path', async () => {
    const upstream = await startServer();
    const app = appWith(gatewayTo(upstream));
    app.use((_, res) => void res.send('served'));
    const origin = await serve(app);
    for (const path of ['/MCP', '/mcp/', '/%6dcp', '//mcp']) {
      const answer = await fetch(`${origin}${path}`, { method: 'POST' });
      expect([path, answer.status]).toEqual([path, 404]);
    }
  });

  it('serves several gateways side by side', async () => {
    const [one, other] = [await startServer(), await startServer()];
    const app = appWith(gatewayTo(one, { path: '/one' }), gatewayTo(other, { path: '/other' }));
    const origin = await serve(app);
    await expectInForce(`${origin}/one`, one);
    await expectInForce(`${origin}/other`, other);
  });

  it('passes the metadata path of a mounted route to the upstream’s own', async () => {
    const upstream = await startServer();
    upstream.answer(() => ({ headers: { 'content-type': 'application/json' }, body: '{"resource":"x"}' }));
    const app = express().use('/', gatewayTo(upstream, { path: '/api/mcp' }));
    const answer = await fetch(`${await serve(app)}/.well-known/oauth-protected-resource/api/mcp`);
    expect(await answer.json()).toEqual({ resource: 'x' });
    expect((await upstream.request(0)).target).toBe('/.well-known/oauth-protected-resource/mcp');
  });

  it('streams through the middleware of the app', async () => {
    const upstream = await startServer();
    upstream.answer((request) => ({
      headers: { 'content-type': 'text/event-stream' },
      body: `data: {"jsonrpc":"2.0","id":${request.json().id},"result":{"resultType":"complete"}}\n\n`,
    }));
    const origin = await serve(appWith(gatewayTo(upstream)));
    const answer = await callTool(`${origin}/mcp`, 'book');
    expect(answer.headers.get('x-accel-buffering')).toBe('no');
    expect(answer.message.result).toEqual({ resultType: 'complete' });
  });
});

describe('behind a body parser', () => {
  const KEEP_RAW = express.json({ verify: (req, _, bytes) => void Object.assign(req, { rawBody: bytes }) });

  it.each([
    ['express.json that keeps the raw body', KEEP_RAW],
    ['express.raw', express.raw({ type: 'application/json' })],
    ['express.raw of every type', express.raw({ type: () => true })],
    ['a parser of other types', express.urlencoded({ extended: true })],
  ])('judges and forwards the very bytes behind %s', async (_, mount) => {
    const upstream = await startServer();
    const origin = await serve(appWith(mount, gatewayTo(upstream)));
    await expectInForce(`${origin}/mcp`, upstream);
  });

  it.each([
    ['express.raw', express.raw({ type: 'application/json' })],
    ['express.json that keeps the raw body', KEEP_RAW],
  ])('holds its own limit and its own reading behind %s', async (_, mount) => {
    const upstream = await startServer();
    const gateway = createGateway({
      routes: [{ upstream: upstream.url, profile: 'ze' }],
      limits: { requestBytes: 1024 },
    });
    onTestFinished(() => gateway.close());
    const url = `${await serve(appWith(mount, gateway))}/mcp`;
    const large = await callTool(url, 'book', { text: 'x'.repeat(1024) });
    expect([large.status, large.message.error.data.rule]).toEqual([413, 'body-within-limit']);
    const twice = await post(url, '{"jsonrpc":"2.0","id":1,"id":2}', requestHeaders('tools/list'));
    expect([twice.status, twice.message.error.data.rule]).toEqual([400, 'json-unambiguous']);
    expect(upstream.requests).toHaveLength(0);
  });

  it.each([
    ['express.json', express.json()],
    ['express.text', express.text({ type: 'application/json' })],
  ])('refuses what %s has parsed, and says what to do', async (_, mount) => {
    const upstream = await startServer();
    const origin = await serve(appWith(mount, gatewayTo(upstream)));
    const answer = await callTool(`${origin}/mcp`, 'book');
    expect(answer.status).toBe(500);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.message.error).toEqual({
      code: -32603,
      message:
        'the request body was parsed before the gateway could read it: mount the gateway before the body parser',
    });
    expect(upstream.requests).toHaveLength(0);
  });

  it.each([
    ['express.json', express.json()],
    ['express.text', express.text({ type: 'application/json' })],
  ])('works behind %s when told to trust it', async (_, mount) => {
    const upstream = await startServer();
    const origin = await serve(appWith(mount, gatewayTo(upstream, {}, { trustParsedBody: true })));
    await expectInForce(`${origin}/mcp`, upstream);
  });

  it('refuses a trusted body that cannot be written again', async () => {
    const upstream = await startServer();
    const origin = await serve(appWith(express.json(), gatewayTo(upstream, {}, { trustParsedBody: true })));
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const body = requestText('tools/call', { params: { name: 'book', arguments: 0 } }).replace(
      '"arguments":0',
      `"arguments":{"deep":${deep}}`,
    );
    const answer = await post(
      `${origin}/mcp`,
      body,
      requestHeaders('tools/call', { params: { name: 'book' } }),
    );
    expect([answer.status, answer.message.error.code]).toEqual([400, -32600]);
    expect(upstream.requests).toHaveLength(0);
  });
});

describe('what an app’s caller gets when something fails', () => {
  it.each([
    ['a path that is disguised', { method: 'POST', path: '/mcp/', status: 404 }],
    ['a verb that is not served', { method: 'PUT', path: '/mcp', status: 405 }],
    ['a foreign origin', { method: 'POST', path: '/mcp', origin: 'https://evil.example', status: 403 }],
    ['a body without a type', { method: 'POST', path: '/mcp', status: 415 }],
  ] as const)('is JSON for %s', async (_, { method, path, status, ...headers }) => {
    const upstream = await startServer();
    const url = await serve(appWith(gatewayTo(upstream)));
    const answer = await fetch(`${url}${path}`, { method, headers });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/json']);
    expect(((await answer.json()) as { jsonrpc: string }).jsonrpc).toBe('2.0');
  });

  it('is JSON when the upstream cannot be reached', async () => {
    const upstream = await startServer();
    await upstream.close();
    const origin = await serve(appWith(gatewayTo(upstream)));
    const answer = await callTool(`${origin}/mcp`, 'book', {}, { id: 'a' });
    expect([answer.status, answer.message.id, answer.message.error.code]).toEqual([502, 'a', -32603]);
  });

  it('is JSON, and logged, when the gateway itself fails', async () => {
    const upstream = await startServer();
    const logged: object[] = [];
    const logger = { info: () => undefined, error: (fields: object) => void logged.push(fields) };
    const broken = express().use((req, _, next) => {
      Object.defineProperty(req, 'rawHeaders', {
        get: () => {
          throw new Error('internal detail');
        },
      });
      next();
    });
    const origin = await serve(broken.use(gatewayTo(upstream, {}, { logger })));
    const answer = await callTool(`${origin}/mcp`, 'book');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([500, 'application/json']);
    expect(answer.text).not.toContain('internal detail');
    expect(logged).toHaveLength(1);
  });
});

describe('what an app can see of its gateway', () => {
  it('finds metrics of exchanges and findings in the registry that it hands over', async () => {
    const upstream = await startServer();
    const registry = new Registry();
    const origin = await serve(appWith(gatewayTo(upstream, { name: 'books' }, { registry })));
    await callTool(`${origin}/mcp`, 'book');
    await callTool(`${origin}/mcp`, 'book', {}, STATE);
    const text = await registry.metrics();
    for (const line of [
      'mrtr_gateway_exchanges_total{route="books",method="tools/call",outcome="ok"} 1',
      'mrtr_gateway_exchanges_total{route="books",method="tools/call",outcome="refused_inbound"} 1',
      'mrtr_gateway_findings_total{route="books",stage="inbound",rule="request-state-accepted",severity="enforce"} 1',
      'mrtr_gateway_ready 1',
    ])
      expect(text).toContain(line);
    expect(text).not.toContain('carried-in-vain');
  });

  it('is told of decisions and exchanges by part of an observer', async () => {
    const upstream = await startServer();
    const told: string[] = [];
    const observer = {
      decided: (_: unknown, __: unknown, stage: string, decision: { findings: readonly unknown[] }) => {
        if (decision.findings.length > 0) told.push(stage);
      },
    };
    const origin = await serve(appWith(gatewayTo(upstream, {}, { observer })));
    await callTool(`${origin}/mcp`, 'book', {}, STATE);
    expect(told).toEqual(['inbound']);
  });

  it('serves on when its observer throws', async () => {
    const upstream = await startServer();
    const observer = {
      began: () => {
        throw new Error('observer');
      },
    };
    const origin = await serve(appWith(gatewayTo(upstream, {}, { observer })));
    expect((await callTool(`${origin}/mcp`, 'book')).status).toBe(200);
  });
});

describe('Host and Origin in an app', () => {
  const PUBLIC = { publicUrl: 'https://mcp.example.com' };

  it.each([
    ['takes the listener for loopback unless told more', {}, 'mcp.example.com', 403],
    ['lets loopback names in', {}, 'localhost:3000', 200],
    ['lets in the host of publicUrl', PUBLIC, 'mcp.example.com', 200],
    ['refuses another host beside publicUrl', PUBLIC, 'evil.example', 403],
    ['lets in a host of allowedHosts', { allowedHosts: ['mcp.internal'] }, 'mcp.internal:8080', 200],
    ['checks no host on a listener off loopback', { listen: '0.0.0.0:3000' }, 'mcp.example.com', 200],
    ['checks it there too when told which', { listen: '0.0.0.0:3000', ...PUBLIC }, 'evil.example', 403],
  ])('%s', async (_, keys, host, status) => {
    const upstream = await startServer({
      resultType: 'complete',
      tools: [],
      ttlMs: 0,
      cacheScope: 'private',
    });
    const gateway = createGateway({ ...keys, routes: [{ upstream: upstream.url, profile: 'ze' }] });
    onTestFinished(() => gateway.close());
    const { port } = new URL(await serve(appWith(gateway)));
    const fields = Object.entries(requestHeaders('tools/list')).map(([name, value]) => `${name}: ${value}`);
    const request = rawRequest('POST /mcp', [`Host: ${host}`, ...fields], requestText('tools/list'));
    expect((await sendRaw(Number(port), request)).status).toBe(status);
  });
});

describe('the types of Express 5', () => {
  it('take the gateway as a request handler', () => {
    const gateway = createGateway(CONFIG);
    const app: Express = express();
    app.use(createGateway(CONFIG));
    app.use('/api', gateway);
    app.all('/mcp', gateway);
    const handler: RequestHandler = gateway;
    expect(handler.length).toBe(3);
  });
});
