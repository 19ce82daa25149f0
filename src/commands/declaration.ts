import type { Command } from 'commander';
import type { World } from './world.js';

/** Runs what a command line asked for; `act` resolves to the exit code. */
export type Act = (act: (world: World) => number | Promise<number>) => Promise<void>;

/** Adds one command to the program. What it takes to run it is loaded when it is run. */
export type Declaration = (program: Command, act: Act) => Command;

/** For options that may be given several times. */
export function gather(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}
