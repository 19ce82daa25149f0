#!/usr/bin/env node
/** The binary: which command the arguments are for. Each command declares itself in commands/. */
import { readFileSync, realpathSync } from 'node:fs';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Command, CommanderError } from 'commander';
import { declareCheck } from './commands/check.js';
import { declareCompletion } from './commands/completion.js';
import { type Declaration, UsageError } from './commands/declaration.js';
import { declareDemo } from './commands/demo.js';
import { describe, PROGRAM } from './commands/help.js';
import { declareInspect } from './commands/inspect.js';
import { declareKeygen } from './commands/keygen.js';
import { wantsColours } from './commands/paint.js';
import { declareProbe } from './commands/probe.js';
import { declareRules } from './commands/rules.js';
import { declareServe } from './commands/serve.js';
import { declareValidate } from './commands/validate.js';
import { EXIT_FAILED, EXIT_OK, EXIT_USAGE, type World } from './commands/world.js';
import { ConfigError, lineOf, type StartGateway } from './config/loaded.js';
import { suggestion } from './config/nearest.js';

// Else V8 comes to allocate exchanges among what lives long, and with each of them all that it refers to:
// docs/decisions/0014.
setFlagsFromString('--no-allocation-site-pretenuring');

/** In the order of the help. */
const DECLARATIONS: readonly Declaration[] = [
  declareServe,
  declareDemo,
  declareProbe,
  declareCheck,
  declareInspect,
  declareRules,
  declareValidate,
  declareKeygen,
  declareCompletion,
];

const VARIABLES = `  Every key of the file has a variable of its name: limits.requestBytes is MRTR_GATEWAY_LIMITS_REQUEST_BYTES.
  Flags win over variables, variables over the file.
`;

/** Runs a command line; resolves to the exit code: 0 done, 1 failed while running, 2 wrong usage or configuration. */
export async function run(args: readonly string[], world: World): Promise<number> {
  let code: number = EXIT_OK;
  const program = createProgram(world, (result) => {
    code = result;
  });
  const [first = ''] = args;
  const commands = ['help', ...program.commands.map((command) => command.name())];
  if (/^[a-z]/i.test(first) && !commands.includes(first)) {
    world.err(`mrtr-gateway: \`${first}\` is not a command${suggestion(first, commands)}\n`);
    return EXIT_USAGE;
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_OK : EXIT_USAGE;
    if (!(error instanceof ConfigError || error instanceof UsageError)) throw error;
    const lines = error.problems.map((problem) => `  ${lineOf(problem)}\n`).join('');
    world.err(
      `${PROGRAM}: ${error instanceof UsageError ? 'wrong usage' : 'the configuration is not valid'}\n${lines}`,
    );
    return EXIT_USAGE;
  }
}

/** Every command with its flags; `done` is told the exit code of the one that ran. */
export function createProgram(world: World, done: (code: number) => void): Command {
  const program = new Command(PROGRAM)
    .description('Stands in front of any MCP server and enforces the rules of MRTR and elicitation.')
    .usage('[serve] [flags] | COMMAND [flags]')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeOut: world.out, writeErr: world.err });
  for (const declare of DECLARATIONS) {
    declare(program, async (act) => done(await act(world)));
  }
  const [serving] = program.commands;
  program.addHelpText('after', () => (serving === undefined ? '' : `\nFlags of serve:\n${flagsOf(serving)}`));
  return describe(program, {
    sections: [{ title: 'Environment', text: VARIABLES }],
    examples: [
      ['--upstream http://127.0.0.1:9718/mcp --profile ze --elicits ze_execute=command', 'in front of Ze'],
      ['serve --config gateway.yaml', 'as the file says; read anew when it changes and on SIGHUP'],
      ['validate gateway.yaml', 'what the file comes to, with the origin of each value'],
      ['demo --misbehave credential-field', 'the embedded stand-in for Ze asks for a secret, and is refused'],
    ],
  });
}

function flagsOf(command: Command): string {
  const help = command.createHelp();
  const options = command.options.map((option) => [help.optionTerm(option), option.description] as const);
  const width = Math.max(...options.map(([term]) => term.length));
  return options.map(([term, description]) => `  ${term.padEnd(width)}  ${description}`).join('\n');
}

function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** The parts of the running gateway are loaded only when it is to run. */
const start: StartGateway = async (options) => (await import('./commands/start.js')).startGateway(options);

async function main(): Promise<void> {
  const { env, stdout, stderr } = process;
  const out = (text: string) => void stdout.write(text);
  const err = (text: string) => void stderr.write(text);
  // Whoever reads may have had enough, as `head` has.
  stdout.on('error', ({ code }: NodeJS.ErrnoException) =>
    process.exit(code === 'EPIPE' ? EXIT_OK : EXIT_FAILED),
  );
  const colours = wantsColours(env, stdout.isTTY === true);
  const person = isatty(0) && stderr.isTTY === true;
  // Opened by commands that read it, and by no other.
  const stdin = () => process.stdin;
  const world: World = { env, out, err, start, stdin, colours, ...(person && { terminal: stderr }) };
  try {
    process.exitCode = await run(process.argv.slice(2), world);
  } catch (error) {
    err(`mrtr-gateway: ${error instanceof Error ? error.message : 'failed'}\n`);
    process.exitCode = EXIT_FAILED;
  }
}

const invoked = process.argv[1];
if (invoked !== undefined && realpathSync(invoked) === fileURLToPath(import.meta.url)) await main();
