import { loadConfig } from '../config/load.js';
import { showConfig } from '../config/show.js';
import type { Declaration } from './declaration.js';
import { describe } from './help.js';
import { EXIT_OK, type World } from './world.js';

/** Prints the effective configuration, each value with its origin. Throws ConfigError with every problem. */
export function validate(file: string, { env, out }: World): number {
  const loaded = loadConfig({ flags: { config: file }, env });
  out(`# ${file} is valid. The effective configuration:\n${showConfig(loaded)}`);
  return EXIT_OK;
}

export const declareValidate: Declaration = (program, act) =>
  describe(
    program
      .command('validate')
      .description('check a configuration file and print what it comes to')
      .argument('<FILE>', 'YAML or JSON')
      .action((file: string) => act((world) => validate(file, world))),
    {
      values: { FILE: 'file' },
      examples: [['validate gateway.yaml', 'every value with its origin, secrets masked; or every problem']],
    },
  );
