/** `mrtr-gateway completion`: what a shell completes, made of the commands' own declarations. */
import type { Command } from 'commander';
import { suggestion } from '../config/nearest.js';
import { bashScript } from './completion/bash.js';
import { fishScript } from './completion/fish.js';
import { type CommandWords, commandWords } from './completion/words.js';
import { zshScript } from './completion/zsh.js';
import { type Declaration, UsageError } from './declaration.js';
import { describe } from './help.js';
import { EXIT_OK } from './world.js';

const SCRIPTS: ReadonlyMap<string, (commands: readonly CommandWords[]) => string> = new Map([
  ['bash', bashScript],
  ['zsh', zshScript],
  ['fish', fishScript],
]);

export const declareCompletion: Declaration = (program, act) =>
  describe(
    program
      .command('completion')
      .description('print a script that completes commands and flags in a shell')
      .argument('<SHELL>', 'bash, zsh or fish')
      .action((shell: string) =>
        act(({ out }) => {
          out(completionScript(program, shell));
          return EXIT_OK;
        }),
      ),
    {
      values: { SHELL: [...SCRIPTS.keys()] },
      examples: [
        ['completion bash > /etc/bash_completion.d/mrtr-gateway', 'for every user of bash'],
        ['completion fish > ~/.config/fish/completions/mrtr-gateway.fish', 'for one user of fish'],
      ],
    },
  );

function completionScript(program: Command, shell: string): string {
  const script = SCRIPTS.get(shell);
  if (script !== undefined) return script(commandWords(program, program.commands[0] ?? program));
  const hint = suggestion(shell, SCRIPTS.keys()) || `; there are ${[...SCRIPTS.keys()].join(', ')}`;
  throw new UsageError([{ path: 'SHELL', message: `there is no script for it${hint}` }]);
}
