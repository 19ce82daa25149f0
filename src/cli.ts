#!/usr/bin/env node
/** The binary: arguments, and which command they are for. */
import { readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Command, CommanderError } from 'commander';
import { misbehaviourHelp, runDemo } from './commands/demo.js';
import { keygen } from './commands/keygen.js';
import { serve } from './commands/serve.js';
import { validate } from './commands/validate.js';
import { EXIT_FAILED, EXIT_OK, EXIT_USAGE, type World } from './commands/world.js';
import { ConfigError, lineOf, type StartGateway } from './config/loaded.js';
import { suggestion } from './config/nearest.js';

const EXAMPLES = `
Examples:
  mrtr-gateway --upstream http://127.0.0.1:9718/mcp --profile ze --elicits ze_execute=command
      in front of Ze
  mrtr-gateway serve --config gateway.yaml
      as the file says; read anew when it changes and on SIGHUP
  mrtr-gateway validate gateway.yaml
      what the file comes to, and where each value is from
  mrtr-gateway demo --misbehave credential-field
      the embedded stand-in for Ze asks for a secret, and is refused

Every key of the file has a variable of its name: limits.requestBytes is MRTR_GATEWAY_LIMITS_REQUEST_BYTES.
Flags win over variables, variables over the file.
`;

/** Runs a command line; resolves to the exit code: 0 done, 1 failed while running, 2 wrong usage or configuration. */
export async function run(args: readonly string[], world: World): Promise<number> {
  let code: number = EXIT_OK;
  const program = programOf(world, (result) => {
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
    if (!(error instanceof ConfigError)) throw error;
    const lines = error.problems.map((problem) => `  ${lineOf(problem)}\n`).join('');
    world.err(`mrtr-gateway: the configuration is not valid\n${lines}`);
    return EXIT_USAGE;
  }
}

function programOf(world: World, done: (code: number) => void): Command {
  const program = new Command('mrtr-gateway')
    .description('Stands in front of any MCP server and enforces the rules of MRTR and elicitation.')
    .usage('[serve] [flags] | demo [flags] | validate FILE | keygen')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .exitOverride()
    .configureOutput({ writeOut: world.out, writeErr: world.err });
  const serving = addServe(program, world, done);
  addDemo(program, world, done);
  program
    .command('validate')
    .description('check a configuration file and print what it comes to')
    .argument('<FILE>', 'YAML or JSON')
    .action((file: string) => done(validate(file, world)));
  program
    .command('keygen')
    .description('make a key that seals request states')
    .option('--token', 'a token for a caller instead, with the hash that the configuration takes')
    .action((flags) => done(keygen(flags, world)));
  return program.addHelpText('after', () => `\nFlags of serve:\n${flagsOf(serving)}\n${EXAMPLES}`);
}

function addServe(program: Command, world: World, done: (code: number) => void): Command {
  return program
    .command('serve', { isDefault: true })
    .description('stand in front of the configured servers')
    .option('--config <FILE>', 'configuration file, YAML or JSON')
    .option('--upstream <URL>', 'MCP endpoint of the server to stand in front of')
    .option('--listen <HOST:PORT>', 'where clients connect (127.0.0.1:9719); port 0 picks a free one')
    .option('--admin <HOST:PORT>', 'where /metrics, /healthz and /readyz are (127.0.0.1:9720)')
    .option('--profile <ze|spec>', 'what is allowed: the revision (spec) or the manner of Ze')
    .option('--elicits <TOOL=ARG[,ARG]>', 'arguments that a tool asks the user for; repeatable', gather)
    .action(async (flags) => done(await serve(flags, world)));
}

function addDemo(program: Command, world: World, done: (code: number) => void): void {
  program
    .command('demo')
    .description('stand in front of an embedded stand-in for Ze')
    .option('--misbehave <WAY[,WAY]>', 'how the stand-in breaks the rules; repeatable', gather)
    .option('--listen <HOST:PORT>', 'where clients connect (127.0.0.1:9719)')
    .option('--admin <HOST:PORT>', 'where /metrics, /healthz and /readyz are (127.0.0.1:9720)')
    .addHelpText('after', () => `\nWays to misbehave:\n${misbehaviourHelp()}\n`)
    .action(async (flags) => done(await runDemo(flags, world.env, world.start)));
}

function flagsOf(command: Command): string {
  const help = command.createHelp();
  const options = command.options.map((option) => [help.optionTerm(option), option.description] as const);
  const width = Math.max(...options.map(([term]) => term.length));
  return options.map(([term, description]) => `  ${term.padEnd(width)}  ${description}`).join('\n');
}

function gather(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** The parts of the running gateway are loaded only when it is to run. */
const start: StartGateway = async (options) => (await import('./commands/start.js')).startGateway(options);

async function main(): Promise<void> {
  const out = (text: string) => void process.stdout.write(text);
  const err = (text: string) => void process.stderr.write(text);
  try {
    process.exitCode = await run(process.argv.slice(2), { env: process.env, out, err, start });
  } catch (error) {
    err(`mrtr-gateway: ${error instanceof Error ? error.message : 'failed'}\n`);
    process.exitCode = EXIT_FAILED;
  }
}

const invoked = process.argv[1];
if (invoked !== undefined && realpathSync(invoked) === fileURLToPath(import.meta.url)) await main();
