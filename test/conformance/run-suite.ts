/** Runs the official conformance command against a URL and reads what each scenario found. */
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const REVISION = '2026-07-28';
const HERE = dirname(fileURLToPath(import.meta.url));
const PACKAGE = join(HERE, '../../node_modules/@modelcontextprotocol/conformance');
const COMMAND = join(PACKAGE, 'dist/index.js');
const REQUIREMENTS = join(PACKAGE, 'requirements', `${REVISION}.yaml`);

export type Status = 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';

export interface Check {
  readonly id: string;
  readonly name: string;
  readonly status: Status;
  readonly errorMessage?: string;
}

/** Checks by scenario, in the order in which they ran. */
export type Results = ReadonlyMap<string, readonly Check[]>;

/** The scenarios that count for the revision; the suite runs others too, for information. */
export async function scoredScenarios(): Promise<readonly string[]> {
  const required = parse(await readFile(REQUIREMENTS, 'utf8')) as { server: string[] };
  return required.server;
}

export async function runSuite(url: string): Promise<Results> {
  const directory = await mkdtemp(join(tmpdir(), 'conformance-'));
  try {
    const output = await runCommand(['server', '--requirements', REVISION, '--url', url, '-o', directory]);
    const results = await readResults(directory);
    if (results.size === 0) throw new Error(`the conformance command left no results:\n${output}`);
    return results;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Every check of a run that did not succeed, as one line each: equal runs give equal lists. */
export function complaints(results: Results): string[] {
  return [...results].flatMap(([scenario, checks]) =>
    checks
      .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
      .map(({ id, name, status }) => `${scenario}: ${status} ${id} ${name}`),
  );
}

export function failed(checks: readonly Check[] | undefined): boolean {
  return checks === undefined || checks.length === 0 || checks.some(({ status }) => status === 'FAILURE');
}

function runCommand(args: readonly string[]): Promise<string> {
  const shim = join(HERE, 'glob-shim.mjs');
  const child = spawn(process.execPath, ['--import', shim, COMMAND, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => resolve(output));
  });
}

/** Each scenario leaves a folder named `server-<scenario>-<time>` with its checks. */
async function readResults(directory: string): Promise<Results> {
  const results = new Map<string, Check[]>();
  for (const name of (await readdir(directory)).sort()) {
    const scenario = /^server-(.+)-\d{4}-\d{2}-\d{2}T[\d-]+Z$/.exec(name)?.[1];
    if (scenario === undefined) continue;
    const text = await readFile(join(directory, name, 'checks.json'), 'utf8');
    results.set(scenario, JSON.parse(text) as Check[]);
  }
  return results;
}
