import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startDemoUpstream } from '../../src/demo/upstream.js';
import { CLI } from '../support/binary.js';
import { startGateway } from '../support/pair.js';
import { describeWith } from '../support/programs.js';

const ZE = { profile: 'ze', tools: { ze_execute: { elicits: ['command'] } } };

let bin: string;

/** A folder with the program in it, as one that is installed is on PATH. */
beforeAll(() => {
  bin = mkdtempSync(join(tmpdir(), 'mrtr-gateway-walk-'));
  writeFileSync(join(bin, 'mrtr-gateway'), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`, {
    mode: 0o755,
  });
});

afterAll(() => rmSync(bin, { recursive: true }));

function walk(sh: string, url: string): Promise<{ code: number; out: string }> {
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` };
  return new Promise((resolve) => {
    execFile(sh, ['examples/ze-walk.sh', url], { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out: stdout + stderr }),
    );
  });
}

describeWith('sh', 'the walk through Ze’s page', (sh) => {
  it.each(['the server itself', 'the gateway'])('goes as the page says at %s', async (way) => {
    const ze = await startDemoUpstream({ host: '127.0.0.1', port: 0 });
    onTestFinished(() => ze.close());
    const url = way === 'the gateway' ? (await startGateway(ze.url, { route: ZE })).url : ze.url;
    const { code, out } = await walk(sh, url);
    for (const text of [
      '192.0.2.1 AS64496 established',
      'the user declined to give a command; nothing was run',
      'the user cancelled; nothing was run',
      'ze_execute_command = omitted',
      'ze_execute  required: none',
      'ze_execute  required: command',
      'missing required argument: command',
      'probe status=400 code=-32602 message=invalid params: params.requestState is not accepted',
      'completed',
    ])
      expect(out).toContain(text);
    expect(out).not.toContain('instead of');
    expect(code).toBe(0);
  });

  it('tells a server that goes another way', async () => {
    const ze = await startDemoUpstream({
      host: '127.0.0.1',
      port: 0,
      misbehave: new Set(['list-required-missing', 'wrong-id']),
    });
    onTestFinished(() => ze.close());
    const { code, out } = await walk(sh, ze.url);
    expect(out).toContain('== ended with 3 instead of 0');
    expect(code).toBe(1);
  });
});
