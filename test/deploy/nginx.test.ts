/** deploy/nginx as an operator has it, in a real nginx: only names, ports and certificates are put in. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Agent, fetch, type RequestInit } from 'undici';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config/load.js';
import { type Binary, startBinary } from '../support/binary.js';
import { EventReader, requestHeaders, requestText } from '../support/client.js';
import { describeWith } from '../support/programs.js';
import { AUTHORITY, SERVER_CERTIFICATE, SERVER_KEY } from '../support/tls.js';
import { gate, resultReply, sseEvent, sseReply, startUpstream, type Upstream } from '../support/upstream.js';

const CONFIGURATION = 'deploy/nginx/gateway.yaml';
const written = readFileSync('deploy/nginx/mrtr-gateway.conf', 'utf8');

/** The arguments of a directive, at its n-th place. */
function directive(name: string, n = 0): string {
  const found = [...written.matchAll(new RegExp(`^\\s*${name} ([^;]+);`, 'gm'))][n]?.[1];
  if (found === undefined) throw new Error(`no ${name} in it`);
  return found;
}

describe('deploy/nginx', () => {
  const { config } = loadConfig({ flags: { config: CONFIGURATION }, env: {} });

  it('leads to where the gateway listens, under its public name', () => {
    expect(directive('server')).toBe(config.listen);
    expect(directive('server_name')).toBe(new URL(config.publicUrl ?? '').host);
    expect(config.trustedProxies).toContain(config.listen.split(':')[0]);
  });

  it('leaves bodies that are too large and tools that take too long to the gateway', () => {
    const bytes = Number(/^(\d+)m$/.exec(directive('client_max_body_size'))?.[1]) * 1024 * 1024;
    expect(bytes).toBeGreaterThan(config.limits.requestBytes);
    const readMs = Number(/^(\d+)s$/.exec(directive('proxy_read_timeout'))?.[1]) * 1000;
    expect(readMs).toBeGreaterThan(config.timeouts.headersMs);
    expect(readMs).toBeGreaterThan(config.timeouts.ssePingMs);
  });

  it('gives a kept connection up before the gateway does', () => {
    const idleMs = Number(/^(\d+)s$/.exec(directive('keepalive_timeout'))?.[1]) * 1000;
    expect(idleMs).toBeLessThan(config.timeouts.keepAliveTimeoutMs);
  });
});

