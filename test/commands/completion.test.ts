import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../src/cli.js';
import { describeWith } from '../support/programs.js';

const execute = promisify(execFile);

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mrtr-gateway-completion-'));
  writeFileSync(join(folder, 'my gateway.yaml'), '');
});

afterAll(() => rmSync(folder, { recursive: true }));

async function completion(shell: string): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', ''];
  const world = {
    env: {},
    out: (text: string) => {
      out += text;
    },
    err: (text: string) => {
      err += text;
    },
    start: async () => 1,
  };
  return { code: await run(['completion', shell], world), out, err };
}

/** What is typed after the program's name, and words that must be among the proposals, or must not. */
const TYPED: readonly (readonly [
  typed: readonly string[],
  among: readonly string[],
  not: readonly string[],
])[] = [
  [[''], ['serve', 'demo', 'probe', 'rules', 'completion', 'help'], ['explain']],
  [['pro'], ['probe'], ['serve']],
  [['--'], ['--upstream', '--config', '--help', '--version'], ['--elicit']],
  [['probe', '--'], ['--elicit', '--raw', '--json', '--help'], ['--upstream']],
  [['probe', '--elicit', ''], ['form', 'url', 'form,url', 'none'], ['--raw']],
  [['probe', '--header', ''], [], ['form', 'serve']],
  [['serve', '--profile', ''], ['ze', 'spec'], []],
  [['demo', '--misbehave', 'cre'], ['credential-field'], ['url-mode']],
  [['rules', ''], ['explain'], ['serve']],
  [['rules', 'explain', 'url-'], ['url-https', 'url-valid'], ['explain']],
  [['completion', ''], ['bash', 'zsh', 'fish'], []],
  [['validate', ''], ['my gateway.yaml'], []],
  [['serve', '--config', 'my'], ['my gateway.yaml'], []],
];

describe('completion', () => {
  it('of a shell that there is no script for is wrong usage', async () => {
    const { code, out, err } = await completion('bsh');
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('SHELL: there is no script for it; did you mean `bash`?');
    expect((await completion('powershell')).err).toContain('there are bash, zsh, fish');
  });
});

describeWith('bash', 'completion in bash', (bash) => {
  it.each(TYPED)('proposes after %j: %j', async (typed, among, not) => {
    const words = ['mrtr-gateway', ...typed].map((word) => `'${word}'`).join(' ');
    const script = `${(await completion('bash')).out}
COMP_WORDS=(${words}); COMP_CWORD=${typed.length}
_mrtr_gateway
printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await execute(bash, ['--norc', '-c', script], { cwd: folder });
    const proposed = stdout.split('\n');
    expect(proposed).toEqual(expect.arrayContaining([...among]));
    expect(proposed.filter((word) => not.includes(word))).toEqual([]);
  });
});

describeWith('fish', 'completion in fish', (fish) => {
  it.each(TYPED)('proposes after %j: %j', async (typed, among, not) => {
    const line = ['mrtr-gateway', ...typed].join(' ');
    const script = `${(await completion('fish')).out}\ncomplete -C '${line}'`;
    const { stdout } = await execute(fish, ['--no-config', '-c', script], { cwd: folder });
    const proposed = stdout.split('\n').map((row) => row.split('\t')[0]?.replaceAll('\\', ''));
    expect(proposed).toEqual(expect.arrayContaining([...among]));
    expect(proposed.filter((word) => not.includes(word ?? ''))).toEqual([]);
  });
});

describeWith('zsh', 'completion in zsh', (zsh) => {
  /** In the place of the completion system: prints what would be proposed. */
  const STUBS = `compdef() { : }
compadd() { shift; print -l -- "$@" }
_files() { print -l -- * }
_describe() { print -l -- "\${(@)\${(P)2}%%:*}" }`;

  it.each(TYPED)('proposes after %j: %j', async (typed, among) => {
    const words = ['mrtr-gateway', ...typed].map((word) => `'${word}'`).join(' ');
    const script = `${STUBS}
${(await completion('zsh')).out}
words=(${words}); CURRENT=${typed.length + 1}; PREFIX='${typed.at(-1)}'
_mrtr_gateway`;
    const { stdout } = await execute(zsh, ['-f', '-c', script], { cwd: folder });
    expect(stdout.split('\n')).toEqual(expect.arrayContaining([...among]));
  });
});
