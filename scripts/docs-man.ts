/** Writes man/mrtr-gateway.1 from the commands' own declarations. */
import type { Argument, Command } from 'commander';
import { createProgram } from '../src/cli.js';
import { notesOf, PROGRAM, type Section } from '../src/commands/help.js';

const NOWHERE = { env: {}, out: () => undefined, err: () => undefined, start: async () => 0 };

const DESCRIPTION = [
  'A reverse proxy that stands in front of MCP servers of revision 2026\\-07\\-28 and makes the rules of Multi Round\\-Trip',
  'Requests (MRTR) and elicitation hold for them: what breaks them does not get in, and does not get out. The other half,',
  'in the same program, is a client: it calls servers and answers what they ask, audits them, and explains each rule.',
].join('\n');

const EXITS = [
  ['0', 'done'],
  ['1', 'failed while running'],
  ['2', 'wrong usage or configuration: nothing was started'],
] as const;

export function manPage(): string {
  const program = createProgram(NOWHERE, () => undefined);
  const commands = program.commands.flatMap((command) => withInner(command, command.name()));
  const { sections = [], examples } = notesOf(program);
  return [
    `.TH ${roff(PROGRAM.toUpperCase())} 1 "" "${PROGRAM} ${program.version()}" "User Commands"`,
    '.SH NAME',
    `${roff(PROGRAM)} \\- ${roff(lowerFirst(program.description()).replace(/\.$/, ''))}`,
    '.SH SYNOPSIS',
    ...commands.flatMap(({ command, path }, index) => [
      ...(index === 0 ? [] : ['.br']),
      synopsis(command, path),
    ]),
    '.SH DESCRIPTION',
    DESCRIPTION,
    '.SH COMMANDS',
    ...commands.flatMap(({ command, path }) => commandPart(command, path)),
    ...sections.flatMap((section) => [`.SH ${section.title.toUpperCase()}`, ...sectionLines(section)]),
    '.SH EXIT STATUS',
    ...EXITS.flatMap(([status, says]) => term(`\\fB${status}\\fR`, says)),
    '.PP',
    'Commands with more of them say so above.',
    '.SH EXAMPLES',
    ...exampleLines(examples),
    '.SH SEE ALSO',
    'The revision: https://modelcontextprotocol.io/specification/2026\\-07\\-28/basic/patterns/mrtr',
    '',
  ].join('\n');
}

interface Placed {
  readonly command: Command;
  readonly path: string;
}

function withInner(command: Command, path: string): readonly Placed[] {
  return [
    { command, path },
    ...command.commands.flatMap((inner) => withInner(inner, `${path} ${inner.name()}`)),
  ];
}

function synopsis(command: Command, path: string): string {
  const name = path === 'serve' ? '[\\fBserve\\fR]' : `\\fB${roff(path)}\\fR`;
  const args = command.registeredArguments.map(argumentTerm).join(' ');
  return `\\fB${roff(PROGRAM)}\\fR ${name} [\\fIflags\\fR] ${args}`.trimEnd();
}

function argumentTerm(argument: Argument): string {
  const name = `\\fI${roff(argument.name())}\\fR`;
  return argument.required ? name : `[${name}]`;
}

function commandPart(command: Command, path: string): readonly string[] {
  const { sections = [], exits = [], examples } = notesOf(command);
  return [
    `.SS ${roff(path)} ${command.registeredArguments.map(argumentTerm).join(' ')}`.trimEnd(),
    `${roff(upperFirst(command.description()))}.`,
    ...command.registeredArguments.flatMap((argument) => term(argumentTerm(argument), argument.description)),
    ...command.options.flatMap((option) => term(flagTerm(option.flags), option.description)),
    ...sections.flatMap((section) => ['.PP', `\\fB${roff(section.title)}\\fR`, ...sectionLines(section)]),
    ...(exits.length === 0 ? [] : ['.PP', '\\fBExit status\\fR']),
    ...exits.flatMap(([status, says]) => term(`\\fB${status}\\fR`, says)),
    ...(examples.length === 0 ? [] : ['.PP', '\\fBExamples\\fR', ...exampleLines(examples)]),
  ];
}

/** `--config <FILE>`: the flag bold, its value in italics. */
function flagTerm(flags: string): string {
  const [, flag = flags, value] = /^(\S+) <(.*)>$/.exec(flags) ?? [];
  return `\\fB${roff(flag)}\\fR${value === undefined ? '' : ` \\fI${roff(value)}\\fR`}`;
}

function sectionLines({ rows = [], text }: Section): readonly string[] {
  const prose =
    text
      ?.trimEnd()
      .split('\n')
      .map((line) => roff(line.trim())) ?? [];
  const paragraphs = prose.length === 0 ? [] : ['.PP', ...prose.flatMap((line) => [line, '.br'])];
  return [...paragraphs, ...rows.flatMap(([name, says]) => term(`\\fB${roff(name)}\\fR`, says))];
}

function exampleLines(examples: readonly (readonly [string, string])[]): readonly string[] {
  return examples.flatMap(([line, says]) => [
    '.PP',
    '.nf',
    `${roff(`${PROGRAM} ${line}`)}`,
    '.fi',
    '.RS 4',
    roff(says),
    '.RE',
  ]);
}

function term(name: string, says: string): readonly string[] {
  return ['.TP', name, roff(says)];
}

/** Backslashes, hyphens that are to be copied, and what a line must not begin with. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replace(/^([.'])/, '\\&$1');
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Files and what they must hold. */
export function generated(): readonly (readonly [string, string])[] {
  return [[`man/${PROGRAM}.1`, manPage()]];
}
