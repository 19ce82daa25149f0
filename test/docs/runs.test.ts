/** The runs that documents show, run again: `…` stands for lines, and at a line's end for the rest of it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../src/cli.js';
import { type DemoUpstream, startDemoUpstream } from '../../src/demo/upstream.js';
import { requestHeaders, requestText } from '../support/client.js';
import { startGateway } from '../support/pair.js';

interface Shown {
  readonly line: string;
  readonly output: readonly string[];
}

const PORT = '9719';
/** A call, and one whose header names another tool. */
const TRAFFIC = ['ze_execute', 'ze_peers'].map((name) => {
  const headers = Object.entries(requestHeaders('tools/call', { params: { name } }));
  const text = requestText('tools/call', { params: { name: 'ze_execute' } });
  const request = { headers, body: { bytes: text.length, text } };
  return JSON.stringify({
    capture: 1,
    redacted: false,
    route: 'mcp',
    path: '/mcp',
    httpMethod: 'POST',
    request,
  });
});
const FILES = ['gateway.yaml', 'traffic.jsonl'];
const ZE = { profile: 'ze', tools: { ze_execute: { elicits: ['command'] } } };

function shownIn(document: string): readonly Shown[] {
  const blocks = [...document.matchAll(/^```console\n\$ ([^\n]+)\n([\s\S]*?)^```$/gm)];
  return blocks.map(([, line = '', output = '']) => ({ line, output: output.trimEnd().split('\n') }));
}

/** Words as a shell parts them; single quotes are all that is used. */
function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
}

function pattern(output: readonly string[]): RegExp {
  const escaped = output.map((line) =>
    line === '…' ? '(?:.*\n)*?' : `${line.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&').replace(/…$/, '.*')}\n`,
  );
  return new RegExp(`^${escaped.join('')}${output.at(-1) === '…' ? '' : '$'}`);
}

const README = readFileSync('README.md', 'utf8');
const DOCUMENTS = ['README.md', 'docs/commands.md'];
const RUNS = DOCUMENTS.flatMap((file) =>
  shownIn(readFileSync(file, 'utf8')).map((shown) => [file, shown] as const),
);

let ze: DemoUpstream;
let folder: string;

beforeAll(async () => {
  ze = await startDemoUpstream({ host: '127.0.0.1', port: 0 });
  folder = mkdtempSync(join(tmpdir(), 'mrtr-gateway-runs-'));
  writeFileSync(join(folder, 'gateway.yaml'), /^```yaml\n([\s\S]*?)^```$/m.exec(README)?.[1] ?? '');
  writeFileSync(join(folder, 'traffic.jsonl'), `${TRAFFIC.join('\n')}\n`);
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await ze.close();
});

describe('what documents show of a run', () => {
  it.each(RUNS)('in %s is what comes: $line', async (_, { line, output }) => {
    const { port } = await startGateway(ze.url, { route: ZE });
    const [program, ...args] = wordsOf(line).map((word) => (word === PORT ? String(port) : word));
    expect(program).toBe('mrtr-gateway');
    let said = '';
    const say = (text: string) => {
      said += text;
    };
    const inFolder = args.map((word) => (FILES.includes(word) ? join(folder, word) : word));
    await run(inFolder, {
      env: {},
      out: say,
      err: say,
      start: async () => 1,
      stdin: () => Readable.from([]),
    });
    const shown = said.replaceAll(`${folder}/`, '').replaceAll(`:${port}`, `:${PORT}`);
    expect(shown).toMatch(pattern(output));
  });

  it('is of every command that the README names, except those that serve', () => {
    const run = new Set(shownIn(README).map(({ line }) => wordsOf(line)[1]));
    expect([...run].sort()).toEqual(
      expect.arrayContaining(['check', 'completion', 'inspect', 'keygen', 'probe', 'rules', 'validate']),
    );
  });
});
