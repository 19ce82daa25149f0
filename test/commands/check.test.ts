import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { run } from '../../src/cli.js';
import { loadConfig } from '../../src/config/load.js';
import type { Misbehaviour } from '../../src/demo/misbehave.js';
import { startDemoUpstream } from '../../src/demo/upstream.js';
import { generateKey } from '../../src/seal/key.js';
import { startFixture } from '../conformance/fixture.js';
import { temporaryFolder } from '../support/config-file.js';
import { elementsOf, parseXml } from '../support/xml.js';

interface Printed {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function check(...args: readonly string[]): Promise<Printed> {
  const out: string[] = [];
  const err: string[] = [];
  const world = {
    env: { TOKEN: 'secret-token' },
    out: (text: string) => void out.push(text),
    err: (text: string) => void err.push(text),
    start: async () => 0,
  };
  const code = await run(['check', ...args], world);
  return { code, out: out.join(''), err: err.join('') };
}

async function demo(...misbehave: Misbehaviour[]): Promise<string> {
  const ze = await startDemoUpstream({ host: '127.0.0.1', port: 0, misbehave: new Set(misbehave) });
  onTestFinished(ze.close);
  return ze.url;
}

/** Names that try to be more than text, in a server that answers calls under a wrong id. */
const EVIL = `<b onclick="x">&amp;'|\`*_[x](http://x)\n\u001b[2J\u009b1m\u202e\u0000\ufffe]]>`;

async function hostile(): Promise<string> {
  const cache = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { id, method } = JSON.parse(Buffer.concat(chunks).toString());
      const _meta = { 'io.modelcontextprotocol/serverInfo': { name: EVIL, version: EVIL } };
      const supportedVersions = ['2026-07-28', EVIL];
      const tools = [{ name: EVIL, annotations: { readOnlyHint: true }, inputSchema: { type: 'object' } }];
      const asks = { [EVIL]: { method: EVIL } };
      const results: Record<string, object> = {
        'server/discover': { ...cache, supportedVersions, capabilities: { tools: {} }, _meta },
        'tools/list': { ...cache, tools },
        'tools/call': { resultType: 'input_required', inputRequests: asks },
      };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

const ZE = ['--profile', 'ze', '--call', 'ze_execute'];

describe('check', () => {
  it('exits 0 when no obligation is broken, and 1 when one is', async () => {
    const sound = await check(await demo(), ...ZE);
    expect([sound.code, sound.err]).toEqual([0, '']);
    expect(sound.out).toMatch(/^no obligation is broken, 0 recommendations not followed, \d+ kept/m);
    const broken = await check(await demo('credential-field'), ...ZE);
    expect(broken.code).toBe(1);
    expect(broken.out).toMatch(
      /^FAIL +form-asks-no-credential +MUST NOT +client\/elicitation\n +call ze_execute \(all\): a form asks for a credential, at \/result\/.*\/api_key\n +and in \d+ more exchanges$/m,
    );
  });

  it('exits 0 when only a recommendation is not followed', async () => {
    const { code, out } = await check(await demo('public-list'));
    expect([code, /^warn +list-scope-private/m.test(out)]).toEqual([0, true]);
  });

  it('says which tools were left alone', async () => {
    const { out } = await check(await demo());
    expect(out).toContain('1 of 3 tools were not called');
    expect((await check(await demo(), '--call-all')).out).not.toContain('not called');
  });

  it('says so when the tool to be called is none of the server’s', async () => {
    const { err } = await check(await demo(), '--call', 'zexecute');
    expect(err).toBe('mrtr-gateway: the server lists no tool of the name given to --call\n');
  });

  it('exits 4 with one sentence when there is no server', async () => {
    const { code, out, err } = await check('http://127.0.0.1:1/mcp?token=secret');
    expect([code, out]).toEqual([4, '']);
    expect(err).toBe(
      'mrtr-gateway: http://127.0.0.1:1/mcp?*** cannot be checked: nothing listens there: the connection was refused\n',
    );
  });

  it('exits 2 with every problem of its usage', async () => {
    const { code, err } = await check('--format', 'xml', '--within', 'x', '--profile', 'zee', '--route', 'a');
    expect(code).toBe(2);
    for (const part of [
      'which server?',
      '--format: expected',
      '--within: expected',
      'mean `ze`',
      '--route: names',
    ])
      expect(err).toContain(part);
  });

  it('judges by a route of a configuration', async () => {
    const file = join(await temporaryFolder(), 'gateway.yaml');
    const routes = [
      '  - { name: one, path: /one, upstream: http://127.0.0.1/mcp, profile: ze, rules: { form-asks-no-credential: report } }',
    ];
    routes.push('  - { name: two, path: /two, upstream: http://127.0.0.1/mcp, requestState: relay }');
    writeFileSync(file, `routes:\n${routes.join('\n')}\n`);
    const url = await demo('credential-field');
    const args = [url, '--call-all', '--config', file];
    expect((await check(...args)).err).toContain('--route: which of one, two?');
    expect((await check(...args, '--route', 'tow')).err).toContain('did you mean `two`?');
    const one = await check(...args, '--route', 'one');
    expect([one.code, /^warn +form-asks-no-credential/m.test(one.out)]).toEqual([0, true]);
    expect((await check(...args, '--route', 'two')).code).toBe(1);
  });
});

describe('the report', () => {
  it('is valid XML for a CI server, a test case a rule', async () => {
    const { code, out } = await check(
      await demo('credential-field', 'public-list'),
      ...ZE,
      '--format',
      'junit',
    );
    expect(code).toBe(1);
    const suites = parseXml(out);
    const cases = elementsOf(suites, 'testcase');
    expect(suites.attributes).toMatchObject({ tests: `${cases.length}`, failures: '1', errors: '0' });
    expect(elementsOf(suites, 'skipped').length).toBe(Number(suites.attributes.skipped));
    const [failure] = elementsOf(suites, 'failure');
    expect(failure?.attributes).toEqual({ message: 'a form asks for a credential', type: 'MUST NOT' });
    expect(failure?.text).toContain('call ze_execute (all)');
    const warned = cases.find(({ attributes }) => attributes.name === 'list-scope-private');
    expect(warned?.children.map(({ name }) => name)).toEqual(['system-out']);
  });

  it('is one JSON object for programs, without the token that was given', async () => {
    const args = [...ZE, '--bearer', 'env:TOKEN', '--format', 'json'];
    const { out, err } = await check(await demo('wrong-id'), ...args);
    expect(out + err).not.toContain('secret-token');
    const report = JSON.parse(out);
    expect(report).toMatchObject({ profile: 'ze', server: { name: 'ze-demo' }, summary: { fail: 1 } });
    const row = report.rows.find(({ verdict }: { verdict: string }) => verdict === 'fail');
    expect(row).toMatchObject({
      rule: 'response-answers-request',
      keyword: 'MUST',
      evidence: [{ at: '/id' }],
    });
  });

  it('is a table of Markdown for a pull request', async () => {
    const { out } = await check(await demo('wrong-id'), ...ZE, '--format', 'markdown');
    const lines = out.split('\n').filter((line) => line.startsWith('|'));
    expect(lines[0]).toBe('| Rule | Clause | Verdict | Evidence |');
    expect(new Set(lines.map((line) => line.replaceAll('\\|', '').split('|').length))).toEqual(new Set([6]));
    expect(lines.find((line) => line.includes('**FAIL**'))).toMatch(
      /^\| `response-answers-request` \| \[basic\/index\]\(https:[^)]*\) MUST \| \*\*FAIL\*\* \| call ze\\_execute \(all\): /,
    );
  });

  it.each(['table', 'json', 'markdown', 'junit'])('shows a hostile server as text, as %s', async (format) => {
    const { code, out, err } = await check(await hostile(), '--format', format);
    expect([code, err]).toEqual([1, '']);
    expect(out).toContain('input-request-kind-allowed');
    expect(out.replaceAll('\n', '')).not.toMatch(/\p{C}/u);
    if (format === 'json') expect(JSON.parse(out).server.name).toBe(EVIL);
    if (format === 'junit') expect(parseXml(out).attributes.failures).not.toBe('0');
    if (format === 'markdown') expect(out.replaceAll('<br>', '')).not.toMatch(/<|(?<!\\)\[x\]/);
  });
});

describe('the suggested configuration', () => {
  const schema = JSON.parse(readFileSync('docs/config.schema.json', 'utf8'));
  const valid = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);

  function load(yaml: string) {
    expect(valid(parse(yaml)), JSON.stringify(valid.errors)).toBe(true);
    const env = { MRTR_SEAL_KEY: generateKey() };
    return loadConfig({ flags: { config: 'gateway.yaml' }, env, readFile: () => yaml }).config;
  }

  it('fits Ze to its profile, with what its tool elicits and a reason for every line', async () => {
    const url = await demo();
    const { code, out, err } = await check(url, '--call', 'ze_execute', '--suggest');
    expect(code).toBe(0);
    expect(err).toContain('no obligation is broken');
    expect(load(out).routes[0]).toMatchObject({
      path: '/mcp',
      upstream: { url },
      profile: 'ze',
      requestState: 'forbid',
      tools: { ze_execute: { elicits: ['command'] } },
    });
    const lines = out.split('\n');
    const settings = lines.filter((line) => /^ +(- )?\S+:/.test(line));
    expect(settings.length).toBeGreaterThan(4);
    for (const line of settings) expect(lines[lines.indexOf(line) - 1]).toMatch(/^ *# \S/);
  });

  it('claims nothing of tools that were not called', async () => {
    const { out } = await check(await demo(), '--suggest');
    expect(load(out).routes[0]).toMatchObject({ profile: 'spec', requestState: 'relay', tools: {} });
    expect(out).toContain('2 of 3 tools called');
  });

  it('seals the states of a server that issues some', async () => {
    const served = await startFixture();
    onTestFinished(served.close);
    const { out } = await check(served.url, '--call-all', '--suggest');
    const config = load(out);
    expect([config.routes[0]?.requestState, config.seal.keys.length]).toEqual(['seal', 1]);
  });

  it('names what the server breaks today, and earlier revisions that it speaks', async () => {
    const { code, out } = await check(
      await demo('credential-field', 'old-version'),
      '--call-all',
      '--suggest',
    );
    expect(code).toBe(0);
    expect(load(out).routes[0]?.legacy).toBe('refuse');
    expect(out).toContain('#   form-asks-no-credential: a form asks for a credential\n');
  });

  it('is valid for a hostile server too', async () => {
    const { out } = await check(await hostile(), '--suggest');
    expect(out.replaceAll('\n', '')).not.toMatch(/\p{C}/u);
    expect(load(out).routes[0]?.legacy).toBe('refuse');
  });
});
