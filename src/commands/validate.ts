import { loadConfig } from '../config/load.js';
import { showConfig } from '../config/show.js';
import { EXIT_OK, type World } from './world.js';

/** Prints the effective configuration, each value with its origin. Throws ConfigError with every problem. */
export function validate(file: string, { env, out }: World): number {
  const loaded = loadConfig({ flags: { config: file }, env });
  out(`# ${file} is valid. The effective configuration:\n${showConfig(loaded)}`);
  return EXIT_OK;
}
