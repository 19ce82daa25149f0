import type { CommandWords, OptionWords } from './words.js';

export function fishScript(commands: readonly CommandWords[]): string {
  const lines = commands.flatMap((command) => [
    ...command.commands.map(
      ([name, says]) => `${on(command, commands)} -a ${quoted(name)} -d ${quoted(says)}`,
    ),
    ...command.options.map((option) => `${on(command, commands)} ${optionPart(option)}`),
    ...argumentLines(command, commands),
  ]);
  return `# fish completion of mrtr-gateway. In ~/.config/fish/completions/mrtr-gateway.fish, or: mrtr-gateway completion fish | source
complete -c mrtr-gateway -f
${lines.join('\n')}
`;
}

/** The command is the last of those that were named. */
function on({ path }: CommandWords, commands: readonly CommandWords[]): string {
  const inner = commands
    .filter((one) => parentOf(one) === path && one.path !== path)
    .map(({ path: at }) => lastOf(at));
  const outside = inner.length === 0 ? '' : `not __fish_seen_subcommand_from ${inner.join(' ')}`;
  const inside = path
    .split(' ')
    .filter(Boolean)
    .map((name) => `__fish_seen_subcommand_from ${name}`);
  const condition = [...inside, outside].filter(Boolean).join('; and ');
  return `complete -c mrtr-gateway -n ${quoted(condition)}`;
}

function parentOf({ path }: CommandWords): string | undefined {
  return path === '' ? undefined : path.split(' ').slice(0, -1).join(' ');
}

function lastOf(path: string): string {
  return path.split(' ').at(-1) ?? '';
}

function optionPart({ flag, says, takesValue, values }: OptionWords): string {
  const value =
    values === 'file'
      ? ' -r -F'
      : values !== undefined
        ? ` -x -a ${quoted(values.join(' '))}`
        : takesValue
          ? ' -x'
          : '';
  return `-l ${flag.slice(2)}${value} -d ${quoted(says)}`;
}

function argumentLines(command: CommandWords, commands: readonly CommandWords[]): readonly string[] {
  const { values } = command;
  if (values === undefined) return [];
  return [`${on(command, commands)} ${values === 'file' ? '-F' : `-a ${quoted(values.join(' '))}`}`];
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
