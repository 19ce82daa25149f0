/** `mrtr-gateway probe`: the client half of the loop, driven by a script or by a person. */
import type { Command } from 'commander';
import { type Declaration, gather } from './declaration.js';
import { describe, type Notes } from './help.js';
import { DIRECTIVE_ROWS } from './probe/directives.js';
import { EXIT_ROWS } from './probe/events.js';
import { CAPABILITY_WORDS, ELICIT_WORDS } from './probe/options.js';
import type { ProbeFlags } from './probe/run.js';

const NOTES: Notes = {
  sections: [
    { title: 'Directives, one a line', rows: DIRECTIVE_ROWS },
    {
      title: 'Answers',
      text: `  A queued answer is given to the next question of its kind; \`omit\` retries without one, so that the server asks again.
  When none is queued and there is a terminal, you are asked; else the call is left as it is.
  Nothing that a server sends is opened, fetched or acted on by the terminal: control characters are shown.
  NODE_EXTRA_CA_CERTS names a file of certificate authorities to trust; NO_COLOR turns colours off.
`,
    },
  ],
  exits: EXIT_ROWS,
  values: { '--elicit': ELICIT_WORDS, '--capability': CAPABILITY_WORDS },
  examples: [
    ['probe --port 9719', 'at a terminal: type `@ze_execute`, and answer what it asks'],
    [
      `probe --port 9719 --do 'elicit-answer accept show bgp summary' --do '@ze_execute {}'`,
      'asked, answered, done; `decline`, `cancel` or `omit` in the place of `accept …` show the other ways',
    ],
    [
      `probe --port 9719 --do 'elicit-answer omit' --do 'elicit-answer accept show version' --do @ze_execute`,
      'asked, not answered, asked again, answered',
    ],
    [
      `probe --port 9719 --do 'state c2Vzc2lvbg' --do @ze_execute`,
      'a requestState that nobody issued: refused, with status, code and sentence',
    ],
    ['probe --port 9719 --elicit url --do list', 'what a tool requires of a client that has no form mode'],
    [
      'probe https://mcp.example.com/mcp --bearer env:TOKEN --json < script',
      'for machines: one event a line',
    ],
  ],
};

export const declareProbe: Declaration = (program, act) => describe(declare(program, act), NOTES);

function declare(program: Command, act: Parameters<Declaration>[1]): Command {
  return program
    .command('probe')
    .description("call a server's tools and answer what it asks, by script or by hand")
    .argument('[URL]', 'MCP endpoint of the server or gateway')
    .option('--port <N>', 'stands for http://127.0.0.1:N/mcp')
    .option(
      '--elicit <MODES>',
      "elicitation to declare: form (the default), url, form,url, none, or '' for {}",
    )
    .option('--capability <NAME>', 'sampling, roots or tasks: declared as well; repeatable', gather)
    .option('--do <DIRECTIVE>', 'run this instead of reading directives from stdin; repeatable', gather)
    .option('--header <FIELD>', "'Name: value' on every request; repeatable", gather)
    .option('--bearer <TOKEN>', 'authorize with this token, env:NAME or file:PATH; never printed')
    .option('--timeout <SECONDS>', 'longest wait for an answer (30)')
    .option('--raw', 'show every byte both ways')
    .option('--json', 'print one JSON object a line')
    .action((url: string | undefined, flags: ProbeFlags) =>
      act(async (world) => (await import('./probe/run.js')).runProbe(url, flags, world)),
    );
}
