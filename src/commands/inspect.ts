/** `mrtr-gateway inspect`: recorded exchanges, judged by a policy before it is rolled out. */
import type { Declaration } from './declaration.js';
import { describe, type Notes } from './help.js';
import type { InspectFlags } from './inspect/run.js';

const NOTES: Notes = {
  sections: [
    {
      title: 'Files',
      text: `  What \`--capture FILE\` of serve and demo writes, or an HTTP archive (HAR 1.2) of a browser or proxy, of any size.
  A redacted capture is judged as far as what is left of it goes; what could not be judged is counted. Who may call, from
  which host and origin, and whether a sealed state opens, only a running gateway can tell.
`,
    },
  ],
  exits: [
    [0, 'no exchange would be refused; with --against: none would be judged otherwise'],
    [1, 'at least one would be'],
    [2, 'wrong usage or configuration, or a file that is no recording'],
  ],
  values: {
    FILE: 'file',
    '--config': 'file',
    '--against': 'file',
    '--profile': ['ze', 'spec'],
    '--format': ['table', 'json', 'markdown'],
  },
  examples: [
    ['inspect traffic.jsonl --config gateway.yaml', 'what the configuration makes of what was captured'],
    [
      'inspect traffic.jsonl --config gateway.yaml --against next.yaml',
      'which verdicts a changed configuration would change',
    ],
    ['inspect browser.har --profile ze', 'an archive saved by a browser, by the manner of Ze'],
  ],
};

export const declareInspect: Declaration = (program, act) =>
  describe(
    program
      .command('inspect')
      .description('judge recorded exchanges by a configuration')
      .argument('<FILE>', 'a capture, or an HTTP archive')
      .option('--profile <ze|spec>', 'judge by the revision (spec, the default) or the manner of Ze')
      .option('--config <FILE>', 'judge by this configuration instead, each exchange by its route')
      .option('--route <NAME>', 'judge every exchange by this route of it')
      .option('--against <FILE>', 'say which verdicts would change under this configuration')
      .option('--format <FORMAT>', 'table (the default), json or markdown')
      .action((file: string, flags: InspectFlags) =>
        act(async (world) => (await import('./inspect/run.js')).runInspect(file, flags, world)),
      ),
    NOTES,
  );
