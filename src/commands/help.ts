/** What a command says of itself beyond its flags: `--help`, the man page and shell completion are made of it. */
import type { Command } from 'commander';

export interface Notes {
  /** Command lines without the program's name, each with what it does. */
  readonly examples: readonly (readonly [line: string, says: string])[];
  /** Further parts of the help, each a title and its text. */
  readonly sections?: readonly Section[];
  /** Exit statuses and what they mean, where there are more than 0, 1 and 2. */
  readonly exits?: readonly (readonly [status: number, says: string])[];
  /** What may stand for an option (by its long flag) or an argument (by its name); `file` stands for file names. */
  readonly values?: Readonly<Record<string, readonly string[] | 'file'>>;
}

export interface Section {
  readonly title: string;
  /** Rows of a term and what it means, or prose. */
  readonly rows?: readonly (readonly [term: string, says: string])[];
  readonly text?: string;
}

export const PROGRAM = 'mrtr-gateway';
const NOTES = new WeakMap<Command, Notes>();

/** Adds the notes to the command's help. */
export function describe(command: Command, notes: Notes): Command {
  NOTES.set(command, notes);
  return command.addHelpText('after', () => `\n${helpText(notes)}`);
}

export function notesOf(command: Command): Notes {
  return NOTES.get(command) ?? { examples: [] };
}

function helpText({ sections = [], exits = [], examples }: Notes): string {
  const parts = sections.map(({ title, rows, text }) => `${title}:\n${text ?? ''}${rowsText(rows ?? [])}`);
  if (exits.length > 0)
    parts.push(`Exit status:\n${rowsText(exits.map(([code, says]) => [`${code}`, says]))}`);
  const lines = examples.map(([line, says]) => `  ${PROGRAM} ${line}\n      ${says}\n`);
  if (lines.length > 0) parts.push(`Examples:\n${lines.join('')}`);
  return parts.join('\n');
}

/** Wide enough for most terminals and narrow enough to read. */
const WIDTH = 120;

/** Terms in a column of their own; what they mean is wrapped beside it. */
function rowsText(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(0, ...rows.map(([term]) => term.length));
  return rows
    .map(([term, says]) => {
      const lines = wrapped(says, WIDTH - width - 4);
      return `  ${term.padEnd(width)}  ${lines.join(`\n${' '.repeat(width + 4)}`)}\n`;
    })
    .join('');
}

/** At spaces. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
