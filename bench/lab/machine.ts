/** What the figures hold for. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';

export interface Machine {
  readonly cpu: string;
  readonly memory: string;
  readonly system: string;
  readonly versions: Readonly<Record<string, string>>;
}

export function describeMachine(): Machine {
  return {
    cpu: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `${distribution()}, Linux ${release()}`,
    versions: {
      Node: process.versions.node,
      nginx: nginxVersion(),
      'http-proxy': packageVersion('http-proxy'),
      undici: packageVersion('undici'),
      'mcp-proxy': packageVersion('mcp-proxy'),
    },
  };
}

function distribution(): string {
  return /^PRETTY_NAME="(.*)"$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'unknown';
}

function packageVersion(name: string): string {
  return JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version;
}

function nginxVersion(): string {
  // It says so on stderr.
  const said = execFileSync('sh', ['-c', 'nginx -v 2>&1'], { encoding: 'utf8' });
  return /nginx\/(\S+)/.exec(said)?.[1] ?? 'unknown';
}
