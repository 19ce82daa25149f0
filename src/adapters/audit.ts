import type { Exchange } from '../engine/exchange.js';
import type { ExchangeSummary, Observer } from '../engine/observer.js';
import { escapePointer } from '../engine/refusal.js';
import { boundedText } from '../protocol/bounded-text.js';
import { METHOD_TOOLS_CALL } from '../protocol/constants.js';
import { type MessageId, member, objectMember, stringMember } from '../protocol/messages.js';
import { shownTarget } from '../protocol/shown-target.js';
import type { Log } from './log.js';

const MAX_NAME = 128;
const MAX_ARGUMENT = 1024;
const MAX_FINDINGS = 50;

export interface AuditOptions {
  readonly log: Pick<Log, 'audit'>;
  /** `log.audit` of the configuration in force. */
  readonly enabled: () => boolean;
}

/**
 * One line an exchange. Of what the peers sent it holds the method, the target's name, the id and where a finding
 * stands, each bounded and escaped; and of a tool's arguments those that the operator named.
 */
export function createAudit({ log, enabled }: AuditOptions): Partial<Observer> {
  return {
    ended: (summary) => {
      if (enabled()) log.audit.info(auditFields(summary), 'exchange');
    },
  };
}

export function auditFields(summary: ExchangeSummary): object {
  const { route, exchange, outcome, status, durationMs, upstreamMs, policyMs, traceparent } = summary;
  return {
    route: route.name,
    ...(exchange && whatWasAsked(exchange)),
    outcome,
    status,
    durationMs: rounded(durationMs),
    ...(upstreamMs !== undefined && { upstreamMs: rounded(upstreamMs) }),
    policyMs: rounded(policyMs),
    ...findingsOf(summary),
    ...(traceparent !== undefined && { trace_id: traceparent.split('-')[1] }),
    ...(exchange?.facts.principal !== undefined && { principal: exchange.facts.principal }),
    ...(exchange && auditedArguments(exchange)),
  };
}

function whatWasAsked({ message }: Exchange): object {
  const { method, id } = message;
  const name = shownTarget(message);
  return {
    'mcp.method.name': boundedText(method, MAX_NAME),
    ...(name !== undefined && { name: boundedText(name, MAX_NAME) }),
    ...(id !== undefined && { id: boundedId(id) }),
  };
}

function boundedId({ value, text }: MessageId): string | number {
  if (typeof value === 'string') return boundedText(value, MAX_NAME);
  return Number.isSafeInteger(value) ? value : boundedText(text, MAX_NAME);
}

function findingsOf({ decisions, findingsOmitted = 0 }: ExchangeSummary): object {
  const all = decisions.flatMap(({ stage, decision }) =>
    decision.findings.map(({ rule, severity, violation }) => ({
      rule: rule.id,
      stage,
      severity,
      at: escapePointer(violation.at),
      ...(violation.detail?.kind === 'state' && { verdict: violation.detail.verdict }),
    })),
  );
  const omitted = findingsOmitted + Math.max(0, all.length - MAX_FINDINGS);
  if (omitted === 0) return { findings: all };
  return { findings: all.slice(0, MAX_FINDINGS), findingsOmitted: omitted };
}

/** A string as it is, any other value as JSON text. */
function auditedArguments({ policy, message: { method, params } }: Exchange): object {
  const tool =
    method === METHOD_TOOLS_CALL ? policy.tools.get(stringMember(params, 'name') ?? '') : undefined;
  const sent = objectMember(params, 'arguments');
  if (tool === undefined || tool.auditArguments.length === 0 || sent === undefined) return {};
  const named = tool.auditArguments.flatMap((name) => {
    const value = member(sent, name);
    if (value === undefined) return [];
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return [[name, boundedText(text, MAX_ARGUMENT)] as const];
  });
  return { arguments: Object.fromEntries(named) };
}

/** Microseconds are as fine as they mean anything. */
function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
