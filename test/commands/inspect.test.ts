import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/cli.js';
import { barOf, Progress } from '../../src/commands/inspect/progress.js';
import { runInspect } from '../../src/commands/inspect/run.js';
import { FORM, requestHeaders, requestText } from '../support/client.js';
import { temporaryFolder } from '../support/config-file.js';
import { describeWith } from '../support/programs.js';
import { startTerminal } from '../support/terminal.js';

interface Printed {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function worldOf() {
  const out: string[] = [];
  const err: string[] = [];
  const world = {
    env: {},
    out: (text: string) => void out.push(text),
    err: (text: string) => void err.push(text),
    start: async () => 0,
  };
  return { world, printed: (code: number): Printed => ({ code, out: out.join(''), err: err.join('') }) };
}

async function inspect(...args: readonly string[]): Promise<Printed> {
  const { world, printed } = worldOf();
  return printed(await run(['inspect', ...args], world));
}

/** A line of a full capture: a call, and a question with a form of these fields. */
function line(properties: object, name = 'book'): string {
  const options = { params: { name }, capabilities: FORM };
  const headers = Object.entries(requestHeaders('tools/call', { params: { name: 'book' } }));
  const params = { mode: 'form', message: 'm', requestedSchema: { type: 'object', properties } };
  const inputRequests = { q: { method: 'elicitation/create', params } };
  const response = { jsonrpc: '2.0', id: 1, result: { resultType: 'input_required', inputRequests } };
  const text = JSON.stringify(response);
  return JSON.stringify({
    capture: 1,
    redacted: false,
    route: 'mcp',
    path: '/mcp',
    httpMethod: 'POST',
    request: { headers, body: { bytes: 1, text: requestText('tools/call', options) } },
    answer: { status: 200, headers: [['content-type', 'application/json']], body: { bytes: 1, text } },
  });
}

const SOUND = line({ a: { type: 'string' } });
const NESTED = line({ a: { type: 'object' } });
const LINKED = line({ a: { type: 'string', description: 'see https://a.example/x' } });
const EVIL = `<b>|\`*_[x](y)\n\u001b[2J\u009b1m\u202e`;
const HOSTILE = line({ [EVIL]: { type: 'object' } }, EVIL);

async function fileOf(name: string, text: string): Promise<string> {
  const file = join(await temporaryFolder(), name);
  writeFileSync(file, text);
  return file;
}

const configOf = (rules: string) =>
  fileOf(
    'gateway.yaml',
    `routes:\n  - { upstream: http://127.0.0.1/mcp, requestState: relay, rules: { ${rules} } }\n`,
  );

describe('inspect', () => {
  it('exits 0 when everything would pass, and says what is reported', async () => {
    const file = await fileOf('a.jsonl', `${SOUND}\n${LINKED}\n`);
    const { code, out, err } = await inspect(file);
    expect([code, err]).toEqual([0, '']);
    expect(out.replace(file, 'FILE')).toBe(
      [
        'FILE: judged by profile spec',
        '',
        'line 2  tools/call book',
        '    reported  outbound form-has-no-link: a form shows a link, at /result/inputRequests/q/params/requestedSchema/properties/a/description',
        '',
        '2 exchanges judged: 2 pass, 0 are refused',
        '',
        '  form-has-no-link  refused 0, dropped 0, reported 1',
        '',
      ].join('\n'),
    );
  });

  it('exits 1 when an exchange would be refused', async () => {
    const { code, out } = await inspect(
      await fileOf('a.jsonl', `${SOUND}\n${NESTED}\n`),
      '--config',
      await configOf(''),
    );
    expect(code).toBe(1);
    expect(out).toContain('line 2  tools/call book\n    refused   outbound form-schema-flat: ');
    expect(out).toContain('2 exchanges judged: 1 pass, 1 is refused');
  });

  it('compares two configurations, and exits 1 when a verdict would change', async () => {
    const file = await fileOf('a.jsonl', `${SOUND}\n${NESTED}\n${LINKED}\n`);
    const [now, next] = [
      await configOf(''),
      await configOf('form-has-no-link: enforce, form-schema-flat: report'),
    ];
    const { code, out } = await inspect(file, '--config', now, '--against', next);
    expect(code).toBe(1);
    expect(out.split('\n').slice(2, -1)).toEqual([
      'line 2  tools/call book',
      '    refused by form-schema-flat  →  passes; reported form-schema-flat',
      'line 3  tools/call book',
      '    passes; reported form-has-no-link  →  refused by form-has-no-link',
      '',
      '3 exchanges judged: 2 would be judged otherwise, 1 not',
    ]);
    const same = await inspect(file, '--config', now, '--against', now);
    expect([same.code, /0 would be judged otherwise/.test(same.out)]).toEqual([0, true]);
  });

  it('prints one JSON object, and a table of Markdown', async () => {
    const file = await fileOf('a.jsonl', `${SOUND}\n${NESTED}\n`);
    const next = await configOf('form-schema-flat: off');
    const json = JSON.parse((await inspect(file, '--format', 'json')).out);
    expect(json).toMatchObject({
      sides: ['profile spec'],
      exchanges: [
        {
          place: 'line 2',
          method: 'tools/call',
          target: 'book',
          verdicts: [{ verdict: 'refused by form-schema-flat' }],
        },
      ],
      summary: { judged: 2, refused: 1, rules: [{ rule: 'form-schema-flat', refused: 1 }] },
    });
    const compared = JSON.parse((await inspect(file, '--against', next, '--format', 'json')).out);
    expect(compared.exchanges[0].verdicts.map(({ verdict }: { verdict: string }) => verdict)).toEqual([
      'refused by form-schema-flat',
      'passes',
    ]);
    const { out } = await inspect(file, '--against', next, '--format', 'markdown');
    expect(out).toContain('| line 2 | tools/call book | refused by form-schema-flat | passes |\n');
    expect(out).toMatch(/^2 exchanges judged: 1 would be judged otherwise, 1 not\.$/m);
  });

  it('prints a whole document when nothing was found', async () => {
    const file = await fileOf('a.har', '{"log":{"entries":[]}}');
    for (const format of ['table', 'json', 'markdown']) {
      const { code, out } = await inspect(file, '--format', format);
      expect([code, out.includes(format === 'json' ? '"judged":0' : '0 exchanges judged')]).toEqual([
        0,
        true,
      ]);
      if (format === 'json') expect(JSON.parse(out).exchanges).toEqual([]);
    }
  });

  it.each(['table', 'json', 'markdown'])('shows a hostile recording as text, as %s', async (format) => {
    const { code, out } = await inspect(await fileOf('a.jsonl', `${HOSTILE}\n`), '--format', format);
    expect(code).toBe(1);
    expect(out.replaceAll('\n', '')).not.toMatch(/\p{C}/u);
    if (format === 'markdown') expect(out.replaceAll('<br>', '')).not.toMatch(/<|(?<!\\)\[x\]/);
  });

  it('says what it could not judge', async () => {
    const redacted = SOUND.replace('"redacted":false', '"redacted":true');
    const text = [
      redacted,
      '{"capture":1,"dropped":4}',
      '{"capture":1',
      SOUND.replace('"answer"', '"x"'),
    ].join('\n');
    const { out } = await inspect(await fileOf('a.jsonl', text));
    expect(out).toContain('  1 redacted: ');
    expect(out).toContain('  1 not judged: they cannot be read');
    expect(out).toContain('  4 not in the file');
  });

  it('exits 2 when the file is none, or the flags are wrong', async () => {
    const none = await inspect('/nowhere/a.jsonl');
    expect([none.code, none.out]).toEqual([2, '']);
    expect(none.err).toBe('mrtr-gateway: /nowhere/a.jsonl cannot be inspected: it cannot be read (ENOENT)\n');
    const folder = await inspect(await temporaryFolder());
    expect([folder.code, folder.err.includes('EISDIR')]).toEqual([2, true]);
    const text = await inspect(await fileOf('a.txt', 'hello'));
    expect([text.code, text.err.includes('neither a capture nor an HTTP archive')]).toEqual([2, true]);
    const flags = await inspect('a', '--format', 'junit', '--config', 'a', '--profile', 'ze');
    expect([flags.code, flags.err.split('\n').length]).toEqual([2, 4]);
    const config = await inspect('a', '--config', '/nowhere/gateway.yaml');
    expect([config.code, config.err.includes('cannot be read')]).toEqual([2, true]);
  });
});

describe('progress', () => {
  it('is shown to whoever watches, and gone before anything is printed', async () => {
    const file = await fileOf('a.jsonl', `${SOUND}\n${LINKED}\n`);
    const { world, printed } = worldOf();
    const shown: string[] = [];
    const all = { ...world, out: (text: string) => void shown.push(`OUT ${text.length}`) };
    const code = await runInspect(file, {}, all, (text) => void shown.push(text));
    expect([code, printed(code).err]).toEqual([0, '']);
    const clear = '\r\u001b[K';
    expect(shown.slice(0, 2)).toEqual([`${clear}[${'#'.repeat(30)}] 100 %`, clear]);
    expect(shown.slice(2).every((text) => text.startsWith('OUT'))).toBe(true);
  });

  it('is nothing when nobody watches', () => {
    const progress = new Progress(10, undefined);
    progress.read(5);
    progress.clear();
    expect(barOf(5, 10)).toBe(`[${'#'.repeat(15)}${' '.repeat(15)}] 50 %`);
    expect(barOf(20, 0)).toBe(`[${'#'.repeat(30)}] 100 %`);
  });
});

describeWith('python3', 'an inspection at a terminal', (python) => {
  it('shows how far it has come, and leaves nothing of that behind', async () => {
    const terminal = startTerminal(python, ['inspect', await fileOf('a.jsonl', `${SOUND}\n`)]);
    expect(await terminal.code).toBe(0);
    expect(terminal.bytes()).toContain('] 100 %\r\u001b[K');
    expect(terminal.screen()).toContain('1 exchange judged: 1 pass');
  });
});
