import { createHash } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { keyId, parseKey } from '../../src/seal/key.js';
import { type Binary, runBinary, startBinary, startServe } from '../support/binary.js';
import { configFor, writeConfig } from '../support/config-file.js';
import { startUpstream, type Upstream } from '../support/upstream.js';
import { answer, asking, KEY, OTHER_KEY, tokenOf } from './asking.js';

async function upstreamOf(): Promise<Upstream> {
  const upstream = await startUpstream(asking());
  onTestFinished(() => upstream.close());
  return upstream;
}

function stopped(binary: Binary): Binary {
  onTestFinished(() => void binary.stop());
  return binary;
}

async function gaugeOf({ adminUrl }: Binary): Promise<string | undefined> {
  const text = await (await fetch(`${adminUrl}metrics`)).text();
  return /^mrtr_gateway_seal_key_ephemeral (\d)$/m.exec(text)?.[1];
}

const warnings = ({ lines }: Binary) => lines.filter(({ level }) => level === 'warn').map(({ msg }) => msg);

describe('keygen', () => {
  it('makes a key, alone on stdout', async () => {
    const { code, stdout, stderr } = await runBinary(['keygen']);
    const key = parseKey(stdout.trim());
    expect([code, key?.length]).toEqual([0, 32]);
    expect(stderr).toContain(`of id ${keyId(key as Uint8Array)}`);
    expect((await runBinary(['keygen'])).stdout).not.toBe(stdout);
  });

  it('makes a token, and the hash that the configuration takes', async () => {
    const { code, stdout, stderr } = await runBinary(['keygen', '--token']);
    expect(code).toBe(0);
    const hash = createHash('sha256').update(stdout.trim()).digest('hex');
    expect(stderr).toContain(`sha256:${hash}`);
  });
});

describe('a configuration file that seals without a key', () => {
  it('starts nothing', async () => {
    const { path } = await writeConfig({ routes: [{ upstream: 'http://127.0.0.1:9/mcp' }] });
    const { code, stdout, stderr } = await runBinary(['--config', path]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('seal.keys: is required');
  });

  it('serves when it says that the key may be lost, and warns', async () => {
    const upstream = await upstreamOf();
    const { path } = await writeConfig(configFor(upstream.url, { seal: { ephemeral: true } }));
    const gateway = stopped(await startBinary(['--config', path]));
    expect(warnings(gateway)).toEqual([expect.stringContaining('other replicas refuse its states')]);
  });
});

describe('flags alone', () => {
  it('seal with a key of the process’s own, and say what that means', async () => {
    const upstream = await upstreamOf();
    const gateway = stopped(await startServe(upstream.url));
    expect(warnings(gateway)).toEqual([expect.stringContaining('A restart ends every operation')]);
    expect(await gaugeOf(gateway)).toBe('1');
    const token = await tokenOf(gateway.url);
    expect((await answer(gateway.url, token)).status).toBe(200);
    const other = stopped(await startServe(upstream.url));
    expect((await answer(other.url, token)).status).toBe(400);
  });

  it('do not warn where nothing is sealed', async () => {
    const gateway = stopped(await startServe('http://127.0.0.1:9/mcp', '--profile', 'ze'));
    expect(warnings(gateway)).toEqual([]);
    expect(await gaugeOf(gateway)).toBe('0');
  });
});

describe('a ring of keys', () => {
  it('turns by reload, and loses no round before its old key is taken out', async () => {
    const upstream = await upstreamOf();
    const ring = (...keys: string[]) => configFor(upstream.url, { seal: { keys } });
    const file = await writeConfig(ring(KEY));
    const gateway = stopped(await startBinary(['--config', file.path]));
    const turned = async (...keys: string[]) => {
      const before = gateway.lines.length;
      await file.write(ring(...keys));
      await gateway.line(
        (line) => line.msg === 'configuration reloaded' && gateway.lines.indexOf(line) >= before,
      );
    };
    expect([warnings(gateway), await gaugeOf(gateway)]).toEqual([[], '0']);
    const old = await tokenOf(gateway.url);
    await turned(OTHER_KEY, KEY);
    expect((await answer(gateway.url, old)).status).toBe(200);
    const next = await tokenOf(gateway.url);
    await turned(OTHER_KEY);
    expect((await answer(gateway.url, old, { id: 3 })).status).toBe(400);
    expect((await answer(gateway.url, next)).status).toBe(200);
    await turned(OTHER_KEY, KEY);
    const output = JSON.stringify((await gateway.stop()).stdout);
    for (const secret of [KEY, OTHER_KEY, old, next]) expect(output).not.toContain(secret);
  });

  it('does not show in what validate prints', async () => {
    const { path } = await writeConfig(configFor('http://127.0.0.1:9/mcp', { seal: { keys: [KEY] } }));
    const { code, stdout } = await runBinary(['validate', path]);
    expect(code).toBe(0);
    expect(stdout).toContain('keys: ["***"] # file');
    expect(stdout).not.toContain(KEY);
  });
});
