/** A real Prometheus with the committed configuration, pointed at one gateway and set to be quick. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { vi } from 'vitest';
import { parse, stringify } from 'yaml';

const CONFIGURATION = 'deploy/prometheus/prometheus.yml';

interface Configuration {
  global: Record<string, unknown>;
  rule_files: string[];
  scrape_configs: { static_configs: { targets: string[] }[] }[];
}

export interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Prometheus {
  readonly query: (expr: string) => Promise<readonly Sample[]>;
  /** `data` of an answer of its API, below /api/v1/. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read freely into what they assert
  readonly api: (path: string, parameters?: Readonly<Record<string, string>>) => Promise<any>;
  /** Resolves when this holds, which is asked again and again. */
  readonly until: (holds: () => Promise<boolean>) => Promise<void>;
  readonly stop: () => Promise<void>;
}

export async function startPrometheus(program: string, adminUrl: string): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'mrtr-gateway-prometheus-'));
  const file = join(folder, 'prometheus.yml');
  writeFileSync(file, configurationFor(new URL(adminUrl).host));
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(
    program,
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const said: string[] = [];
  child.stderr.on('data', (text) => said.push(String(text)));
  const api: Prometheus['api'] = async (path, parameters = {}) => {
    const response = await fetch(`http://${address}/api/v1/${path}?${new URLSearchParams(parameters)}`);
    const answer = (await response.json()) as { status: string; data: unknown; error?: string };
    if (answer.status !== 'success') throw new Error(`${answer.error}: ${JSON.stringify(parameters)}`);
    return answer.data;
  };
  await ready(child, address, said);
  return {
    api,
    query: async (expr) => {
      const { result } = (await api('query', { query: expr })) as {
        result: { metric: Record<string, string>; value: [number, string] }[];
      };
      return result.map(({ metric, value }) => ({ metric, value: Number(value[1]) }));
    },
    until: (holds) =>
      vi.waitFor(
        async () => {
          if (!(await holds())) throw new Error(`it never came to hold: ${holds}`);
        },
        { timeout: 45_000, interval: 100 },
      ),
    stop: async () => {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function configurationFor(target: string): string {
  const configuration = parse(readFileSync(CONFIGURATION, 'utf8')) as Configuration;
  Object.assign(configuration.global, {
    scrape_interval: '500ms',
    scrape_timeout: '500ms',
    evaluation_interval: '500ms',
  });
  configuration.rule_files = configuration.rule_files.map((name) => resolve(CONFIGURATION, '..', name));
  for (const { static_configs } of configuration.scrape_configs)
    for (const one of static_configs) one.targets = [target];
  return stringify(configuration);
}

async function ready(child: ChildProcess, address: string, said: readonly string[]): Promise<void> {
  await vi.waitFor(
    async () => {
      if (child.exitCode !== null) return;
      const { ok } = await fetch(`http://${address}/-/ready`);
      if (!ok) throw new Error('not ready');
    },
    { timeout: 45_000, interval: 100 },
  );
  if (child.exitCode !== null) throw new Error(`prometheus ended\n${said.join('')}`);
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
