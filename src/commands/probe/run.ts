/** One run of a probe, from its flags to its exit status. */
import { Readable } from 'node:stream';
import { createClient } from '../../client/client.js';
import { display, displayJson } from '../../client/display.js';
import type { Problem } from '../../config/loaded.js';
import { BUILD } from '../build.js';
import { UsageError } from '../declaration.js';
import { createPaint } from '../paint.js';
import type { World } from '../world.js';
import { Answers } from './answers.js';
import { createAsk } from './ask.js';
import { DIRECTIVE_ROWS, parseDirective } from './directives.js';
import { EXITS, type Reporter } from './events.js';
import { Lines } from './lines.js';
import {
  type CapabilityFlags,
  readCapabilityFlags,
  readTarget,
  type Target,
  type TargetFlags,
} from './options.js';
import { createJsonReporter } from './report-json.js';
import { createTextReporter } from './report-text.js';
import { Session } from './session.js';
import { Telling } from './telling.js';

export interface ProbeFlags extends TargetFlags, CapabilityFlags {
  readonly do?: readonly string[] | undefined;
  readonly raw?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** Ctrl-C. */
const EXIT_INTERRUPTED = 130;

/** Resolves to the exit status. Throws UsageError with every problem of the flags. */
export async function runProbe(text: string | undefined, flags: ProbeFlags, world: World): Promise<number> {
  const problems: Problem[] = [];
  const target = readTarget(text, flags, world.env, problems);
  const capabilities = readCapabilityFlags(flags, problems);
  if (problems.length > 0) throw new UsageError(problems);
  const lines = new Lines(world.stdin?.() ?? Readable.from([]), world.terminal);
  const mask = masking(target.secrets);
  const out = (line: string) => lines.aside(() => world.out(mask(line)));
  const reporter: Reporter =
    flags.json === true
      ? createJsonReporter(out)
      : createTextReporter(out, paintOf(world), () => answers.asksNext);
  const telling = new Telling(reporter, { raw: flags.raw === true });
  const person = { lines, say: (line: string) => world.err(`${mask(line)}\n`), paint: paintOf(world) };
  const ask = world.terminal && createAsk(person, target.url.host);
  const answers = new Answers(reporter, ask);
  const client = createClient({
    url: target.url,
    capabilities,
    clientInfo: { name: 'mrtr-gateway-probe', version: BUILD.version },
    headers: target.headers,
    bounds: { headMs: target.totalMs, totalMs: target.totalMs },
    watcher: telling.watcher,
  });
  const session = new Session({ client, answers, telling, interactive: lines.interactive });
  if (lines.interactive && flags.do === undefined) person.say(greeting(target, capabilities));
  const ended = await drive(session, { lines, say: person.say, script: flags.do });
  if (ended === EXITS.complete) await session.finish();
  lines.close();
  const exit = Math.max(ended, session.worst);
  reporter.report({ event: 'end', exit });
  return exit;
}

interface Course {
  readonly lines: Lines;
  readonly say: (line: string) => void;
  /** Directives of flags: the input then holds none. */
  readonly script: readonly string[] | undefined;
}

/** Runs directives until there are no more, or one is none: 0, 2 or 130. */
async function drive(session: Session, { lines, say, script }: Course): Promise<number> {
  let left = false;
  lines.interrupted = (asked) => {
    const ended = session.interrupt();
    left ||= asked || !ended || script !== undefined;
  };
  const waiting = [...(script ?? [])];
  for (let count = 1; !left; count += 1) {
    const line = script === undefined ? await lines.next('probe> ') : next(waiting);
    if (line === 'end') break;
    const directive = typeof line === 'string' ? undefined : parseDirective(line.text);
    if (directive === undefined) continue;
    if ('problem' in directive) {
      say(lines.interactive ? directive.problem : `mrtr-gateway: line ${count}: ${directive.problem}`);
      if (!lines.interactive || script !== undefined) return EXITS.usage;
    } else if (directive.kind === 'quit') break;
    else if (directive.kind === 'help') for (const row of helpLines()) say(row);
    else await session.run(directive);
  }
  return left ? EXIT_INTERRUPTED : EXITS.complete;
}

function next(waiting: string[]): { readonly text: string } | 'end' {
  const text = waiting.shift();
  return text === undefined ? 'end' : { text };
}

function helpLines(): readonly string[] {
  return DIRECTIVE_ROWS.map(([form, says]) => `  ${form.padEnd(48)}  ${says}`);
}

function greeting({ url }: Target, capabilities: object): string {
  return `${display(url.href)}, declaring ${displayJson(capabilities)}. \`help\` lists what to type, Ctrl-D ends.`;
}

function paintOf({ colours = false }: World): ReturnType<typeof createPaint> {
  return createPaint(colours);
}

/** Also as the text would look when it is shown. */
function masking(secrets: readonly string[]): (text: string) => string {
  const all = [
    ...new Set(secrets.flatMap((secret) => [secret, display(secret), JSON.stringify(secret).slice(1, -1)])),
  ];
  all.sort((one, other) => other.length - one.length);
  return (text) => all.reduce((masked, secret) => masked.replaceAll(secret, '***'), text);
}
