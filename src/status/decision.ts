import type { Exchange } from '../engine/exchange.js';
import { clauseUrl, escapePointer } from '../engine/refusal.js';
import type { Decision, Finding, Stage } from '../engine/rule.js';
import { boundedText } from '../protocol/bounded-text.js';
import { methodLabel } from '../protocol/method-label.js';
import { shownTarget } from '../protocol/shown-target.js';
import type { DecisionRow, What } from './snapshot.js';

const MAX_TARGET = 64;

export interface Decided {
  readonly route: string;
  readonly exchange: Exchange | undefined;
  readonly stage: Stage;
  readonly decision: Decision;
  /** ISO time. */
  readonly at: string;
}

/** One row a finding, in the order in which they were found. */
export function decisionRows(
  { route, exchange, stage, decision, at }: Decided,
  nextSeq: () => number,
): DecisionRow[] {
  const message = exchange?.message;
  const method = message === undefined ? '' : methodLabel(message.method);
  const target = ownCopy(boundedText((message && shownTarget(message)) ?? '', MAX_TARGET));
  return decision.findings.map((finding) => ({
    seq: nextSeq(),
    at,
    what: whatBecame(finding, decision),
    rule: finding.rule.id,
    stage,
    route,
    method,
    target,
    where: ownCopy(escapePointer(finding.violation.at)),
    why: finding.violation.message,
    spec: clauseUrl(finding.rule),
  }));
}

function whatBecame({ rule, severity, violation }: Finding, { dropped }: Decision): What {
  if (severity === 'report') return 'reported';
  return dropped || rule.remedy === 'drop' || violation.remedy === 'drop' ? 'dropped' : 'refused';
}

/** A part of a text keeps the whole of it in memory, however long that is. */
function ownCopy(part: string): string {
  return JSON.parse(JSON.stringify(part)) as string;
}
