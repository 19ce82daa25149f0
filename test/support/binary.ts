/** The built binary as an operator runs it. `npm test` builds it first; GATEWAY_CLI names another build to test. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
export const CLI = process.env.GATEWAY_CLI ?? join(ROOT, 'dist/cli.js');

export type LogLine = Readonly<Record<string, unknown>> & { readonly msg?: string };

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Binary {
  readonly pid: number;
  /** The first route's URL and the admin listener's, as the line `listening` names them. */
  readonly url: string;
  readonly adminUrl: string;
  /** Every log line so far. */
  readonly lines: readonly LogLine[];
  /** The first line, past or to come, that this holds for; rejects when the process ends before. */
  readonly line: (holds: (line: LogLine) => boolean) => Promise<LogLine>;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Asks it to end and waits until it has. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<Finished>;
  readonly finished: Promise<Finished>;
}

export interface BinaryOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Another build of the binary than this project's. */
  readonly cli?: string;
}

interface Running {
  readonly child: ChildProcess;
  readonly lines: LogLine[];
  readonly line: Binary['line'];
  readonly finished: Promise<Finished>;
}

/** Starts it and waits until it listens; rejects with its output when it ends before. */
export async function startBinary(args: readonly string[], options: BinaryOptions = {}): Promise<Binary> {
  const { child, lines, line, finished } = launch(args, options);
  const listening = await line(({ msg }) => msg === 'listening');
  const signal = (name: NodeJS.Signals) => void child.kill(name);
  return {
    pid: child.pid ?? 0,
    url: String(listening.url),
    adminUrl: String(listening.adminUrl),
    lines,
    line,
    signal,
    finished,
    stop: (name = 'SIGTERM') => {
      signal(name);
      return finished;
    },
  };
}

/** `serve` in front of this upstream, on free ports. */
export function startServe(upstream: string, ...args: readonly string[]): Promise<Binary> {
  const ports = ['--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0'];
  return startBinary(['serve', '--upstream', upstream, ...ports, ...args]);
}

/** Runs it to its end. */
export function runBinary(args: readonly string[], options: BinaryOptions = {}): Promise<Finished> {
  return launch(args, options).finished;
}

const running = new Set<ChildProcess>();

/** A test that fails before it stops its process leaves none behind. */
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
});

function launch(args: readonly string[], { env, cwd, cli = CLI }: BinaryOptions): Running {
  if (!existsSync(cli)) throw new Error(`${cli} is missing: run \`npm run build\` first`);
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: cwd ?? ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('close', () => running.delete(child));
  const out: string[] = [];
  const err: string[] = [];
  const lines: LogLine[] = [];
  const waiting = new Set<(line: LogLine) => void>();
  createInterface({ input: child.stdout }).on('line', (text) => {
    out.push(text);
    const line = parse(text);
    if (line === undefined) return;
    lines.push(line);
    for (const tell of waiting) tell(line);
  });
  createInterface({ input: child.stderr }).on('line', (text) => err.push(text));
  const finished = new Promise<Finished>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) =>
      resolve({ code, signal, stdout: out.join('\n'), stderr: err.join('\n') }),
    );
  });
  const line: Binary['line'] = (holds) =>
    new Promise((resolve, reject) => {
      const past = lines.find(holds);
      if (past !== undefined) return resolve(past);
      const tell = (next: LogLine) => {
        if (!holds(next)) return;
        waiting.delete(tell);
        resolve(next);
      };
      waiting.add(tell);
      finished.then(
        ({ code, stdout, stderr }) => reject(new Error(`ended with ${code}\n${stdout}\n${stderr}`)),
        reject,
      );
    });
  return { child, lines, line, finished };
}

function parse(text: string): LogLine | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as LogLine) : undefined;
  } catch {
    return undefined;
  }
}
