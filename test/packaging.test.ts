/** The package as its users get it: packed, installed into an empty folder, run and imported there. */
import { type ExecFileException, execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startBinary } from './support/binary.js';
import { callTool, FORM } from './support/client.js';
import { IN_CI } from './support/programs.js';

const execute = promisify(execFile);
const { version, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'mrtr-gateway-package-'));
const QUIET = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
/** What npm says when the registry, or the way to it, is not there. */
const UNREACHABLE =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|E50\d)\b/;

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

let packed: Packed;
let absence: string | undefined;

/** Runs a command in the empty folder. */
async function inFolder(command: string, ...args: readonly string[]): Promise<string> {
  return (await execute(command, args, { cwd: folder })).stdout;
}

beforeAll(async () => {
  // The build is that of the test run: packing must not build under the feet of other tests.
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  [packed] = JSON.parse((await execute('npm', pack)).stdout);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const types = ['express', 'node'].map((name) => `@types/${name}@${devDependencies[`@types/${name}`]}`);
  try {
    await inFolder('npm', 'install', ...QUIET, join(folder, packed.filename), ...types);
  } catch (error) {
    const { stderr = '' } = error as ExecFileException;
    if (IN_CI || !UNREACHABLE.test(stderr)) throw error;
    absence = 'the package registry cannot be reached';
  }
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the tarball', () => {
  it('holds the build and what belongs to it, and nothing else', () => {
    const paths = packed.files.map(({ path }) => path);
    expect(paths.filter((path) => !path.startsWith('dist/')).sort()).toEqual([
      ...[
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'docs/config.schema.json',
        'man/mrtr-gateway.1',
        'package.json',
      ],
    ]);
    const built = paths.filter((path) => path.startsWith('dist/') && !/\.(js|d\.ts)$/.test(path));
    expect(built.filter((path) => !existsSync(path.replace('dist/', 'src/')))).toEqual([]);
    expect(paths).toEqual(expect.arrayContaining(['dist/cli.js', 'dist/index.js', 'dist/index.d.ts']));
  });

  it('is built when it is packed', () => {
    expect(JSON.parse(readFileSync('package.json', 'utf8')).scripts.prepack).toBe('npm run build');
  });
});

describe('the package, installed in an empty folder', () => {
  beforeEach(({ skip }) => skip(absence !== undefined, absence));

  it('has a binary that npx finds', async () => {
    expect(await inFolder('npx', '--no', '--', 'mrtr-gateway', '--version')).toBe(`${version}\n`);
  });

  it('has a demo that starts and answers', async () => {
    const args = ['demo', '--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0'];
    const cli = join(folder, 'node_modules/.bin/mrtr-gateway');
    const demo = await startBinary(args, { cli, cwd: folder });
    onTestFinished(async () => void (await demo.stop('SIGKILL')));
    const { message } = await callTool(demo.url, 'ze_execute', {}, { capabilities: FORM });
    expect(Object.keys(message.result.inputRequests)).toEqual(['ze_execute_command']);
    expect(await demo.stop()).toMatchObject({ code: 0, stderr: '' });
  });

  it.each([
    ['imported', 'app.mjs', "import { createGateway } from 'mrtr-gateway';"],
    ['required', 'app.cjs', "const { createGateway } = require('mrtr-gateway');"],
  ])('can be %s', async (_, file, line) => {
    const source = `${line}\nconst gateway = createGateway({ routes: [{ upstream: 'http://127.0.0.1:9718/mcp', profile: 'ze' }] });\nconsole.log(gateway.readiness().ready);\ngateway.close();\n`;
    writeFileSync(join(folder, file), source);
    expect(await inFolder(process.execPath, file)).toBe('true\n');
  });

  it('lets nobody in by a side door, save to the schema of the configuration', async () => {
    const source = `console.log(await import('mrtr-gateway/dist/cli.js').catch(({ code }) => code));
console.log(import.meta.resolve('mrtr-gateway/config.schema.json').endsWith('/docs/config.schema.json'));\n`;
    writeFileSync(join(folder, 'doors.mjs'), source);
    expect(await inFolder(process.execPath, 'doors.mjs')).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED\ntrue\n');
  });

  it('has types that compile in an Express app under strict settings', async () => {
    const source = `import express, { type RequestHandler } from 'express';
import { ConfigError, createGateway, evaluate, INBOUND, type Gateway, type Observer, type Rule } from 'mrtr-gateway';
import { Registry } from 'prom-client';

const observer: Partial<Observer> = { ended: ({ outcome }) => console.log(outcome) };
const gateway: Gateway = createGateway({ routes: [{ upstream: 'http://127.0.0.1:9718/mcp', profile: 'ze' }] }, { registry: new Registry(), observer });
const handler: RequestHandler = gateway;
express().use(gateway).use('/api', handler);
const rules: readonly Rule<'inbound'>[] = INBOUND;
export const closed: Promise<void> = gateway.close();
export const judged = [evaluate, rules, ConfigError];
// @ts-expect-error an option that there is not
createGateway({}, { registy: new Registry() });
`;
    writeFileSync(join(folder, 'app.mts'), source);
    const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
    await inFolder(process.execPath, resolve('node_modules/typescript/bin/tsc'), ...options, 'app.mts');
  });
});
