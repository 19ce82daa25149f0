/** Runs an audit as the flags say, and prints what it found. */
import { audit } from '../../check/audit.js';
import { type Report, reportOf, rowsOf } from '../../check/report.js';
import { suggestConfig } from '../../check/suggest.js';
import { createClient } from '../../client/client.js';
import type { Problem } from '../../config/loaded.js';
import type { RoutePolicy } from '../../engine/policy.js';
import { member, objectMember, stringMember } from '../../protocol/messages.js';
import { BUILD } from '../build.js';
import { UsageError } from '../declaration.js';
import { createPaint } from '../paint.js';
import { readTarget, type Target, type TargetFlags } from '../probe/options.js';
import { type PolicyFlags, readPolicies } from '../route-policy.js';
import { EXIT_FAILED, EXIT_OK, type World } from '../world.js';
import { formatJson } from './format-json.js';
import { formatJunit } from './format-junit.js';
import { formatMarkdown } from './format-markdown.js';
import { formatTable } from './format-table.js';
import { summaryOf } from './words.js';

export interface CheckFlags extends TargetFlags, PolicyFlags {
  readonly call?: readonly string[] | undefined;
  readonly callAll?: boolean | undefined;
  readonly format?: string | undefined;
  readonly suggest?: boolean | undefined;
  readonly within?: string | undefined;
}

const FORMATS = ['table', 'json', 'markdown', 'junit'] as const;
type Format = (typeof FORMATS)[number];

const EXIT_NO_SERVER = 4;
const TIMEOUT_S = '10';
const WITHIN_S = 300;

interface Order {
  readonly target: Target;
  readonly policy: RoutePolicy;
  readonly format: Format;
  readonly withinMs: number;
}

/** Resolves to the exit code. Throws UsageError and ConfigError with every problem. */
export async function runCheck(url: string | undefined, flags: CheckFlags, world: World): Promise<number> {
  const { target, policy, format, withinMs } = readOrder(url, flags, world);
  const named = new Set(flags.call ?? []);
  const shown = shownUrl(target.url);
  const result = await audit({
    client: createClient({
      url: target.url,
      headers: target.headers,
      clientInfo: { name: 'mrtr-gateway-check', version: BUILD.version },
      bounds: { connectMs: target.totalMs, headMs: target.totalMs, totalMs: target.totalMs },
    }),
    policy,
    mayCall: (tool) =>
      flags.callAll === true ||
      named.has(stringMember(tool, 'name') ?? '') ||
      member(objectMember(tool, 'annotations') ?? {}, 'readOnlyHint') === true,
    withinMs,
  });
  if (result.kind === 'no-server') {
    world.err(`mrtr-gateway: ${shown} cannot be checked: ${result.why}\n`);
    return EXIT_NO_SERVER;
  }
  const report = reportOf(result, policy);
  warnOfUnknown(named, new Set(result.known.tools.map((tool) => stringMember(tool, 'name'))), world);
  if (flags.suggest === true) {
    world.err(`mrtr-gateway: ${shown}: ${summaryOf(report)}\n`);
    world.out(suggestConfig(target.url, result.known, report));
    return EXIT_OK;
  }
  world.out(formatted(format, report, shown, world));
  return rowsOf(report, 'fail').length > 0 ? EXIT_FAILED : EXIT_OK;
}

function readOrder(url: string | undefined, flags: CheckFlags, { env }: World): Order {
  const problems: Problem[] = [];
  const target = readTarget(url, { ...flags, timeout: flags.timeout ?? TIMEOUT_S }, env, problems);
  const format = FORMATS.find((one) => one === (flags.format ?? 'table'));
  if (format === undefined)
    problems.push({ path: '--format', message: `expected one of ${FORMATS.join(', ')}` });
  const within = flags.within === undefined ? WITHIN_S : Number(flags.within);
  if (!(within > 0 && within <= 86_400))
    problems.push({ path: '--within', message: 'expected a number of seconds' });
  const policies = readPolicies(flags, env, problems);
  if (policies.length > 1)
    problems.push({ path: '--route', message: `which of ${policies.map(({ name }) => name).join(', ')}?` });
  const [policy] = policies;
  if (problems.length > 0 || policy === undefined || format === undefined) throw new UsageError(problems);
  return { target, policy, format, withinMs: 1_000 * within };
}

function formatted(format: Format, report: Report, url: string, { colours = false }: World): string {
  switch (format) {
    case 'json':
      return formatJson(report, url);
    case 'markdown':
      return formatMarkdown(report, url);
    case 'junit':
      return formatJunit(report, url);
    case 'table':
      return formatTable(report, url, createPaint(colours));
  }
}

function warnOfUnknown(
  named: ReadonlySet<string>,
  tools: ReadonlySet<string | undefined>,
  world: World,
): void {
  for (const name of named) {
    if (!tools.has(name)) world.err(`mrtr-gateway: the server lists no tool of the name given to --call\n`);
  }
}

/** A query may carry a secret. */
function shownUrl({ origin, pathname, search }: URL): string {
  return `${origin}${pathname}${search === '' ? '' : '?***'}`;
}
