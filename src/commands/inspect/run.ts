/** Runs an inspection as the flags say, and prints what it found. */
import { createReadStream, statSync } from 'node:fs';
import { display } from '../../client/display.js';
import type { Problem } from '../../config/loaded.js';
import { inspect, type Side } from '../../inspect/inspect.js';
import { NoRecording } from '../../inspect/recording.js';
import { changes, Summary } from '../../inspect/summary.js';
import { UsageError } from '../declaration.js';
import { createPaint } from '../paint.js';
import { type PolicyFlags, readPolicies } from '../route-policy.js';
import { EXIT_FAILED, EXIT_OK, EXIT_USAGE, type World } from '../world.js';
import type { Judged, Printer, Printing } from './format.js';
import { jsonPrinter } from './format-json.js';
import { markdownPrinter } from './format-markdown.js';
import { tablePrinter } from './format-table.js';
import { Progress } from './progress.js';

export interface InspectFlags extends PolicyFlags {
  readonly against?: string | undefined;
  readonly format?: string | undefined;
}

const FORMATS = ['table', 'json', 'markdown'] as const;
type Format = (typeof FORMATS)[number];

interface Order {
  readonly sides: readonly Side[];
  readonly format: Format;
  readonly names: readonly string[];
}

/** `watcher`: where how far it has come is shown. Resolves to the exit code. Throws UsageError and ConfigError. */
export async function runInspect(
  file: string,
  flags: InspectFlags,
  world: World,
  watcher: ((text: string) => void) | undefined = terminalOf(),
): Promise<number> {
  const { sides, format, names } = readOrder(flags, world);
  const shown = display(file, 200);
  const printer = printerOf(format, { file: shown, sides: names }, world);
  const summary = new Summary();
  try {
    const progress = new Progress(sizeOf(file), watcher);
    const print = (text: string) => {
      if (text === '') return;
      progress.clear();
      world.out(text);
    };
    await printAll(inspect(chunksOf(file, progress), sides), { printer, summary, print });
  } catch (error) {
    const why = whyOf(error);
    if (why === undefined) throw error;
    world.err(`mrtr-gateway: ${shown} cannot be inspected: ${why}\n`);
    return EXIT_USAGE;
  }
  return (sides.length > 1 ? summary.changed : summary.refused) > 0 ? EXIT_FAILED : EXIT_OK;
}

interface Output {
  readonly printer: Printer;
  readonly summary: Summary;
  readonly print: (text: string) => void;
}

async function printAll(all: ReturnType<typeof inspect>, { printer, summary, print }: Output): Promise<void> {
  let begun = false;
  const begin = () => {
    if (!begun) print(printer.begin());
    begun = true;
  };
  for await (const inspected of all) {
    begin();
    summary.take(inspected);
    if (inspected.kind === 'judged' && isTold(inspected)) print(printer.exchange(inspected));
  }
  begin();
  print(printer.end(summary));
}

/** Of one side, what was found; of two, what differs. */
function isTold({ judgements }: Judged): boolean {
  return judgements.length > 1 ? changes(judgements) : (judgements[0]?.findings.length ?? 0) > 0;
}

function readOrder(flags: InspectFlags, { env }: World): Order {
  const problems: Problem[] = [];
  const format = FORMATS.find((one) => one === (flags.format ?? 'table'));
  if (format === undefined)
    problems.push({ path: '--format', message: `expected one of ${FORMATS.join(', ')}` });
  const sides = [{ policies: readPolicies(flags, env, problems) }];
  const names = [flags.config ?? `profile ${flags.profile ?? 'spec'}`];
  if (flags.against !== undefined) {
    const { against: config, route } = flags;
    sides.push({ policies: readPolicies({ config, route }, env, problems) });
    names.push(config);
  }
  if (problems.length > 0 || format === undefined) throw new UsageError(problems);
  return { sides, format, names: names.map((name) => display(name, 200)) };
}

function printerOf(format: Format, printing: Printing, { colours = false }: World): Printer {
  switch (format) {
    case 'json':
      return jsonPrinter(printing);
    case 'markdown':
      return markdownPrinter(printing);
    case 'table':
      return tablePrinter(printing, createPaint(colours));
  }
}

async function* chunksOf(file: string, progress: Progress): AsyncGenerator<Buffer> {
  for await (const chunk of createReadStream(file)) {
    progress.read((chunk as Buffer).length);
    yield chunk as Buffer;
  }
  progress.clear();
}

function sizeOf(file: string): number {
  return statSync(file).size;
}

/** Undefined for what is no fault of the file. */
function whyOf(error: unknown): string | undefined {
  if (error instanceof NoRecording) return error.message;
  const code = error instanceof Error && 'syscall' in error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? `it cannot be read (${code})` : undefined;
}

function terminalOf(): ((text: string) => void) | undefined {
  return process.stderr.isTTY === true ? (text) => void process.stderr.write(text) : undefined;
}
