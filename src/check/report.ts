/** From what the answers said to one row a rule. */
import type { RoutePolicy } from '../engine/policy.js';
import { clauseUrl } from '../engine/refusal.js';
import type { RuleCard } from '../engine/rule.js';
import { META_SERVER_INFO } from '../protocol/constants.js';
import { objectMember, stringMember } from '../protocol/messages.js';
import { ADMIT, INBOUND } from '../rules/index.js';
import type { Audit, Evidence } from './audit.js';
import { type Card, OWN_CARDS } from './cards.js';
import { CATALOGUE } from './catalogue.js';
import type { Fault } from './judge.js';
import type { ShapeName } from './shapes.js';

/** `fail`: an obligation is broken. `warn`: a recommendation is. `unseen`: there was no occasion to tell. */
export type Verdict = 'pass' | 'warn' | 'fail' | 'unseen';

export interface Row {
  readonly rule: string;
  readonly guarantees: string;
  readonly keyword: string;
  /** The page of the specification, or who else says so. */
  readonly source: string;
  readonly url: string;
  readonly quote: string;
  readonly verdict: Verdict;
  /** What broke it, the first of each kind. */
  readonly evidence: readonly Told[];
  /** How many exchanges broke it, and how many told anything of it. */
  readonly broken: number;
  readonly told: number;
}

/** A fault and the exchange that showed it. Names and places are as they came. */
export interface Told extends Fault {
  readonly entry: string;
  readonly about: string;
  readonly shape: ShapeName;
}

export interface Report {
  readonly server: { readonly name: string; readonly version: string } | undefined;
  readonly profile: string;
  readonly exchanges: number;
  /** Tools that were called, and all that there are. */
  readonly called: number;
  readonly tools: number;
  readonly rows: readonly Row[];
  readonly notes: readonly string[];
}

const MOST_EVIDENCE = 5;

export function reportOf(audited: Audit & { kind: 'audited' }, policy: RoutePolicy): Report {
  const { known, evidence, exchanges, notes } = audited;
  const info = objectMember(objectMember(known.discovered ?? {}, '_meta') ?? {}, META_SERVER_INFO);
  const rows = cardsOf(policy).map((card) =>
    rowOf(
      card,
      evidence.filter(({ rule }) => rule === card.id),
      policy,
    ),
  );
  return {
    server: info && {
      name: stringMember(info, 'name') ?? '',
      version: stringMember(info, 'version') ?? '',
    },
    profile: policy.profile,
    exchanges,
    called: known.callable.length,
    tools: known.tools.length,
    rows,
    notes,
  };
}

export function rowsOf({ rows }: Report, verdict: Verdict): readonly Row[] {
  return rows.filter((row) => row.verdict === verdict);
}

/** Rules about requests that the catalogue has an expectation of, rules about answers, and the audit's own. */
function cardsOf({ rules }: RoutePolicy): readonly Card[] {
  const expected = new Set(CATALOGUE.map(({ expects }) => expects?.rule));
  const requests = [...ADMIT, ...INBOUND].filter(({ id }) => expected.has(id));
  return [...requests, ...rules.outbound.map(({ rule }) => rule), ...OWN_CARDS];
}

function rowOf(card: Card, said: readonly Evidence[], policy: RoutePolicy): Row {
  const faults = said.flatMap(({ fault, entry, about, shape }): Told[] =>
    fault === undefined ? [] : [{ ...fault, entry, about, shape }],
  );
  const { clause } = card;
  return {
    rule: card.id,
    guarantees: card.guarantees,
    keyword: clause.keyword,
    source: 'page' in clause ? clause.page : clause.source,
    url: clauseUrl(card),
    quote: clause.quote,
    verdict: verdictOf(card, said, faults, policy),
    evidence: firstOfEachKind(faults).slice(0, MOST_EVIDENCE),
    broken: faults.length,
    told: said.length,
  };
}

function verdictOf(
  card: Card,
  said: readonly Evidence[],
  faults: readonly Told[],
  policy: RoutePolicy,
): Verdict {
  if (faults.length === 0) return said.length === 0 ? 'unseen' : 'pass';
  return obliges(card, policy) && faults.some(({ mild }) => mild !== true) ? 'fail' : 'warn';
}

/** Obligations of the specification, and of Ze on a route that is Ze's; not those of a gateway, and none that was softened. */
function obliges({ id, clause }: Card, { profile, rules }: RoutePolicy): boolean {
  if (!clause.keyword.startsWith('MUST')) return false;
  if (!('page' in clause) && !(clause.source === 'Ze' && profile === 'ze')) return false;
  return ![...rules.inbound, ...rules.outbound].some(
    ({ rule, severity }) => rule.id === id && isSoftened(rule, severity, profile),
  );
}

function isSoftened({ severity }: RuleCard, active: string, profile: 'spec' | 'ze'): boolean {
  return severity[profile] === 'enforce' && active === 'report';
}

function firstOfEachKind(faults: readonly Told[]): readonly Told[] {
  const kinds = new Map<string, Told>();
  for (const told of faults) {
    const key = `${told.about} ${told.message}`;
    if (!kinds.has(key)) kinds.set(key, told);
  }
  return [...kinds.values()];
}
