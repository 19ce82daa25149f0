import { Gauge, Registry } from 'prom-client';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { createAdmin } from '../../src/adapters/admin.js';
import { createHealth } from '../../src/adapters/health.js';
import type { OriginPolicy } from '../../src/engine/exchange.js';
import { statusPage } from '../../src/status/page.js';
import { Status } from '../../src/status/status.js';
import { planOf, policyOf } from './plans.js';

const LOOPBACK: OriginPolicy = { loopback: true, origins: new Set(), hosts: new Set(), checkHost: true };
const OPEN: OriginPolicy = { ...LOOPBACK, loopback: false, checkHost: false };
const FORBIDDEN = { jsonrpc: '2.0', error: { code: -32600, message: expect.stringMatching(/^Forbidden/) } };

function admin(origins = LOOPBACK) {
  const registry = new Registry();
  const health = createHealth();
  const plan = planOf('ze');
  health.applyPlan(plan);
  const errors: unknown[] = [];
  const status = new Status({
    build: { version: '1', revision: 'unknown' },
    readiness: () => health.readiness(),
  });
  const logError = (error: unknown) => errors.push(error);
  const server = createAdmin({ registry, health, status, origins, logError });
  return { registry, health, policy: policyOf(plan, 'ze'), errors, http: supertest(server) };
}

describe('the admin listener', () => {
  it('is alive from the start', async () => {
    const { http } = admin();
    const answer = await http.get('/healthz').expect(200, { status: 'ok' });
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(answer.headers).not.toHaveProperty('x-powered-by');
  });

  it('is ready from its start to its drain', async () => {
    const { http, health } = admin();
    await http.get('/readyz').expect(503, { ready: false, draining: false, upstreams: { ze: 'unknown' } });
    health.started();
    await http.get('/readyz').expect(200, { ready: true, draining: false, upstreams: { ze: 'unknown' } });
    health.drain();
    await http.get('/readyz').expect(503, { ready: false, draining: true, upstreams: { ze: 'unknown' } });
  });

  it('stays ready when an upstream is lost', async () => {
    const { http, health, policy } = admin();
    health.started();
    health.observer.upstreamFailed?.(policy, 'connect');
    await http.get('/readyz').expect(200, { ready: true, draining: false, upstreams: { ze: 'down' } });
  });

  it("serves the registry in Prometheus' text format", async () => {
    const { http, registry } = admin();
    new Gauge({ name: 'size', help: 'Size.', registers: [registry] }).set(7);
    const answer = await http.get('/metrics').expect(200);
    expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(answer.text).toBe('# HELP size Size.\n# TYPE size gauge\nsize 7\n');
  });

  it.each(['/healthz', '/readyz', '/metrics'])('answers HEAD of %s without a body', async (path) => {
    const { http, health } = admin();
    health.started();
    const answer = await http.head(path).expect(200);
    expect(answer.text).toBeUndefined();
  });

  it('answers in JSON when a metric cannot be read, says nothing of why, and logs it', async () => {
    const { http, registry, errors } = admin();
    const fault = new Error('canary');
    const collect = () => {
      throw fault;
    };
    new Gauge({ name: 'size', help: 'Size.', registers: [registry], collect });
    await http
      .get('/metrics')
      .expect(500, { jsonrpc: '2.0', error: { code: -32603, message: 'internal error' } });
    expect(errors).toEqual([fault]);
  });

  it.each([
    '/healthz/',
    '/status',
    '/status.json/',
    '/events/',
    '/index.html',
    '/Healthz',
    '/metrics/x',
    '/mcp',
    '/%',
    '/%00',
    '//healthz',
  ])('knows no %s', async (path) => {
    const answer = await admin()
      .http.get(path)
      .expect(404)
      .expect('content-type', /^application\/json/);
    expect(answer.body).toEqual({ jsonrpc: '2.0', error: { code: -32600, message: 'not found' } });
  });

  it.each(['post', 'put', 'delete', 'patch', 'options'] as const)('refuses %s', async (method) => {
    const answer = await admin().http[method]('/metrics').expect(405).expect('allow', 'GET, HEAD');
    expect(answer.body).toEqual({ jsonrpc: '2.0', error: { code: -32600, message: 'method not allowed' } });
  });
});

describe('the admin listener on loopback', () => {
  it.each(['localhost', 'localhost:9720', '127.0.0.1:9720', '[::1]:9720'])('answers to %s', async (host) => {
    await admin().http.get('/healthz').set('host', host).expect(200);
  });

  it.each(['evil.example', 'localhost.evil.example', '10.0.0.7:9720'])(
    'refuses the name %s',
    async (host) => {
      const answer = await admin().http.get('/metrics').set('host', host).expect(403);
      expect(answer.body).toEqual(FORBIDDEN);
    },
  );

  it.each(['https://evil.example', 'null'])('refuses a page of %s', async (origin) => {
    const answer = await admin().http.get('/metrics').set('origin', origin).expect(403);
    expect(answer.body).toEqual(FORBIDDEN);
  });

  it('answers a page of this machine', async () => {
    await admin().http.get('/metrics').set('origin', 'http://localhost:3000').expect(200);
  });
});

describe('the admin listener off loopback', () => {
  it.each(['10.0.0.7:9720', 'gateway-7f.prod.svc:9720'])('answers probes that call it %s', async (host) => {
    await admin(OPEN).http.get('/healthz').set('host', host).expect(200);
  });

  it('answers no page of a foreign origin', async () => {
    await admin(OPEN).http.get('/metrics').set('origin', 'https://evil.example').expect(403);
  });
});

describe('the status page on the admin listener', () => {
  it('is one document that lets nothing from elsewhere in', async () => {
    const answer = await admin().http.get('/').expect(200).expect('content-type', 'text/html; charset=utf-8');
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(answer.headers['content-security-policy']).toBe(statusPage().contentSecurityPolicy);
    expect(answer.text).toBe(statusPage().html);
  });

  it('has its facts as JSON', async () => {
    const { http } = admin();
    const { body } = await http.get('/status.json').expect(200);
    expect(body).toMatchObject({ build: { version: '1' }, decisions: [], live: { state: 'starting' } });
  });

  it.each(['/', '/status.json', '/events'])('answers HEAD of %s without a body', async (path) => {
    expect((await admin().http.head(path).expect(200)).text).toBeUndefined();
  });

  it.each(['/', '/status.json', '/events'])('gives no foreign page %s', async (path) => {
    await admin().http.get(path).set('origin', 'https://evil.example').expect(403);
    await admin().http.get(path).set('host', 'evil.example').expect(403);
  });
});
