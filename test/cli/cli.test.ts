import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../src/cli.js';
import type { StartOptions } from '../../src/config/loaded.js';
import { MISBEHAVIOURS } from '../../src/demo/misbehave.js';

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly started: readonly StartOptions[];
}

async function ran(args: readonly string[], env: Record<string, string> = {}, startCode = 0): Promise<Ran> {
  let [out, err] = ['', ''];
  const started: StartOptions[] = [];
  const code = await run(args, {
    env,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    start: async (options) => {
      started.push(options);
      return startCode;
    },
  });
  return { code, out, err, started };
}

const UPSTREAM = 'http://127.0.0.1:9718/mcp';
let folder: string;
let good: string;
let bad: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mrtr-gateway-cli-'));
  good = join(folder, 'good.yaml');
  bad = join(folder, 'bad.yaml');
  writeFileSync(good, `routes: [{ upstream: "${UPSTREAM}", profile: ze }]\n`);
  writeFileSync(bad, 'listen: nowhere\nroutes: [{ upstrem: "x" }]\n');
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('serve', () => {
  it.each([[['serve', '--upstream', UPSTREAM]], [['--upstream', UPSTREAM]], [[`--upstream=${UPSTREAM}`]]])(
    'starts as %j',
    async (args) => {
      const { code, started } = await ran(args);
      expect(code).toBe(0);
      expect(started).toHaveLength(1);
      expect(started[0]?.loaded.config.routes).toMatchObject([{ path: '/mcp', upstream: { url: UPSTREAM } }]);
      expect(started[0]?.reload).toBeUndefined();
    },
  );

  it('takes every flag', async () => {
    const flags = [
      '--listen',
      '127.0.0.1:0',
      '--admin',
      '[::1]:0',
      '--profile',
      'ze',
      '--elicits',
      'ze_execute=command',
      '--elicits',
      'b=c,d',
    ];
    const { started } = await ran(['--upstream', UPSTREAM, ...flags]);
    expect(started[0]?.loaded.config).toMatchObject({
      listen: '127.0.0.1:0',
      admin: '[::1]:0',
      routes: [
        { profile: 'ze', tools: { ze_execute: { elicits: ['command'] }, b: { elicits: ['c', 'd'] } } },
      ],
    });
  });

  it('starts from variables alone', async () => {
    const { code, started } = await ran([], { MRTR_GATEWAY_ROUTES_0_UPSTREAM: UPSTREAM });
    expect([code, started.length]).toEqual([0, 1]);
  });

  it('starts from a file that it can read anew', async () => {
    const { started } = await ran(['--config', good, '--listen', '127.0.0.1:0']);
    const again = started[0]?.reload?.();
    expect(again?.config).toEqual(started[0]?.loaded.config);
    expect(again?.files).toEqual([good]);
  });

  it('ends with the code that the gateway ends with', async () => {
    expect((await ran(['--upstream', UPSTREAM], {}, 1)).code).toBe(1);
  });

  it.each([[[]], [['serve']], [['--profile', 'ze']]])(
    'with nothing to stand in front of names demo: %j',
    async (args) => {
      const { code, err, started } = await ran(args);
      expect([code, started]).toEqual([2, []]);
      expect(err).toContain('mrtr-gateway demo');
    },
  );

  it('tells every problem and starts nothing', async () => {
    const { code, out, err, started } = await ran(['--config', bad, '--profile', 'x'], {
      MRTR_GATEWAY_LOG_AUDIT: '1',
    });
    expect([code, out, started]).toEqual([2, '', []]);
    expect(err.trimEnd().split('\n')).toEqual([
      'mrtr-gateway: the configuration is not valid',
      '  MRTR_GATEWAY_LOG_AUDIT: expected true or false',
      '  listen: expected HOST:PORT, for example 127.0.0.1:9719 or [::1]:0',
      '  routes[0].upstream: is required',
      '  routes[0].profile: expected one of ze, spec (from --profile)',
      '  routes[0].upstrem: unknown key `routes[0].upstrem`; did you mean `upstream`?',
    ]);
  });
});

describe('validate', () => {
  it('prints the effective configuration and starts nothing', async () => {
    const { code, out, err, started } = await ran(['validate', good], { MRTR_GATEWAY_LISTEN: '127.0.0.1:0' });
    expect([code, err, started]).toEqual([0, '', []]);
    expect(out).toContain('listen: 127.0.0.1:0 # env\n');
    expect(out).toContain('profile: ze # file\n');
  });

  it('tells every problem', async () => {
    const { code, out, err } = await ran(['validate', bad]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('routes[0].upstrem: unknown key `routes[0].upstrem`; did you mean `upstream`?');
  });

  it('of a file that is not there says so', async () => {
    const file = join(folder, 'none.yaml');
    expect(await ran(['validate', file])).toMatchObject({
      code: 2,
      err: expect.stringContaining(`${file}: the file cannot be read (ENOENT)`),
    });
  });
});

describe('demo', () => {
  it('stands in front of the embedded server, in profile ze', async () => {
    const { code, started } = await ran([
      'demo',
      '--listen',
      '127.0.0.1:0',
      '--misbehave',
      'credential-field',
    ]);
    expect(code).toBe(0);
    expect(started[0]?.loaded.config).toMatchObject({ listen: '127.0.0.1:0', routes: [{ profile: 'ze' }] });
  });

  it('refuses a way to misbehave that there is not', async () => {
    const { code, err, started } = await ran(['demo', '--misbehave', 'credental-field']);
    expect([code, started]).toEqual([2, []]);
    expect(err).toContain('credential-field');
  });
});

describe('the command line', () => {
  it.each([[['--version']], [['-V']]])('%j prints the version', async (args) => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(await ran(args)).toMatchObject({ code: 0, out: `${version}\n`, started: [] });
  });

  it.each([[['--help']], [['-h']], [['help']]])('%j prints help with flags and examples', async (args) => {
    const { code, out, started } = await ran(args);
    expect([code, started]).toEqual([0, []]);
    for (const text of [
      'serve',
      'demo',
      'validate',
      '--upstream <URL>',
      '--elicits',
      'Examples:',
      'MRTR_GATEWAY_',
    ])
      expect(out).toContain(text);
  });

  it('helps with the ways to misbehave', async () => {
    const { out } = await ran(['demo', '--help']);
    for (const [name, { says }] of Object.entries(MISBEHAVIOURS))
      expect(out.split('\n').find((line) => line.startsWith(`  ${name} `))).toContain(says);
  });

  it.each([
    [['--upstrem', UPSTREAM], '--upstream'],
    [['serve', '--upstream', UPSTREAM, 'extra'], 'too many arguments'],
    [['serve', '--upstream'], 'argument missing'],
    [['sreve'], 'did you mean `serve`?'],
    [['http://127.0.0.1:9718/mcp'], 'is not a command'],
    [['validate'], "missing required argument 'FILE'"],
    [['demo', '--upstream', UPSTREAM], 'unknown option'],
  ])('%j is wrong usage', async (args, message) => {
    const { code, err, started } = await ran(args);
    expect([code, started]).toEqual([2, []]);
    expect(err).toContain(message);
  });
});
