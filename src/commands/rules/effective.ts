/** What rules are worth on the routes of a configuration. */
import { compile } from '../../config/compile.js';
import { loadConfig } from '../../config/load.js';
import { suggestion } from '../../config/nearest.js';
import type { Environment } from '../../config/resolve.js';
import type { RoutePolicy } from '../../engine/policy.js';
import type { ActiveRule, RuleCard, Severity, Stage } from '../../engine/rule.js';
import { ADMIT, INBOUND, OUTBOUND, PARSE } from '../../rules/index.js';
import { UsageError } from '../declaration.js';

export interface RouteFlags {
  readonly config?: string | undefined;
  readonly route?: string | undefined;
}

/** In order of evaluation. */
export const REGISTER: readonly RuleCard[] = [...ADMIT, ...PARSE, ...INBOUND, ...OUTBOUND];

const BY_ID: ReadonlyMap<string, RuleCard> = new Map(REGISTER.map((rule) => [rule.id, rule]));

/** Throws UsageError with the nearest id. */
export function ruleOf(id: string): RuleCard {
  const rule = BY_ID.get(id);
  if (rule !== undefined) return rule;
  const hint = suggestion(id, BY_ID.keys()) || '; `mrtr-gateway rules` lists them';
  throw new UsageError([{ path: '', message: `there is no rule \`${id.slice(0, 80)}\`${hint}` }]);
}

/** The routes that are meant: none without a configuration. Throws ConfigError, and UsageError for a route that there is not. */
export function readRoutes({ config, route }: RouteFlags, env: Environment): readonly RoutePolicy[] {
  if (config === undefined) {
    if (route === undefined) return [];
    throw new UsageError([
      { path: '--route', message: 'names a route of a configuration: --config is missing' },
    ]);
  }
  const policies = compile(loadConfig({ flags: { config }, env }).config).routes.map(({ policy }) => policy);
  if (route === undefined) return policies;
  const named = policies.filter(({ name }) => name === route);
  if (named.length > 0) return named;
  const names = policies.map(({ name }) => name);
  const hint = suggestion(route, names) || `; there are ${names.join(', ')}`;
  throw new UsageError([{ path: '--route', message: `there is no route of this name${hint}` }]);
}

export function severityOn({ rules }: RoutePolicy, { id, stage }: RuleCard): Severity {
  const active: readonly ActiveRule<Stage>[] = rules[stage] as readonly ActiveRule<Stage>[];
  return active.find(({ rule }) => rule.id === id)?.severity ?? 'off';
}

/** `MUST NOT basic/index#error-codes`, or the clause's other source. */
export function clauseText({ clause }: RuleCard): string {
  if (!('page' in clause)) return `${clause.keyword} ${clause.source}`;
  return `${clause.keyword} ${clause.page}${clause.anchor === '' ? '' : `#${clause.anchor}`}`;
}
