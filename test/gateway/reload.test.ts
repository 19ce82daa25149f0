/** The built binary under a new configuration: what begins after it is new, what began before it stays as it was. */
import { once } from 'node:events';
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Binary, startBinary } from '../support/binary.js';
import { callTool, EventReader, open, receive, requestHeaders, requestText } from '../support/client.js';
import { configFor, temporaryFolder, writeConfig } from '../support/config-file.js';
import { parseAnswer, rawRequest } from '../support/raw.js';
import {
  gate,
  type ReplyFunction,
  resultReply,
  sseEvent,
  sseReply,
  startUpstream,
} from '../support/upstream.js';

const TOOL = { params: { name: 'book', arguments: {} } };

/** Answers with its name. */
async function startNamed(name: string, reply?: ReplyFunction) {
  const upstream = await startUpstream(
    reply ?? ((request) => resultReply(request, { resultType: 'complete', content: [], name })),
  );
  onTestFinished(() => upstream.close());
  return upstream;
}

async function start(path: string): Promise<Binary> {
  const binary = await startBinary(['serve', '--config', path]);
  onTestFinished(() => binary.signal('SIGKILL'));
  return binary;
}

async function nameAt(url: string): Promise<string> {
  return (await callTool(url, 'book')).message.result.name;
}

/** Resolves at the n-th time that a line says so. */
async function said(binary: Binary, msg: string, times = 1) {
  const all = () => binary.lines.filter((line) => line.msg === msg);
  await expect.poll(() => all().length, { timeout: 20_000 }).toBeGreaterThanOrEqual(times);
  return all()[times - 1] ?? {};
}

function reloaded(binary: Binary, times = 1) {
  return said(binary, 'configuration reloaded', times);
}

async function metric(binary: Binary, name: string): Promise<number> {
  const text = await (await fetch(new URL('metrics', binary.adminUrl))).text();
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`mrtr_gateway_${name} `))
      ?.split(' ')[1],
  );
}

