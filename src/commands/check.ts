/** `mrtr-gateway check`: an audit of a server, or of a server behind a gateway. */
import type { CheckFlags } from './check/run.js';
import { type Declaration, gather } from './declaration.js';
import { describe, type Notes } from './help.js';

const NOTES: Notes = {
  sections: [
    {
      title: 'What it does',
      text: `  Asks what the server is and can, for its lists and for each tool without arguments, as clients of different
  capabilities; answers its questions in every way; sends requests with one fault each. Every message of its answers is
  judged by the rules that the gateway enforces, every refusal by what the specification says of it. Tools are called only
  when they say of themselves that they read (readOnlyHint), or are named.
  Evidence names the exchange, what it was about, and in brackets what the client declared: all, form, bare
  (elicitation: {}), url or none.
`,
    },
  ],
  exits: [
    [0, 'no obligation is broken (recommendations may be); with --suggest: the configuration is printed'],
    [1, 'an obligation (MUST) is broken'],
    [2, 'wrong usage or configuration; nothing was sent'],
    [4, 'there is no server of this revision to be checked: unreachable, another era, no MCP'],
  ],
  values: {
    '--format': ['table', 'json', 'markdown', 'junit'],
    '--profile': ['ze', 'spec'],
    '--config': 'file',
  },
  examples: [
    [
      'check http://127.0.0.1:9718/mcp --profile ze --call ze_execute',
      'Ze itself, the tool that asks included',
    ],
    ['check --port 9719', 'what clients see behind a gateway on this machine'],
    [
      'check https://mcp.example.com/mcp --bearer env:TOKEN --format junit > check.xml',
      'in a job: fails when a MUST is broken',
    ],
    ['check https://mcp.example.com/mcp --suggest > gateway.yaml', 'a configuration to begin with'],
  ],
};

export const declareCheck: Declaration = (program, act) =>
  describe(
    program
      .command('check')
      .description('audit a server: which rules it keeps, which it breaks')
      .argument('[URL]', 'MCP endpoint of the server or gateway')
      .option('--port <N>', 'stands for http://127.0.0.1:N/mcp')
      .option(
        '--call <TOOL>',
        'call this tool too, although it does not say that it only reads; repeatable',
        gather,
      )
      .option('--call-all', 'call every tool')
      .option('--profile <ze|spec>', 'judge by the revision (spec, the default) or the manner of Ze')
      .option('--config <FILE>', 'judge by a route of this configuration instead')
      .option('--route <NAME>', 'which route of it, where there are several')
      .option('--format <FORMAT>', 'table (the default), json, markdown or junit: how the report is printed')
      .option('--suggest', 'print a configuration for the server, with the reason for each line, instead')
      .option('--header <FIELD>', "'Name: value' on every request; repeatable", gather)
      .option('--bearer <TOKEN>', 'authorize with this token, env:NAME or file:PATH; never printed')
      .option('--timeout <SECONDS>', 'longest wait for one answer (10)')
      .option('--within <SECONDS>', 'longest time for all of it (300); the rest is then not asked')
      .action((url: string | undefined, flags: CheckFlags) =>
        act(async (world) => (await import('./check/run.js')).runCheck(url, flags, world)),
      ),
    NOTES,
  );
