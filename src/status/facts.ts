/** What stands still between two configurations: the routes, and the rules with their clauses and severities. */
import type { GatewayPlan, RoutePlan } from '../engine/plan.js';
import type { RoutePolicy } from '../engine/policy.js';
import { clauseUrl } from '../engine/refusal.js';
import type { RuleCard, Severity } from '../engine/rule.js';
import { ADMIT, INBOUND, OUTBOUND, PARSE } from '../rules/index.js';
import type { ClauseFacts, RouteFacts, RuleFacts } from './snapshot.js';

const RULES: readonly RuleCard[] = [...ADMIT, ...PARSE, ...INBOUND, ...OUTBOUND];

export function routeFacts({ policy, upstream: { url } }: RoutePlan): RouteFacts {
  const { name, path, profile, mode, requestState } = policy;
  return { name, path, upstream: `${url.origin}${url.pathname}`, profile, mode, requestState };
}

export function ruleFacts({ routes }: GatewayPlan): readonly RuleFacts[] {
  const compiled = routes.map(({ policy }) => ({ route: policy.name, severities: severitiesOf(policy) }));
  return RULES.map((rule) => ({
    id: rule.id,
    stage: rule.stage,
    guarantees: rule.guarantees,
    clause: clauseFacts(rule),
    locked: rule.locked !== undefined,
    severities: compiled.map(({ route, severities }) => ({
      route,
      severity: severities.get(rule.id) ?? 'off',
    })),
  }));
}

function severitiesOf({ rules }: RoutePolicy): ReadonlyMap<string, Severity> {
  const active: readonly { readonly rule: RuleCard; readonly severity: Severity }[] = [
    ...rules.admit,
    ...rules.parse,
    ...rules.inbound,
    ...rules.outbound,
  ];
  return new Map(active.map(({ rule, severity }) => [rule.id, severity]));
}

function clauseFacts(rule: RuleCard): ClauseFacts {
  const { clause } = rule;
  const url = clauseUrl(rule);
  return {
    source: 'page' in clause ? clause.page : clause.source,
    keyword: clause.keyword,
    quote: clause.quote,
    url: url.startsWith('https://') ? url : undefined,
  };
}
