/** An upstream that cannot be connected to, is not who it should be, or comes and goes under load. */
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  answering,
  jsonAnswer,
  type RawUpstream,
  resultText,
  startRawUpstream,
} from '../support/raw-upstream.js';
import { type Rig, startRig, survives } from '../support/rig.js';
import { AUTHORITY, SERVER_CERTIFICATE, SERVER_KEY } from '../support/tls.js';

const UNREACHABLE = 'the upstream cannot be reached';

let trusted: RawUpstream;
let untrusted: RawUpstream;
let misnamed: RawUpstream;
let mute: ReturnType<typeof createServer>;
let rig: Rig;

beforeAll(async () => {
  trusted = await startRawUpstream(answering, { cert: SERVER_CERTIFICATE, key: SERVER_KEY });
  untrusted = await startRawUpstream(answering, { cert: SERVER_CERTIFICATE, key: SERVER_KEY });
  misnamed = await startRawUpstream(answering, { cert: SERVER_CERTIFICATE, key: SERVER_KEY }, '127.0.0.2');
  mute = createServer((socket) => socket.on('error', () => undefined).resume());
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
  const closed = await startRawUpstream(answering);
  await closed.stop();
  const plain = await startRawUpstream(answering);
  const { port } = mute.address() as { readonly port: number };
  rig = await startRig({
    routes: [
      { name: 'refused', path: '/refused', upstream: closed.url },
      { name: 'nameless', path: '/nameless', upstream: 'http://upstream.invalid/mcp' },
      { name: 'mute', path: '/mute', upstream: `https://127.0.0.1:${port}/mcp` },
      { name: 'plain', path: '/plain', upstream: plain.url.replace('http:', 'https:') },
      { name: 'untrusted', path: '/untrusted', upstream: untrusted.url },
      { name: 'misnamed', path: '/misnamed', upstream: { url: misnamed.url, ca: AUTHORITY } },
      { name: 'trusted', path: '/trusted', upstream: { url: trusted.url, ca: AUTHORITY } },
    ],
  });
  onAllFinished.push(() => plain.stop());
});

const onAllFinished: (() => Promise<void>)[] = [];

afterAll(async () => {
  await rig.stop();
  mute.close();
  for (const upstream of [trusted, untrusted, misnamed]) await upstream.stop();
  for (const finish of onAllFinished) await finish();
});

describe('an upstream', () => {
  it.each([
    ['that refuses connections', 'refused'],
    ['whose name nobody knows', 'nameless'],
    ['that takes a connection and then says nothing', 'mute'],
    ['that speaks no TLS', 'plain'],
    ['whose certificate nobody vouches for', 'untrusted'],
    ['whose certificate is of another name', 'misnamed'],
  ])('%s is answered for', async (_, route) => {
    await survives(rig, { outcomes: ['upstream_failed'], failures: { connect: 1 } }, async () => {
      const got = await rig.send(rig.toolCallTo(`/${route}`, 'x'));
      expect([got.status, got.json()]).toEqual([
        502,
        { jsonrpc: '2.0', id: 'x', error: { code: -32603, message: UNREACHABLE } },
      ]);
    });
    expect((await rig.counts()).get(`upstream_up{route="${route}"}`)).toBe(0);
  });

  it('whose certificate is right answers', async () => {
    await survives(rig, { outcomes: ['ok'] }, async () => {
      trusted.use(async ({ send, request, socket }) => {
        await send(jsonAnswer(resultText(await request()), 'connection: close'));
        socket.end();
      });
      expect((await rig.send(rig.toolCallTo('/trusted', 'x'))).status).toBe(200);
    });
  });
});

describe('an upstream that is restarted under load', () => {
  const CLIENTS = 8;

  it('costs only what was in flight, and each of that is answered for', async () => {
    rig.upstream.use(answering);
    onTestFinished(() => rig.upstream.use(answering));
    const seen = new Map<string, number>();
    const audits = rig.outcomes().length;
    let sent = 0;
    let stopped = false;
    let after = 0;
    const client = async (name: number) => {
      for (let n = 0; !stopped || after < 5 * CLIENTS; n += 1) {
        const id = `${name}-${n}`;
        sent += 1;
        const { status, json } = await rig.send(rig.toolCall(id));
        expect(json().id).toBe(id);
        const what = status === 200 ? 'ok' : json().error.message;
        seen.set(what, (seen.get(what) ?? 0) + 1);
        if (stopped && status === 200) after += 1;
      }
    };
    const clients = Array.from({ length: CLIENTS }, (_, name) => client(name));
    for (let restart = 0; restart < 3; restart += 1) {
      const from = seen.get('ok') ?? 0;
      await expect.poll(() => (seen.get('ok') ?? 0) - from, { timeout: 10_000 }).toBeGreaterThan(20);
      await rig.upstream.stop();
      await rig.counts();
      await rig.upstream.listen();
    }
    stopped = true;
    await Promise.all(clients);
    seen.delete('ok');
    expect(['', UNREACHABLE, 'the upstream closed the connection']).toEqual(
      expect.arrayContaining([...seen.keys()]),
    );
    await expect.poll(() => rig.outcomes().length - audits).toBe(sent);
    await survives(rig, { outcomes: [], kept: CLIENTS }, async () => undefined);
  });
});
