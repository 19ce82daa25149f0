/** A redis-server of the test's own, in memory, on a free port of 127.0.0.1. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

export interface RedisServer {
  readonly url: string;
  /** Stops answering without closing connections, until it is resumed. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
  /** After a stop: on the same port, empty. */
  start(): Promise<void>;
}

/** `program` is redis-server or valkey-server. */
export async function startRedis(program: string): Promise<RedisServer> {
  const port = await freePort();
  let child = await launch(program, port);
  return {
    url: `redis://127.0.0.1:${port}`,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    stop: () => ended(child),
    start: async () => {
      child = await launch(program, port);
    },
  };
}

function launch(program: string, port: number): Promise<ChildProcess> {
  const child = spawn(
    program,
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes('Ready to accept connections')) resolve(child);
    });
  });
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
