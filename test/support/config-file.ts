/** A configuration file for the built binary, in a folder of its own. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export interface ConfigFile {
  readonly folder: string;
  readonly path: string;
  readonly write: (config: unknown) => Promise<void>;
}

/** Free ports, one route to this upstream, and what else the test needs. */
export function configFor(upstream: string, more: Readonly<Record<string, unknown>> = {}): unknown {
  const { route, ...keys } = more;
  return {
    listen: '127.0.0.1:0',
    admin: '127.0.0.1:0',
    seal: { ephemeral: true },
    routes: [{ upstream, ...(route as object) }],
    ...keys,
  };
}

/** Gone when the test is over. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mrtr-gateway-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function writeConfig(config: unknown): Promise<ConfigFile> {
  const folder = await temporaryFolder();
  const path = join(folder, 'gateway.json');
  const write = (next: unknown) => writeFile(path, typeof next === 'string' ? next : JSON.stringify(next));
  await write(config);
  return { folder, path, write };
}
