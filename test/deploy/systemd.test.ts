/** The unit without systemd running: what its own tools say of it, and what the gateway does under it. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT_USAGE } from '../../src/commands/world.js';
import { loadConfig } from '../../src/config/load.js';
import { generateKey } from '../../src/seal/key.js';
import { call } from '../support/client.js';
import { describeWith } from '../support/programs.js';
import { expectEnough } from './memory.js';

const UNIT = readFileSync('deploy/systemd/mrtr-gateway.service', 'utf8');
const DROP_IN = readFileSync('deploy/systemd/seal.conf', 'utf8');
const PROGRAM = '/usr/bin/mrtr-gateway';
const folder = mkdtempSync(join(tmpdir(), 'mrtr-gateway-systemd-'));
const UNIT_FILE = join(folder, 'mrtr-gateway.service');

/** Every value of a setting, in order. */
function settings(name: string, text = UNIT): readonly string[] {
  return [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map((match) => match[1] ?? '');
}

/** With an executable that is there: systemd looks whether it is. */
beforeAll(() => writeFileSync(UNIT_FILE, UNIT.replaceAll(PROGRAM, process.execPath)));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('deploy/systemd', () => {
  it('starts, checks and reloads the same configuration', () => {
    expect(settings('ExecStart')).toEqual([`${PROGRAM} serve --config /etc/mrtr-gateway/gateway.yaml`]);
    expect(settings('ExecReload')).toEqual([
      `${PROGRAM} validate /etc/mrtr-gateway/gateway.yaml`,
      '/bin/kill -HUP $MAINPID',
    ]);
  });

  it('does not start a refused configuration again and again', () => {
    expect(settings('RestartPreventExitStatus')).toEqual([String(EXIT_USAGE)]);
  });

  it('waits for a drain to end', () => {
    const { timeouts } = loadConfig({ flags: { upstream: 'http://127.0.0.1:9718/mcp' }, env: {} }).config;
    const [stop = ''] = settings('TimeoutStopSec');
    expect(Number(/^(\d+)s$/.exec(stop)?.[1]) * 1000).toBeGreaterThan(
      timeouts.drainDelayMs + timeouts.drainMs,
    );
  });

  it('has memory for the worst that the limits let in', () => {
    const { limits } = loadConfig({ flags: { upstream: 'http://127.0.0.1:9718/mcp' }, env: {} }).config;
    const [, mebibytes] = /^(\d+)M$/.exec(settings('MemoryMax')[0] ?? '') ?? [];
    const options = settings('Environment').find((setting) => setting.startsWith('NODE_OPTIONS='));
    expectEnough(Number(mebibytes), options?.slice('NODE_OPTIONS='.length), limits.bufferedBytes);
  });

  it('has a configuration find its sealing key among the credentials', () => {
    const [name = ''] = (settings('LoadCredential', DROP_IN)[0] ?? '').split(':');
    const credentials = join(folder, 'credentials');
    mkdirSync(credentials);
    writeFileSync(join(credentials, name), `${generateKey()}\n`);
    const [, example = ''] = /^# {3}(seal: .*)$/m.exec(DROP_IN) ?? [];
    const file = join(folder, 'gateway.yaml');
    writeFileSync(file, `routes: [{ upstream: 'http://127.0.0.1:9718/mcp' }]\n${example}\n`);
    const { config } = loadConfig({ flags: { config: file }, env: { CREDENTIALS_DIRECTORY: credentials } });
    expect(config.seal.keys).toHaveLength(1);
  });
});

describeWith('systemd-analyze', 'systemd-analyze of the unit', (program) => {
  const analyze = (...args: readonly string[]) =>
    spawnSync(program, args, { encoding: 'utf8', env: { ...process.env, SYSTEMD_COLORS: '0' } });

  it.each([
    ['by itself', []],
    ['with sealing keys', [['seal.conf', DROP_IN]]],
  ])('finds no fault with it %s', (_, dropIns) => {
    mkdirSync(`${UNIT_FILE}.d`, { recursive: true });
    for (const [name = '', text = ''] of dropIns) writeFileSync(join(`${UNIT_FILE}.d`, name), text);
    const { status, stderr } = analyze('verify', UNIT_FILE);
    rmSync(`${UNIT_FILE}.d`, { recursive: true });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('measures the exposure that deploy/README.md quotes', () => {
    const quoted = /exposure level of (\d+\.\d+) by systemd (\d+)/.exec(
      readFileSync('deploy/README.md', 'utf8'),
    );
    const { stdout } = analyze('security', '--offline=true', '--no-pager', UNIT_FILE);
    const measured = Number(/Overall exposure level for \S+: (\d+\.\d+)/.exec(stdout)?.[1]);
    const version = /^systemd (\d+)/.exec(analyze('--version').stdout)?.[1];
    // Another release weighs other things.
    if (version === quoted?.[2]) expect(measured).toBe(Number(quoted?.[1]));
    expect(measured).toBeLessThan(2);
  });

  describeWith('strace', 'the gateway under its filter of system calls', (strace) => {
    const allowed = new Set<string>();

    function add(group: string, to = allowed): Set<string> {
      for (const line of analyze('syscall-filter', group).stdout.split('\n').slice(1)) {
        const name = line.trim();
        if (name.startsWith('@')) add(name, to);
        else if (name !== '' && !name.startsWith('#')) to.add(name);
      }
      return to;
    }

    beforeAll(() => {
      for (const value of settings('SystemCallFilter')) {
        const [first = '', ...more] = value.split(' ');
        for (const group of [first.replace('~', ''), ...more])
          if (first.startsWith('~')) for (const name of add(group, new Set())) allowed.delete(name);
          else add(group);
      }
      // systemd always leaves these.
      add('@default');
    });

    it('makes no system call that the unit refuses, save one that V8 does without', async () => {
      const file = join(folder, 'trace');
      const cli = [
        process.execPath,
        'dist/cli.js',
        'demo',
        '--listen',
        '127.0.0.1:0',
        '--admin',
        '127.0.0.1:0',
      ];
      const denied = ['-e', 'inject=pkey_alloc:error=EPERM'];
      const child = spawn(strace, ['-f', '-qq', '-o', file, ...denied, ...cli], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const gone = once(child, 'close');
      for await (const line of createInterface({ input: child.stdout })) {
        const { msg, url, adminUrl } = JSON.parse(line);
        if (msg !== 'listening') continue;
        expect((await call(url, 'tools/list')).status).toBe(200);
        expect((await fetch(new URL('/metrics', adminUrl))).status).toBe(200);
        const inner = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
        process.kill(Number(inner.trim().split(' ')[0]), 'SIGTERM');
      }
      expect(await gone).toEqual([0, null]);
      const calls = readFileSync(file, 'utf8').matchAll(/^\d+ +(?:<\.\.\. )?([a-z_0-9]+)/gm);
      const used = new Set([...calls].map((match) => match[1] ?? ''));
      expect(used.size).toBeGreaterThan(30);
      expect([...used].filter((name) => !allowed.has(name) && name !== 'pkey_alloc')).toEqual([]);
    });
  });
});