describeWith('nginx', 'nginx with deploy/nginx', (program) => {
  const folder = mkdtempSync(join(tmpdir(), 'mrtr-gateway-nginx-'));
  const client = new Agent({ connect: { ca: AUTHORITY } });
  let upstream: Upstream;
  let gateway: Binary;
  let nginx: ChildProcess | undefined;
  let origin = '';

  const post = (body: string, init: RequestInit = {}) =>
    fetch(`${origin}/mcp`, { method: 'POST', body, dispatcher: client, ...init });
  const TOOL = { name: 'ze_execute', arguments: { command: 'show bgp summary' } };
  const CALL = { params: TOOL, meta: { progressToken: 7 } };
  const body = requestText('tools/call', CALL);
  const headers = requestHeaders('tools/call', CALL);
  const progress = sseEvent({
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken: 7, progress: 1 },
  });
  const result = { resultType: 'complete', content: [] };
  const final = sseEvent({ jsonrpc: '2.0', id: 1, result });

  beforeAll(async () => {
    const port = await freePort();
    origin = `https://localhost:${port}`;
    upstream = await startUpstream();
    const free = ['--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0'];
    gateway = await startBinary(['serve', '--config', CONFIGURATION, '--upstream', upstream.url, ...free], {
      env: { MRTR_GATEWAY_PUBLIC_URL: origin },
    });
    render(folder, { port, gateway: new URL(gateway.url).host });
    nginx = spawn(program, ['-p', folder, '-c', join(folder, 'nginx.conf')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await said(nginx, 'start worker process');
  });

  afterAll(async () => {
    await client.destroy();
    if (nginx?.exitCode === null) {
      const gone = once(nginx, 'exit');
      nginx.kill('SIGTERM');
      await gone;
    }
    await gateway?.stop();
    await upstream?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is a configuration that nginx accepts without a warning', () => {
    const { status, stderr } = spawnSync(program, ['-t', '-p', folder, '-c', join(folder, 'nginx.conf')], {
      encoding: 'utf8',
    });
    // Debian's nginx does not know the way that newer ones ask for here.
    const lines = stderr
      .split('\n')
      .filter((line) => !/listen \.\.\. http2" directive is deprecated/.test(line));
    expect({ status, warnings: lines.filter((line) => /\[(warn|error|emerg)\]/.test(line)) }).toEqual({
      status: 0,
      warnings: [],
    });
  });

  it.each([
    ['HTTP/1.1', { allowH2: false }],
    ['HTTP/2', { allowH2: true }],
  ])('lets an event through while the upstream still works on the next, over %s', async (_, protocol) => {
    const dispatcher = new Agent({ connect: { ca: AUTHORITY }, ...protocol });
    onTestFinished(() => dispatcher.destroy());
    const more = gate();
    upstream.answer(() => sseReply([progress, more.opened, final]));
    const response = await post(body, { headers, dispatcher });
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const events = new EventReader(response as unknown as Response);
    expect(await events.nextMessage()).toMatchObject({ method: 'notifications/progress' });
    more.open();
    expect(await events.nextMessage()).toMatchObject({ id: 1, result });
    expect(await events.next()).toBeUndefined();
  });

  it('tells the upstream when the client has gone', async () => {
    const before = upstream.requests.length;
    upstream.answer(() => sseReply([progress], 'stay-open'));
    const events = new EventReader((await post(body, { headers })) as unknown as Response);
    await events.next();
    await events.leave();
    await (await upstream.request(before)).aborted;
  });

  it('says who the client is, whatever it says of itself', async () => {
    const before = upstream.requests.length;
    upstream.answer((request) => resultReply(request, result));
    const claims = {
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'evil.example',
    };
    expect((await post(body, { headers: { ...headers, ...claims } })).status).toBe(200);
    expect((await upstream.request(before)).headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1, 127.0.0.1',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': new URL(origin).host,
    });
  });

  it.each([
    ['its own pages', () => origin, 200],
    ['no page of another origin', () => 'https://evil.example', 403],
  ])('lets %s call', async (_, from, status) => {
    upstream.answer((request) => resultReply(request, result));
    expect((await post(body, { headers: { ...headers, origin: from() } })).status).toBe(status);
  });

  it('leaves the refusal of a body that is too large to the gateway', async () => {
    const params = { ...TOOL, arguments: { command: 'x'.repeat(4_194_304) } };
    const response = await post(requestText('tools/call', { params }), { headers });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: { data: { rule: 'body-within-limit' } } });
  });
});

/** The committed file with this test's name, ports and certificate, in a frame that keeps everything in one folder. */
function render(folder: string, { port, gateway }: { port: number; gateway: string }): void {
  const replaced = new Map([
    [`server ${directive('server')};`, `server ${gateway};`],
    [`listen ${directive('listen')};`, `listen ${directive('listen').replace('443', `127.0.0.1:${port}`)};`],
    [`server_name ${directive('server_name')};`, 'server_name localhost;'],
    [directive('ssl_certificate'), join(folder, 'server.pem')],
    [directive('ssl_certificate_key'), join(folder, 'server.key')],
  ]);
  let text = written;
  for (const [from, to] of replaced) {
    expect(text.split(from)).toHaveLength(2);
    text = text.replace(from, to);
  }
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const frame = [
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    'daemon off;',
    'worker_processes 1;',
    `pid ${join(folder, 'nginx.pid')};`,
    'error_log stderr notice;',
    'events {}',
    'http {',
    'access_log off;',
    ...temporary.map((name) => `${name}_temp_path ${join(folder, name)};`),
    `include ${join(folder, 'mrtr-gateway.conf')};`,
    '}',
  ];
  writeFileSync(join(folder, 'mrtr-gateway.conf'), text);
  writeFileSync(join(folder, 'nginx.conf'), `${frame.join('\n')}\n`);
  writeFileSync(join(folder, 'server.pem'), SERVER_CERTIFICATE);
  writeFileSync(join(folder, 'server.key'), SERVER_KEY, { mode: 0o600 });
}

/** Resolves at the first line on stderr with this text; rejects with all lines when the process ends before. */
function said(child: ChildProcess, text: string): Promise<void> {
  if (child.stderr === null) throw new Error('no output to read');
  const lines: string[] = [];
  const reading = createInterface({ input: child.stderr });
  return new Promise((resolve, reject) => {
    reading.on('line', (line) => {
      lines.push(line);
      if (line.includes(text)) resolve();
    });
    child.once('close', (code) => reject(new Error(`ended with ${code}\n${lines.join('\n')}`)));
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
