/**
 * Properties over generated cases. In `npm test` the seed and the number of cases are fixed, so that every run tries the
 * same ones; the time that they may take only ends a run early. `npm run fuzz` tries other cases for as long as it is
 * told: FUZZ_SECONDS or FUZZ_RUNS for each property. FUZZ_SEED repeats a run, and FUZZ_PATH begins it at one case.
 */
import fc from 'fast-check';
import { expect, vi } from 'vitest';

const FIXED_SEED = 20260728;
const BRIEF_MS = 1_000;
/** For an exchange that never ends: then the case is named, and not the test alone. */
const CASE_MS = 20_000;
const SHRINK_MS = 20_000;

export interface FuzzSettings {
  readonly seed: number;
  /** Undefined: as many as the property states, or without end where there is a time. */
  readonly runs: number | undefined;
  /** Undefined: however long it takes. */
  readonly timeMs: number | undefined;
  readonly path: string | undefined;
  /** By hand: says how many cases were tried. */
  readonly reports: boolean;
}

export interface FuzzOptions {
  /** How many cases `npm test` tries: about half a second's worth on an idle machine. */
  readonly cases?: number;
  /** Counts what occurs, which is judged when all cases were tried. */
  readonly seen?: Seen;
}

const SETTINGS = readSettings(process.env);

/** The limit of a test would have to be longer than its property may take. */
vi.setConfig({
  testTimeout: SETTINGS.timeMs === undefined ? 0 : SETTINGS.timeMs + CASE_MS + SHRINK_MS + 30_000,
});

export function readSettings(env: Readonly<Record<string, string | undefined>>): FuzzSettings {
  const numberOf = (name: string) => (env[name] ? Number(env[name]) : undefined);
  const seconds = numberOf('FUZZ_SECONDS');
  const runs = numberOf('FUZZ_RUNS');
  const byHand = seconds !== undefined || runs !== undefined;
  return {
    seed: numberOf('FUZZ_SEED') ?? FIXED_SEED,
    runs: runs ?? (byHand ? Number.MAX_SAFE_INTEGER : undefined),
    timeMs: byHand ? seconds && seconds * 1_000 : BRIEF_MS,
    path: env.FUZZ_PATH,
    reports: byHand,
  };
}

/** Rejects with the smallest case that fails, and how to run it again. */
export async function fuzz<T>(
  property: fc.IAsyncProperty<T> | fc.IProperty<T>,
  { cases = 1_000, seen }: FuzzOptions = {},
  settings: FuzzSettings = SETTINGS,
): Promise<void> {
  const { seed, runs = cases, timeMs, path, reports } = settings;
  const parameters = { seed, numRuns: runs, ...given({ path }) };
  const details = await check(property, parameters, timeMs);
  if (isFailure(details)) throw failureOf(await shrink(property, parameters, details), seed);
  if (reports) process.stdout.write(`${expect.getState().currentTestName}: ${details.numRuns} cases\n`);
  if (path === undefined && details.numRuns >= cases) seen?.judge();
}

/** The time that ended the run ended the search for a smaller case, too. */
async function shrink<T>(
  property: fc.IAsyncProperty<T> | fc.IProperty<T>,
  parameters: fc.Parameters<T>,
  found: fc.RunDetails<T>,
): Promise<fc.RunDetails<T>> {
  if (!found.interrupted) return found;
  const path = found.counterexamplePath ?? '';
  const details = await check(property, { ...parameters, path }, SHRINK_MS);
  return isFailure(details) ? details : found;
}

async function check<T>(
  property: fc.IAsyncProperty<T> | fc.IProperty<T>,
  parameters: fc.Parameters<T>,
  timeMs: number | undefined,
): Promise<fc.RunDetails<T>> {
  const limit = given({ interruptAfterTimeLimit: timeMs });
  let running: unknown;
  const watched: fc.IAsyncProperty<T> = Object.assign(Object.create(property), {
    run: (value: T) => {
      const result = property.run(value);
      running = result;
      return result;
    },
  });
  const details = await fc.check(watched, { ...parameters, ...limit, timeout: CASE_MS });
  if (details.interrupted) await ended(running);
  return details;
}

/** A case that the time cut short goes on, and needs until its end what the test closes. */
async function ended(running: unknown): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CASE_MS);
  });
  await Promise.race([Promise.resolve(running).catch(() => {}), late]);
  clearTimeout(timer);
}

/** A time that ends before the first case is none. */
function isFailure<T>(details: fc.RunDetails<T>): boolean {
  return details.failed && (details.counterexample !== null || !details.interrupted);
}

function failureOf<T>(details: fc.RunDetails<T>, seed: number): Error {
  const { currentTestName = '', testPath = '' } = expect.getState();
  const file = testPath.slice(testPath.lastIndexOf('/test/') + 1);
  const title = currentTestName
    .split(' > ')
    .at(-1)
    ?.replaceAll(/[^\w ,]/g, '.');
  const variables = `FUZZ_SEED=${seed} FUZZ_PATH=${details.counterexamplePath ?? '0'} FUZZ_RUNS=1`;
  const again = `${variables} npm run fuzz -- ${file} -t '${title}'`;
  const cause = details.errorInstance;
  return new Error(`${fc.defaultReportMessage(details)}\n\nAgain: ${again}`, { cause });
}

/** Without the members that are undefined, which mean something else when they are there. */
function given<T extends object>(members: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}

/** What the cases were: each of the kinds must occur, or the generator misses what it is for. */
export class Seen {
  readonly #counts = new Map<string, number>();
  readonly #fewest: number;

  constructor(kinds: readonly string[], fewest = 10) {
    this.#fewest = fewest;
    for (const kind of kinds) this.#counts.set(kind, 0);
  }

  add(kind: string): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
  }

  judge(): void {
    const few = [...this.#counts].filter(([, count]) => count < this.#fewest);
    expect(few, 'kinds of cases that hardly occur').toEqual([]);
  }
}
