import type { Flags } from '../../src/config/flags.js';
import { loadConfig } from '../../src/config/load.js';
import { ConfigError, type LoadedConfig } from '../../src/config/loaded.js';

export interface Given {
  /** The configuration file's text; undefined: there is none. */
  readonly yaml?: string;
  readonly flags?: Flags;
  readonly env?: Readonly<Record<string, string>>;
  /** Further files by full path. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Most tests are not about keys: they seal without. */
const KEYLESS = { MRTR_GATEWAY_SEAL_EPHEMERAL: 'true' };

export const FILE = '/etc/gateway/gateway.yaml';

export function load({ yaml, flags, env = {}, files = {} }: Given): LoadedConfig {
  const texts = new Map([...Object.entries(files), ...(yaml === undefined ? [] : [[FILE, yaml] as const])]);
  const readFile = (file: string) => {
    const text = texts.get(file);
    if (text === undefined) throw Object.assign(new Error(`no ${file}`), { code: 'ENOENT' });
    return text;
  };
  const config = yaml === undefined ? {} : { config: FILE };
  return loadConfig({ flags: { ...config, ...flags }, env: { ...KEYLESS, ...env }, readFile });
}

/** Every problem as a line; empty when there is none. */
export function problems(given: Given): readonly string[] {
  try {
    load(given);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n');
  }
}

/** A file with one route that has these further keys. */
export function routeWith(keys: object, upstream: unknown = 'http://ze.test/mcp'): string {
  return JSON.stringify({ routes: [{ upstream, ...keys }] });
}
