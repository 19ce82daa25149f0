import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../../src/cli.js';
import { loadConfig } from '../../src/config/load.js';
import type { LoadedConfig } from '../../src/config/loaded.js';
import { startBinary } from '../support/binary.js';
import { describeWith } from '../support/programs.js';

const README = readFileSync('README.md', 'utf8');
const PACKAGE = JSON.parse(readFileSync('package.json', 'utf8'));
const execute = promisify(execFile);

/** Every block of code of this language, in order. */
function blocks(language: string): readonly string[] {
  return [...README.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter((match) => match[1] === language)
    .map((match) => match[2] ?? '');
}

const COMMANDS = blocks('sh').flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'));

describe('the README', () => {
  it('begins with its name and one sentence, and no badges', () => {
    expect(README).toMatch(/^# mrtr-gateway\n\n[A-Z][^#[\]]*\.\n/);
    expect(README.slice(0, README.indexOf('## '))).not.toMatch(/!\[/);
  });

  it('starts and tests the project with the two commands of the contract', () => {
    expect(COMMANDS).toContain('npm ci && npm start');
    expect(COMMANDS).toContain('npm ci && npm test');
    expect(PACKAGE.scripts.start).toMatch(/^npm run build && node dist\/cli\.js demo$/);
    expect(readFileSync('.ci/run', 'utf8')).toMatch(/^npm ci && npm test$/m);
  });

  it('shows a configuration that is valid', () => {
    const [file = ''] = blocks('yaml');
    const { config } = loadConfig({ flags: { config: 'gateway.yaml' }, env: {}, readFile: () => file });
    expect(config.routes.map(({ path }) => path)).toEqual(['/ze/mcp', '/books/mcp']);
  });

  it.each(COMMANDS.filter((line) => line.startsWith('mrtr-gateway ') && !line.includes('gateway.yaml')))(
    'shows a command line that is understood: %s',
    async (line) => {
      const started: LoadedConfig[] = [];
      const said: string[] = [];
      const world = {
        env: {},
        out: (text: string) => void said.push(text),
        err: (text: string) => void said.push(text),
        start: async ({ loaded }: { loaded: LoadedConfig }) => {
          started.push(loaded);
          return 0;
        },
      };
      expect(await run(line.split(' ').slice(1), world)).toBe(0);
      expect([said, started.length]).toEqual([[], 1]);
    },
  );

  it('names a misbehaviour that there is', async () => {
    const line = COMMANDS.find((command) => command.startsWith('npm start -- '));
    const args = line?.split(' ').slice(3) ?? [];
    const world = { env: {}, out: () => undefined, err: () => undefined, start: async () => 0 };
    expect(await run(['demo', ...args], world)).toBe(0);
  });
});

describeWith('curl', 'the first request of the README', () => {
  it('gets word for word the answer that stands below it', async () => {
    const demo = await startBinary(['demo', '--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0']);
    onTestFinished(async () => void (await demo.stop()));
    const script = blocks('sh').find((block) => block.startsWith('curl ')) ?? '';
    expect(script).toContain('http://127.0.0.1:9719/mcp');
    const { stdout } = await execute('sh', ['-c', script.replace('http://127.0.0.1:9719/mcp', demo.url)]);
    expect(stdout).toBe(blocks('json')[0]?.trimEnd());
  });
});
