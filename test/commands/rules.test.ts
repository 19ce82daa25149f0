import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../src/cli.js';
import { clauseUrl } from '../../src/engine/refusal.js';
import type { RuleCard } from '../../src/engine/rule.js';
import { ADMIT, INBOUND, OUTBOUND, PARSE } from '../../src/rules/index.js';

const RULES: readonly RuleCard[] = [...ADMIT, ...PARSE, ...INBOUND, ...OUTBOUND];

const CONFIG = `routes:
  - { name: ze, path: /ze, upstream: 'http://127.0.0.1:1/mcp', profile: ze }
  - name: books
    path: /books
    upstream: http://127.0.0.1:1/mcp
    mode: report
    rules: { form-schema-flat: enforce, url-https: 'off' }
`;

let folder: string;
let file: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mrtr-gateway-rules-'));
  file = join(folder, 'gateway.yaml');
  writeFileSync(file, CONFIG);
});

afterAll(() => rmSync(folder, { recursive: true }));

async function rules(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
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
  return { code: await run(['rules', ...args], world), out, err };
}

/** Cells of the row that begins with this id, under their titles. */
function row(table: string, id: string): Record<string, string> {
  const lines = table.split('\n');
  const [head = ''] = lines;
  const line = lines.find((one) => one.startsWith(`${id} `)) ?? '';
  const titles = [...head.matchAll(/\S+/g)];
  return Object.fromEntries(
    titles.map(({ 0: title, index }, column) => [title, line.slice(index, titles[column + 1]?.index).trim()]),
  );
}

describe('rules', () => {
  it('lists every rule in the order of evaluation', async () => {
    const { code, out } = await rules();
    expect(code).toBe(0);
    expect(
      out
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((line) => line.split(' ')[0]),
    ).toEqual(RULES.map(({ id }) => id));
    expect(row(out, 'url-https')).toEqual({
      RULE: 'url-https',
      STAGE: 'outbound',
      SPEC: 'report',
      ZE: 'enforce',
      LOCKED: '',
      CLAUSE: 'SHOULD client/elicitation#safe-url-handling',
    });
    expect(row(out, 'single-message')).toMatchObject({ LOCKED: 'locked' });
  });

  it('says what each is worth on the routes of a file', async () => {
    const { out } = await rules('--config', file);
    expect(row(out, 'form-schema-flat')).toMatchObject({ ze: 'enforce', books: 'enforce' });
    expect(row(out, 'form-asks-no-credential')).toMatchObject({ ze: 'enforce', books: 'report' });
    expect(row(out, 'url-https')).toMatchObject({ ze: 'enforce', books: 'off' });
    expect(row(out, 'json-unambiguous')).toMatchObject({ ze: 'enforce', books: 'enforce' });
  });

  it('says it of one route', async () => {
    const { out } = await rules('--config', file, '--route', 'books');
    expect(row(out, 'url-https')).toMatchObject({ books: 'off' });
    expect(row(out, 'url-https')).not.toHaveProperty('ze');
  });

  it('says all of it as JSON', async () => {
    const { out } = await rules('--json', '--config', file);
    const listed = JSON.parse(out);
    expect(listed).toHaveLength(RULES.length);
    expect(listed.find(({ id }: RuleCard) => id === 'url-https')).toMatchObject({
      clause: { url: expect.stringContaining('https://modelcontextprotocol.io/') },
      default: { spec: 'report', ze: 'enforce' },
      effective: { ze: 'enforce', books: 'off' },
    });
  });

  it.each([
    [['--route', 'ze'], '--route: names a route of a configuration: --config is missing'],
    [
      ['--config', 'FILE', '--route', 'boks'],
      '--route: there is no route of this name; did you mean `books`?',
    ],
    [['--config', '/nowhere.yaml'], '/nowhere.yaml: the file cannot be read (ENOENT)'],
    [['explain'], "missing required argument 'ID'"],
    [['explain', 'url-htps'], 'there is no rule `url-htps`; did you mean `url-https`?'],
    [
      ['explain', 'entirely-different'],
      'there is no rule `entirely-different`; `mrtr-gateway rules` lists them',
    ],
    [['explain', '__proto__'], 'there is no rule `__proto__`'],
    [['expain'], 'too many arguments'],
  ])('%j is wrong usage', async (args, message) => {
    const { code, out, err } = await rules(...args.map((arg) => (arg === 'FILE' ? file : arg)));
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
  });
});

describe('rules explain', () => {
  it.each(RULES)('$id is told in full', async (rule) => {
    const { code, out } = await rules('explain', rule.id);
    expect(code).toBe(0);
    const parts = [
      'Why',
      'Clause',
      'Severity',
      'Broken by ',
      'What the client then sees',
      'Kept by ',
      'Tuning',
    ];
    const found = parts.map((part) => out.indexOf(`\n${part}`));
    expect(found).toEqual([...found].sort((one, other) => one - other));
    expect(found).not.toContain(-1);
    expect(out).toContain(clauseUrl(rule));
    const sees = out.slice(out.indexOf('What the client then sees'), out.indexOf('\nKept by '));
    expect(sees).toContain(rule.remedy === 'drop' ? 'the event is dropped' : `"rule": "${rule.id}"`);
    expect(out).toContain(rule.locked === undefined ? `${rule.id}: report` : 'It cannot be softened: ');
  });

  it('keeps its lines within most terminals', async () => {
    for (const { id } of RULES) {
      const long = (await rules('explain', id)).out.split('\n').filter((line) => line.length > 125);
      expect(long.filter((line) => !/https:|"message"|urn:|^ {2}under /.test(line))).toEqual([]);
    }
  });

  it('says what the rule is worth on a route', async () => {
    const { out } = await rules('explain', 'url-https', '--config', file, '--route', 'books');
    expect(out).toContain('  route books: off\n');
  });

  it('says all of it as JSON', async () => {
    const told = JSON.parse((await rules('explain', 'request-state-accepted', '--json')).out);
    expect(told).toMatchObject({
      id: 'request-state-accepted',
      why: expect.any(String),
      examples: { breaks: { request: { body: expect.stringContaining('requestState') } } },
      refusal: { status: 400, body: { error: { code: -32602 } } },
      tuning: expect.arrayContaining([
        { yaml: 'routes: [{ requestState: relay }]', says: expect.any(String) },
      ]),
    });
  });
});
