/** The processes of a run: each on the CPU of its part, each ended by its id. */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

/** What runs where: with few CPUs the client and the upstream share one, and the process under test has its own. */
export type Part = 'client' | 'upstream' | 'subject' | 'second subject';

const CPUS = availableParallelism();
const PLACES: Readonly<Record<Part, number>> = {
  client: 0,
  upstream: CPUS > 2 ? 1 : 0,
  subject: CPUS > 2 ? 2 : CPUS - 1,
  'second subject': CPUS > 3 ? 3 : CPUS - 1,
};

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

/** A command on the CPU of this part. */
export function placed(part: Part, command: readonly string[]): readonly string[] {
  return ['taskset', '-c', String(PLACES[part]), ...command];
}

export function launch(part: Part, command: readonly string[], stdio: StdioOptions): ChildProcess {
  const [program = '', ...args] = placed(part, command);
  const child = spawn(program, args, { stdio, serialization: 'advanced' });
  running.add(child);
  child.once('exit', () => running.delete(child));
  child.once('error', (error) => {
    throw error;
  });
  return child;
}

/** A file of bench/parts in a process of its own, and its first message. */
export async function launchPart(
  part: Part,
  file: string,
  args: readonly string[] = [],
  nodeFlags: readonly string[] = [],
): Promise<{ child: ChildProcess; hello: unknown }> {
  const path = fileURLToPath(new URL(`../parts/${file}.js`, import.meta.url));
  const child = launch(
    part,
    [process.execPath, ...nodeFlags, path, ...args],
    ['ignore', 'inherit', 'inherit', 'ipc'],
  );
  return { child, hello: await nextMessage(child) };
}

/** Rejects when the process ends before it says something. */
export async function nextMessage<T = unknown>(child: ChildProcess, withinMs = 300_000): Promise<T> {
  const over = new AbortController();
  const { signal } = over;
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`process ${child.pid} ended with ${code}`);
  });
  const late = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(new Error(`process ${child.pid} said nothing`)), withinMs);
    signal.addEventListener('abort', () => clearTimeout(timer));
  });
  try {
    const [message] = await Promise.race([once(child, 'message', { signal }), ended, late]);
    return message;
  } finally {
    ended.catch(() => {});
    over.abort();
  }
}

export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  const late = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await exited;
  clearTimeout(late);
}
