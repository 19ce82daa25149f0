import type { Command } from 'commander';
import type { Problem } from '../config/loaded.js';
import type { World } from './world.js';

/** Runs what a command line asked for; `act` resolves to the exit code. */
export type Act = (act: (world: World) => number | Promise<number>) => Promise<void>;

/** Adds one command to the program. What it takes to run it is loaded when it is run. */
export type Declaration = (program: Command, act: Act) => Command;

/** For options that may be given several times. */
export function gather(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

/** Everything that is wrong with a command line that only its command can judge. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super('wrong usage');
    this.problems = problems;
  }
}
