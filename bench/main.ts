/** `npm run bench`: every workload, one after the other, and the page that says what was found. */
import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { Command } from 'commander';
import { count, namesOf } from './flags.js';
import { Lab } from './lab/lab.js';
import { describeMachine } from './lab/machine.js';
import { spread } from './report/figures.js';
import { captioned, pageOf } from './report/page.js';
import { type Result, type Results, readResults, withResult, writeResults } from './report/results.js';
import { WORKLOADS } from './workloads/all.js';
import { SMALL_RESULT } from './workloads/small.js';
import type { Workload } from './workloads/workload.js';

const PAGE = 'docs/benchmarks.md';
const ROUNDS = 5;
const QUICK_ROUNDS = 2;

interface Flags {
  readonly quick?: boolean;
  readonly page?: boolean;
  readonly only?: readonly string[];
  readonly subjects?: readonly string[];
  readonly rounds?: number;
  readonly profile?: string;
}

const NAMES = WORKLOADS.map(({ name }) => name);
const flags = new Command('npm run bench --')
  .description(
    'What an exchange costs through the gateway and through other proxies; written to docs/benchmarks.md.',
  )
  .option('--quick', 'for a first impression: two short rounds, and nothing is written')
  .option('--only <names>', `some of the workloads: ${NAMES.join(', ')}`, namesOf(NAMES))
  .option('--subjects <names>', 'compare some of the subjects; nothing is written', namesOf())
  .option('--rounds <n>', `how many rounds (${ROUNDS} unless said, ${QUICK_ROUNDS} with --quick)`, count)
  .option('--profile <dir>', 'leave CPU profiles of the gateway there; nothing is written')
  .option('--page', 'only write the page anew')
  .parse()
  .opts<Flags>();
const { quick = false, only = [], subjects = [] } = flags;
const rounds = flags.rounds ?? (quick ? QUICK_ROUNDS : ROUNDS);
/** A short run, a part of a comparison, and one under the profiler are for the eye alone. */
const kept = !quick && subjects.length === 0 && flags.profile === undefined;

async function measure(workload: Workload): Promise<Result> {
  const began = performance.now();
  const loadAverage = loadavg()[0] ?? 0;
  const lab = await Lab.open(SMALL_RESULT, flags.profile);
  try {
    const progress = (text: string) => void process.stderr.write(`${workload.name}: ${text}\n`);
    const findings = await workload.run({ lab, rounds, quick, subjects, progress });
    const { name, title, says } = workload;
    const command = `npm run bench -- --only ${name}`;
    const finished = new Date().toISOString();
    const minutes = (performance.now() - began) / 60_000;
    const ran = { command, rounds, finished, minutes, loadAverage };
    return { workload: name, title, says, ...ran, ...findings };
  } finally {
    await lab.close();
  }
}

function show({ workload, tables, measured, notes }: Result): void {
  console.log(`\n# ${workload}\n`);
  for (const table of tables) console.log(captioned(table));
  for (const { target, of, value } of measured) console.log(`${target} ${of ?? ''}: ${spread(value, 2)}`);
  for (const note of notes) console.log(note);
}

function writePage(results: Results): void {
  writeFileSync(PAGE, pageOf(results, readFileSync('bench/profiles.md', 'utf8')));
}

/** What one workload does not come to an end with, the others still do. */
async function perform(workload: Workload): Promise<void> {
  try {
    const result = await measure(workload);
    show(result);
    if (kept) writeResults(withResult(readResults(), describeMachine(), result, NAMES));
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  }
}

const chosen = WORKLOADS.filter(({ name }) => only.length === 0 || only.includes(name));
if (!flags.page) for (const workload of chosen) await perform(workload);
const results = readResults();
if ((kept || flags.page) && results !== undefined) writePage(results);