describe('a changed configuration file', () => {
  it('is in force for new exchanges, and one in flight keeps its own', async () => {
    const answered = gate();
    const old = await startNamed('old', async (request) => {
      await answered.opened;
      return resultReply(request, { resultType: 'complete', content: [], name: 'old', requestState: 's' });
    });
    const fresh = await startNamed('new');
    const file = await writeConfig(configFor(old.url));
    const binary = await start(file.path);
    const inFlight = open(binary.url, 'tools/call', TOOL);
    await old.request(0);
    await file.write(configFor(fresh.url, { route: { requestState: 'forbid' } }));
    await reloaded(binary);
    expect(await nameAt(binary.url)).toBe('new');
    expect(await metric(binary, 'config_last_reload_successful')).toBe(1);
    answered.open();
    expect((await receive(await inFlight)).message.result.name).toBe('old');
    expect(old.requests).toHaveLength(1);
  });

  it('leaves streams open that are', async () => {
    const rest = gate();
    const progress = { jsonrpc: '2.0', method: 'notifications/x', params: {} };
    const done = { jsonrpc: '2.0', id: 1, result: { resultType: 'complete' } };
    const old = await startNamed('old', () => sseReply([sseEvent(progress), rest.opened, sseEvent(done)]));
    const fresh = await startNamed('new');
    const file = await writeConfig(configFor(old.url));
    const binary = await start(file.path);
    const reader = new EventReader(await open(binary.url, 'tools/call', TOOL));
    await reader.nextMessage();
    await file.write(configFor(fresh.url));
    await reloaded(binary);
    rest.open();
    expect(await reader.nextMessage()).toEqual(done);
    expect(await reader.next()).toBeUndefined();
  });

  it('does not touch an exchange whose body is still on its way', async () => {
    const [old, fresh] = [await startNamed('old'), await startNamed('new')];
    const file = await writeConfig(configFor(old.url));
    const binary = await start(file.path);
    const fields = Object.entries(requestHeaders('tools/call', TOOL)).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const request = rawRequest(
      'POST /mcp',
      [...fields, 'Expect: 100-continue'],
      requestText('tools/call', TOOL),
    );
    const head = request.indexOf('\r\n\r\n') + 4;
    const socket = connect(Number(new URL(binary.url).port), '127.0.0.1');
    socket.write(request.subarray(0, head));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(socket, 'data');
    await file.write(configFor(fresh.url));
    await reloaded(binary);
    socket.write(request.subarray(head));
    await once(socket, 'end');
    socket.end();
    expect(parseAnswer(Buffer.concat(chunks)).json().result.name).toBe('old');
  });

  it('closes the connections of the old one after its last exchange', async () => {
    const answered = gate();
    const closed: Socket[] = [];
    const server: Server = createServer(async (req, res) => {
      for await (const _ of req) if (_ === undefined) break;
      await answered.opened;
      // Without the reload the connection would be kept that long.
      res.writeHead(200, { 'content-type': 'application/json', 'keep-alive': 'timeout=600' });
      res.end('{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"}}');
    });
    server.keepAliveTimeout = 600_000;
    const connected = once(server, 'connection');
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close().closeAllConnections());
    const fresh = await startNamed('new');
    const file = await writeConfig(
      configFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`),
    );
    const binary = await start(file.path);
    const inFlight = callTool(binary.url, 'book');
    const [socket] = (await connected) as [Socket];
    socket.on('close', () => closed.push(socket));
    await file.write(configFor(fresh.url));
    await reloaded(binary);
    expect(await nameAt(binary.url)).toBe('new');
    expect(closed).toEqual([]);
    answered.open();
    expect((await inFlight).status).toBe(200);
    await expect.poll(() => closed.length, { timeout: 20_000 }).toBe(1);
  });

  it('names what needs a restart', async () => {
    const upstream = await startNamed('only');
    const file = await writeConfig(configFor(upstream.url));
    const binary = await start(file.path);
    await file.write(
      configFor(upstream.url, { listen: '127.0.0.1:1', timeouts: { keepAliveTimeoutMs: 9000 } }),
    );
    expect((await reloaded(binary)).needRestart).toEqual(['listen']);
    const answer = await callTool(binary.url, 'book');
    expect(answer.headers.get('keep-alive')).toBe('timeout=9');
    await file.write(configFor(upstream.url, { listen: '127.0.0.1:1', log: { level: 'debug' } }));
    expect((await reloaded(binary, 2)).needRestart).toEqual(['listen']);
    await file.write(configFor(upstream.url));
    expect((await reloaded(binary, 3)).needRestart).toBeUndefined();
  });

  it('that is invalid is refused, with every problem, and the old one stays', async () => {
    const upstream = await startNamed('old');
    const file = await writeConfig(configFor(upstream.url));
    const binary = await start(file.path);
    await file.write('{ "routes": [{ "upstream": "ftp://x", "profil": "ze" }] }');
    const { problems } = await said(binary, 'configuration refused, the old one stays');
    const named = ['routes[0].upstream', 'routes[0].profil'].map((key) => expect.stringContaining(key));
    expect(problems).toEqual(expect.arrayContaining(named));
    expect(await nameAt(binary.url)).toBe('old');
    expect(await metric(binary, 'config_last_reload_successful')).toBe(0);
    const fresh = await startNamed('new');
    await file.write(configFor(fresh.url));
    await reloaded(binary);
    expect(await nameAt(binary.url)).toBe('new');
    expect(await metric(binary, 'config_last_reload_successful')).toBe(1);
  });

  it('is noticed where it is a link that is swapped, as mounted ConfigMaps are', async () => {
    const [old, fresh] = [await startNamed('old'), await startNamed('new')];
    const folder = await temporaryFolder();
    const version = async (name: string, url: string) => {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, 'gateway.json'), JSON.stringify(configFor(url)));
      await symlink(name, join(folder, `${name}.link`));
      await rename(join(folder, `${name}.link`), join(folder, '..data'));
    };
    await version('..1', old.url);
    await symlink(join('..data', 'gateway.json'), join(folder, 'gateway.json'));
    const binary = await start(join(folder, 'gateway.json'));
    expect(await nameAt(binary.url)).toBe('old');
    await version('..2', fresh.url);
    await reloaded(binary);
    expect(await nameAt(binary.url)).toBe('new');
    await version('..3', old.url);
    await reloaded(binary, 2);
    expect(await nameAt(binary.url)).toBe('old');
  });
});

describe('SIGHUP', () => {
  it('does not disturb the drain', async () => {
    const answered = gate();
    const upstream = await startNamed('only', async (request) => {
      await answered.opened;
      return resultReply(request, { resultType: 'complete', name: 'only' });
    });
    const { path } = await writeConfig(configFor(upstream.url));
    const binary = await start(path);
    const inFlight = nameAt(binary.url);
    await upstream.request(0);
    binary.signal('SIGTERM');
    await said(binary, 'draining');
    binary.signal('SIGHUP');
    binary.signal('SIGTERM');
    await said(binary, 'signal received', 2);
    answered.open();
    expect(await inFlight).toBe('only');
    expect(await binary.finished).toMatchObject({ code: 0, stderr: '' });
    expect(binary.lines.map(({ msg }) => msg)).not.toContain('configuration reloaded');
  });

  it('reads the file anew', async () => {
    const upstream = await startNamed('only');
    const { path } = await writeConfig(configFor(upstream.url));
    const binary = await start(path);
    binary.signal('SIGHUP');
    await reloaded(binary);
    expect(await nameAt(binary.url)).toBe('only');
    binary.signal('SIGHUP');
    await reloaded(binary, 2);
    expect(await binary.stop()).toMatchObject({ code: 0, stderr: '' });
  });

  it('changes nothing where there is no file', async () => {
    const upstream = await startNamed('only');
    const ports = ['--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0'];
    const binary = await startBinary(['serve', '--upstream', upstream.url, ...ports]);
    onTestFinished(() => binary.signal('SIGKILL'));
    binary.signal('SIGHUP');
    await said(binary, 'there is no configuration file to reload');
    expect(await nameAt(binary.url)).toBe('only');
  });
});
