/** Audits of servers that tests start. */
import { type Audit, audit } from '../../src/check/audit.js';
import { type Report, reportOf, rowsOf } from '../../src/check/report.js';
import { createClient } from '../../src/client/client.js';
import { compile } from '../../src/config/compile.js';
import { loadObject } from '../../src/config/load.js';
import type { RoutePolicy } from '../../src/engine/policy.js';
import type { JsonObject } from '../../src/protocol/messages.js';

export interface Settings {
  readonly profile?: 'ze' | 'spec';
  /** Keys of the route that is judged by. */
  readonly route?: Readonly<Record<string, unknown>>;
  readonly callAll?: boolean;
  readonly timeoutMs?: number;
  readonly withinMs?: number;
}

export function policyOf({ profile = 'spec', route = {} }: Settings): RoutePolicy {
  const { config } = loadObject({ routes: [{ upstream: 'http://127.0.0.1/mcp', profile, ...route }] });
  const [compiled] = compile(config).routes;
  if (compiled === undefined) throw new Error('no route');
  return compiled.policy;
}

export function auditOf(url: string, settings: Settings = {}): Promise<Audit> {
  const { callAll = false, timeoutMs: ms = 20_000, withinMs } = settings;
  return audit({
    client: createClient({ url: new URL(url), bounds: { connectMs: ms, headMs: ms, totalMs: ms } }),
    policy: policyOf(settings),
    mayCall: (tool) => callAll || (tool.annotations as JsonObject | undefined)?.readOnlyHint === true,
    maxPauseMs: 10,
    listenMs: 100,
    ...(withinMs !== undefined && { withinMs }),
  });
}

export async function reportOn(url: string, settings: Settings = {}): Promise<Report> {
  const audited = await auditOf(url, settings);
  if (audited.kind === 'no-server') throw new Error(audited.why);
  return reportOf(audited, policyOf(settings));
}

/** Verdict and rule of everything that is not as it should be. */
export function foundIn(report: Report): readonly string[] {
  return [
    ...rowsOf(report, 'fail').map(({ rule }) => `fail ${rule}`),
    ...rowsOf(report, 'warn').map(({ rule }) => `warn ${rule}`),
  ];
}
