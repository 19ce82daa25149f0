import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runBinary } from '../support/binary.js';

const folder = mkdtempSync(join(tmpdir(), 'mrtr-gateway-bin-'));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('the built binary', () => {
  it('runs through a link, as package managers make one', () => {
    const link = join(folder, 'mrtr-gateway');
    symlinkSync(resolve('dist/cli.js'), link);
    const { status, stdout } = spawnSync(process.execPath, [link, '--version'], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
  });

  it('ends with 2 and prints on stderr alone when there is nothing to stand in front of', async () => {
    const { code, stdout, stderr } = await runBinary(['serve']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('mrtr-gateway demo');
  });

  it('ends with 2 when the environment names a variable that there is not', async () => {
    const args = ['--upstream', 'http://127.0.0.1:9/mcp'];
    const { code, stderr } = await runBinary(args, { env: { MRTR_GATEWAY_LISTN: '127.0.0.1:0' } });
    expect(code).toBe(2);
    expect(stderr).toContain('did you mean `MRTR_GATEWAY_LISTEN`?');
  });
});
