/** What can be typed after each command, read off its declaration. */
import type { Command } from 'commander';
import { notesOf } from '../help.js';

/** `file`: file names. */
export type Values = readonly string[] | 'file';

export interface OptionWords {
  readonly flag: string;
  readonly says: string;
  readonly takesValue: boolean;
  /** Undefined: anything, or nothing. */
  readonly values: Values | undefined;
}

export interface CommandWords {
  /** `rules explain`; '' for what stands before any command. */
  readonly path: string;
  readonly options: readonly OptionWords[];
  readonly commands: readonly (readonly [name: string, says: string])[];
  /** Of the first argument. */
  readonly values: Values | undefined;
}

/** Every command, the program itself first: without a command its flags are those of the default one. */
export function commandWords(program: Command, standard: Command): readonly CommandWords[] {
  const root = wordsOf(program, '');
  const names = [...root.commands, ['help', 'display help for a command'] as const];
  return [
    { ...root, commands: names, options: [...wordsOf(standard, '').options, VERSION] },
    ...program.commands.flatMap((command) => below(command, command.name())),
  ];
}

const HELP: OptionWords = { flag: '--help', says: 'print help', takesValue: false, values: undefined };
const VERSION: OptionWords = {
  flag: '--version',
  says: 'print the version',
  takesValue: false,
  values: undefined,
};

function below(command: Command, path: string): readonly CommandWords[] {
  const inner = command.commands.flatMap((one) => below(one, `${path} ${one.name()}`));
  return [wordsOf(command, path), ...inner];
}

function wordsOf(command: Command, path: string): CommandWords {
  const { values = {} } = notesOf(command);
  const [argument] = command.registeredArguments;
  return {
    path,
    options: [
      ...command.options
        .filter(({ long }) => long !== undefined && long !== VERSION.flag)
        .map(({ long, description, required }) => ({
          flag: long ?? '',
          says: description,
          takesValue: required,
          values: values[long ?? ''],
        })),
      HELP,
    ],
    commands: command.commands.map((one) => [one.name(), one.description()] as const),
    values: argument && values[argument.name()],
  };
}
