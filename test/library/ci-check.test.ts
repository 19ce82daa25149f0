import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import type { Misbehaviour } from '../../src/demo/misbehave.js';
import { startDemoUpstream } from '../../src/demo/upstream.js';
import { CLI } from '../support/binary.js';
import { temporaryFolder } from '../support/config-file.js';
import { describeWith } from '../support/programs.js';
import { elementsOf, parseXml } from '../support/xml.js';

async function demo(...misbehave: Misbehaviour[]): Promise<string> {
  const ze = await startDemoUpstream({ host: '127.0.0.1', port: 0, misbehave: new Set(misbehave) });
  onTestFinished(ze.close);
  return ze.url;
}

async function job(sh: string, url: string): Promise<{ code: number; said: string; report: string }> {
  const folder = await temporaryFolder();
  const program = `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`;
  writeFileSync(join(folder, 'mrtr-gateway'), program, { mode: 0o755 });
  const report = join(folder, 'check.xml');
  const env = { ...process.env, REPORT: report, PATH: `${folder}${delimiter}${process.env.PATH ?? ''}` };
  const args = ['examples/ci-check/check.sh', url, '--profile', 'ze', '--call', 'ze_execute'];
  return new Promise((resolve) => {
    execFile(sh, args, { env }, (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : 0;
      resolve({ code, said: stdout + stderr, report: readFileSync(report, 'utf8') });
    });
  });
}

describeWith('sh', 'the job that checks a server', (sh) => {
  it('passes when the server breaks no MUST', async () => {
    const { code, report } = await job(sh, await demo('public-list'));
    expect([code, parseXml(report).attributes.failures]).toEqual([0, '0']);
  });

  it('fails when the server breaks one, and leaves the report', async () => {
    const { code, said, report } = await job(sh, await demo('credential-field'));
    expect([code, said.includes('breaks an obligation')]).toEqual([1, true]);
    const failed = elementsOf(parseXml(report), 'testcase').filter(
      (one) => elementsOf(one, 'failure').length > 0,
    );
    expect(failed.map(({ attributes }) => attributes.name)).toEqual(['form-asks-no-credential']);
  });

  it('fails when there is no server', async () => {
    const { code, said } = await job(sh, 'http://127.0.0.1:1/mcp');
    expect([code, said.includes('could not be checked')]).toEqual([4, true]);
  });
});

describe('the workflow of the example', () => {
  it('runs the job, and keeps its report', () => {
    const { jobs } = parse(readFileSync('examples/ci-check/workflow.yml', 'utf8'));
    const steps: { run?: string; if?: string }[] = jobs.check.steps;
    expect(steps.some(({ run }) => run?.startsWith('examples/ci-check/check.sh http'))).toBe(true);
    expect(steps.at(-1)?.if).toBe('always()');
  });
});
