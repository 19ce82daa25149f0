import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram, run } from '../../src/cli.js';
import { notesOf } from '../../src/commands/help.js';

const WORLD = { env: {}, out: () => undefined, err: () => undefined, start: async () => 1 };
const PROGRAM = createProgram(WORLD, () => undefined);

function withInner(command: Command, path: readonly string[]): readonly (readonly [string, Command])[] {
  return [
    [path.join(' '), command],
    ...command.commands.flatMap((one) => withInner(one, [...path, one.name()])),
  ];
}

const COMMANDS = PROGRAM.commands.flatMap((command) => withInner(command, [command.name()]));

async function helpOf(path: string): Promise<string> {
  let out = '';
  const world = {
    ...WORLD,
    out: (text: string) => {
      out += text;
    },
  };
  expect(await run([...path.split(' '), '--help'], world)).toBe(0);
  return out;
}

describe.each(COMMANDS)('%s --help', (path, command) => {
  it('has examples of this very command', async () => {
    const { examples } = notesOf(command);
    expect(examples.length).toBeGreaterThan(0);
    const help = await helpOf(path);
    for (const [line, says] of examples) {
      expect(line.split(' ').slice(0, path.split(' ').length).join(' ')).toBe(path);
      expect(help).toContain(`  mrtr-gateway ${line}\n      ${says}\n`);
    }
  });

  it('names nothing in its notes that the command does not have', () => {
    const known = new Set([
      ...command.options.map(({ long }) => long),
      ...command.registeredArguments.map((argument) => argument.name()),
    ]);
    expect(Object.keys(notesOf(command).values ?? {}).filter((name) => !known.has(name))).toEqual([]);
  });
});
