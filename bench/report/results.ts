/** What runs found, kept beside the sources: the page is made of it, and made anew when only its text changes. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Machine } from '../lab/machine.js';
import type { Findings } from '../workloads/workload.js';

export const RESULTS_FILE = 'bench/results.json';

export interface Result extends Findings {
  readonly workload: string;
  readonly title: string;
  /** What was done, for the reader. */
  readonly says: string;
  readonly command: string;
  readonly rounds: number;
  readonly finished: string;
  readonly minutes: number;
  /** Of the machine, when it began: what else was going on. */
  readonly loadAverage: number;
}

export interface Results {
  readonly machine: Machine;
  readonly results: readonly Result[];
}

export function readResults(file = RESULTS_FILE): Results | undefined {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** With this result in the place of its workload's last; those of another machine or version go. */
export function withResult(
  results: Results | undefined,
  machine: Machine,
  result: Result,
  order: readonly string[],
): Results {
  const same = JSON.stringify(results?.machine) === JSON.stringify(machine);
  const others = same ? (results?.results ?? []) : [];
  const all = [...others.filter(({ workload }) => workload !== result.workload), result];
  return { machine, results: all.sort((a, b) => order.indexOf(a.workload) - order.indexOf(b.workload)) };
}

export function writeResults(results: Results, file = RESULTS_FILE): void {
  writeFileSync(file, `${JSON.stringify(results, null, 1)}\n`);
}
