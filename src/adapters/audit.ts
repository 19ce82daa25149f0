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
/** JSON writes it as it is. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

export interface AuditOptions {
  /** Takes whole lines. */
  readonly audit: Log['audit'];
  /** `log.audit` of the configuration in force. */
  readonly enabled: () => boolean;
}

/**
 * One line an exchange. Of what the peers sent it holds the method, the target's name, the id and where a finding
 * stands, each bounded and escaped; and of a tool's arguments those that the operator named.
 */
export function createAudit({ audit, enabled }: AuditOptions): Partial<Observer> {
  const time = new Clock();
  return {
    ended: (summary) => {
      if (enabled()) audit.write(auditLine(summary, time.now()));
    },
  };
}

/** A line of the log. To have pino write it would cost more than the rest of the exchange's bookkeeping. */
function auditLine(summary: ExchangeSummary, time: string): string {
  const { route, exchange, outcome, status, durationMs, upstreamMs, policyMs } = summary;
  const upstream = upstreamMs === undefined ? '' : `,"upstreamMs":${rounded(upstreamMs)}`;
  return (
    `{"level":"info","time":"${time}","route":${quoted(route.name)}${exchange ? whatWasAsked(exchange) : ''}` +
    `,"outcome":"${outcome}","status":${status},"durationMs":${rounded(durationMs)}${upstream}` +
    `,"policyMs":${rounded(policyMs)},"findings":${summary.decisions.length > 0 ? findingsOf(summary) : '[]'}` +
    `${traceOf(summary)}${exchange ? whoAsked(exchange) : ''},"msg":"exchange"}\n`
  );
}

/** Many lines share a millisecond, whose text is made once. */
class Clock {
  #ms = 0;
  #text = '';

  now(): string {
    const ms = Date.now();
    if (ms !== this.#ms) {
      this.#ms = ms;
      this.#text = new Date(ms).toISOString();
    }
    return this.#text;
  }
}

function whatWasAsked({ message }: Exchange): string {
  const { method, id } = message;
  const name = shownTarget(message);
  const named = name === undefined ? '' : `,"name":${quotedName(name)}`;
  const told = id === undefined ? '' : `,"id":${boundedId(id)}`;
  return `,"mcp.method.name":${quotedName(method)}${named}${told}`;
}

function boundedId({ value, text }: MessageId): string {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return text;
  return quotedName(typeof value === 'string' ? value : text);
}

function findingsOf({ decisions, findingsOmitted = 0 }: ExchangeSummary): string {
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
  const named = JSON.stringify(all.slice(0, MAX_FINDINGS));
  return omitted === 0 ? named : `${named},"findingsOmitted":${omitted}`;
}

function traceOf({ traceparent }: ExchangeSummary): string {
  return traceparent === undefined ? '' : `,"trace_id":${quoted(traceparent.split('-')[1] ?? '')}`;
}

function whoAsked(exchange: Exchange): string {
  const { principal } = exchange.facts;
  const named = auditedArguments(exchange);
  return (
    (principal === undefined ? '' : `,"principal":${quoted(principal)}`) +
    (named === undefined ? '' : `,"arguments":${JSON.stringify(named)}`)
  );
}

/** A string as it is, any other value as JSON text. */
function auditedArguments({ policy, message: { method, params } }: Exchange): object | undefined {
  const tool =
    method === METHOD_TOOLS_CALL ? policy.tools.get(stringMember(params, 'name') ?? '') : undefined;
  const sent = objectMember(params, 'arguments');
  if (tool === undefined || tool.auditArguments.length === 0 || sent === undefined) return undefined;
  const named = tool.auditArguments.flatMap((name) => {
    const value = member(sent, name);
    if (value === undefined) return [];
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return [[name, boundedText(text, MAX_ARGUMENT)] as const];
  });
  return Object.fromEntries(named);
}

/** Microseconds are as fine as they mean anything. */
function rounded(ms: number): string {
  const microseconds = Math.round(ms * 1000);
  const rest = microseconds % 1000;
  const zeros = rest > 99 ? '' : rest > 9 ? '0' : '00';
  return `${(microseconds - rest) / 1000}.${zeros}${rest}`;
}

function quotedName(text: string): string {
  return text.length <= MAX_NAME && PLAIN.test(text) ? `"${text}"` : quoted(boundedText(text, MAX_NAME));
}

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
