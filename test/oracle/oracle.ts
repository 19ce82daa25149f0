/**
 * An independent reading of the rules: what a gateway without a fault may make of an exchange. Written from the documents,
 * with ajv and the revision's schema, and without anything of src. It is slow, and says `maybe` where the documents do.
 */
import { isDeepStrictEqual } from 'node:util';
import { declaresForm } from './asked.js';
import { type ClientMessage, messageOf } from './client-message.js';
import { errorFates } from './error-answers.js';
import { isUtf8, mediaTypeOf } from './head.js';
import { type Asked, inboundFindings } from './inbound.js';
import { type Fate, fatesOf, type Waiting } from './outbound.js';
import { eventsOf } from './slow-sse.js';
import {
  type Finding,
  holdsName,
  isMap,
  isText,
  type Json,
  type JsonMap,
  mapOf,
  own,
  possible,
} from './values.js';

export type { Asked } from './inbound.js';

export interface Answered {
  readonly status: number;
  readonly head: readonly string[];
  readonly body: Uint8Array;
}

/** What the client saw, and whether the upstream did. */
export interface Observed {
  readonly forwarded: boolean;
  readonly status: number;
  /** The body, or the data of each event. */
  readonly messages: readonly string[];
}

/** How sure the oracle was of what it agreed to. */
export type Verdict = 'passed' | 'refused' | 'dropped' | 'open';

const UNREAD = ['origin-allowed', 'content-type-json', 'connection-names-none'];

export class Disagreement extends Error {
  override readonly name = 'Disagreement';
}

/** Throws a Disagreement where the gateway did what no reading of the rules allows. */
export function agree(asked: Asked, answered: Answered, observed: Observed): Verdict {
  const message = messageOf(asked.body);
  const { findings, certain } = possible(inboundFindings(asked));
  if (!observed.forwarded) {
    if (!findings.some((finding) => isRefusal(finding, observed, 0, asked, message)))
      throw new Disagreement(`refused instead of ${said(findings) || 'let in'}`);
    return certain && findings.length === 1 ? 'refused' : 'open';
  }
  if (certain) throw new Disagreement(`let in instead of ${said(findings)}`);
  const waiting = { profile: asked.profile, message };
  const verdict = agreeOnAnswer(answered, observed, asked, waiting);
  return findings.length > 0 ? 'open' : verdict;
}

function agreeOnAnswer(answered: Answered, observed: Observed, asked: Asked, waiting: Waiting): Verdict {
  const { status, head, body } = answered;
  const { isRequest } = waiting.message;
  if (status < 300 && !isRequest) {
    if (observed.status !== 202 || observed.messages.length > 0)
      throw new Disagreement('a notification is not answered with 202 alone');
    return 'passed';
  }
  const type = mediaTypeOf(head);
  if (status < 300 && type?.type === 'text/event-stream')
    return agreeOnStream(answered, observed, asked, waiting);
  const readable = type !== undefined && type.type === 'application/json' && isUtf8(type);
  let fates: readonly Fate[];
  if (status >= 300) fates = errorFates(answered, waiting);
  else if (!readable) fates = [unreadable(['response-readable'])];
  else if (status === 202) fates = [unreadable(['response-readable', 'response-answers-request'])];
  else fates = fatesOf(body, 'body', waiting);
  const told = { ...observed, messages: observed.messages.length === 0 ? [''] : observed.messages };
  const agreed = fates.find((fate) => becomes(fate, told, 0, answered, asked, waiting));
  if (agreed === undefined) throw new Disagreement(`instead of ${fates.map(saidOf).join(' or ')}`);
  return fates.length > 1 ? 'open' : verdictOf(agreed);
}

function agreeOnStream(answered: Answered, observed: Observed, asked: Asked, waiting: Waiting): Verdict {
  const listens = waiting.message.method === 'subscriptions/listen';
  const judged = eventsOf(answered.body).map((data) => fatesOf(data, 'event', waiting));
  const events = answered.status === 202 ? judged.map(withoutAnswer) : judged;
  let furthest = -1;

  function explains(event: number, told: number): boolean {
    furthest = Math.max(furthest, event);
    const fates = events[event];
    const over = told === observed.messages.length;
    if (fates === undefined) return listens ? over : isFarewell(observed, told, waiting.message);
    return fates.some((fate) => {
      if (fate.kind === 'drop') return explains(event + 1, told);
      if (over || !becomes(fate, observed, told, answered, asked, waiting)) return false;
      if (fate.kind === 'refuse' || isResponse(fate.text)) return told + 1 === observed.messages.length;
      return explains(event + 1, told + 1);
    });
  }

  if (!explains(0, 0))
    throw new Disagreement(`event ${furthest}: instead of ${events[furthest]?.map(saidOf).join(' or ')}`);
  if (events.some((fates) => fates.length > 1)) return 'open';
  const ends = events.map((fates) => fates[0]?.kind);
  return ends.includes('refuse') ? 'refused' : ends.includes('drop') ? 'dropped' : 'passed';
}

/** The upstream ended its stream without a response. */
function isFarewell({ messages, status }: Observed, told: number, message: ClientMessage): boolean {
  const error = parsed(messages[told]);
  if (told + 1 !== messages.length || own(own(error, 'error'), 'code') !== -32603) return false;
  return own(error, 'id') === message.id && (told > 0 || status === 502);
}

function becomes(
  fate: Fate,
  observed: Observed,
  told: number,
  answered: Answered,
  asked: Asked,
  waiting: Waiting,
): boolean {
  if (fate.kind === 'drop') return false;
  if (fate.kind === 'refuse') return isRefusal(fate.finding, observed, told, asked, waiting.message);
  return observed.status === answered.status && isSame(observed.messages[told] ?? '', fate.text, waiting);
}

/** The gateway's own error: its code, status, rule and the request's id; or Ze's own answer in its place. */
function isRefusal(
  { rules, code, statuses, data = {} }: Finding,
  { status, messages }: Observed,
  told: number,
  asked: Asked,
  message: ClientMessage,
): boolean {
  if (told + 1 !== messages.length) return false;
  const said = parsed(messages[told]);
  const instead = rules.includes('input-request-declared') && lacksArgument(asked, message);
  if (instead && holdsName(own(own(data, 'requiredCapabilities'), 'elicitation'), 'form'))
    return isToolError(said, message) && (told > 0 || status === 200);
  const error = own(said, 'error');
  const named = own(own(error, 'data'), 'rule');
  if (own(error, 'code') !== code || !isText(named) || !rules.includes(named)) return false;
  if (told === 0 && !statuses.includes(status)) return false;
  const given = mapOf(error, 'data');
  if (Object.entries(data).some(([name, value]) => !isDeepStrictEqual(own(given, name), value))) return false;
  // What is refused by its head alone is refused unread.
  const unread = UNREAD.includes(named) && !holdsName(said, 'id');
  return isText(own(error, 'message')) && (unread || isIdOf(said, messages[told] ?? '', message));
}

function isIdOf(said: Json, text: string, message: ClientMessage): boolean {
  if (message.id === undefined) return !holdsName(said, 'id');
  if (own(said, 'id') !== message.id) return false;
  // Integers past 2^53 by their digits.
  return !/^-?\d{16,}$/.test(message.idText ?? '') || text.includes(`"id":${message.idText}`);
}

/** A client without form mode that left out what ze_execute would ask for. */
function lacksArgument({ profile }: Asked, { method, params, capabilities }: ClientMessage): boolean {
  const calls = profile === 'ze' && method === 'tools/call' && own(params, 'name') === 'ze_execute';
  return (
    calls &&
    !declaresForm(own(capabilities, 'elicitation')) &&
    !holdsName(mapOf(params, 'arguments'), 'command')
  );
}

function isToolError(said: Json, message: ClientMessage): boolean {
  const result = mapOf(said, 'result');
  const text = JSON.stringify(own(result, 'content') ?? null);
  return (
    own(said, 'id') === message.id &&
    own(result, 'isError') === true &&
    text.includes('missing required argument: command')
  );
}

/** The very bytes, but for what rewrites may change. */
function isSame(told: string, text: string, { message }: Waiting): boolean {
  if (told === text) return true;
  if (!['server/discover', 'tools/list'].includes(message.method) && !told.includes('-32022')) return false;
  return JSON.stringify(withoutRewritten(parsed(told))) === JSON.stringify(withoutRewritten(parsed(text)));
}

function withoutRewritten(value: Json): Json {
  const kept = structuredClone(value) as { result?: JsonMap; error?: { data?: JsonMap } };
  for (const name of ['supportedVersions', 'tools', 'cacheScope', 'ttlMs'])
    if (isMap(kept.result)) delete (kept.result as Record<string, Json>)[name];
  if (isMap(kept.error?.data)) delete (kept.error.data as Record<string, Json>).supported;
  return kept as Json;
}

/** 202 does not answer a request: what else comes with it may be left out. */
function withoutAnswer(fates: readonly Fate[]): readonly Fate[] {
  const kept = fates.filter((fate) => fate.kind !== 'send' || !isResponse(fate.text));
  return [...kept, { kind: 'drop' }, unreadable(['response-readable', 'response-answers-request'])];
}

function isResponse(text: string): boolean {
  return !isText(own(parsed(text), 'method'));
}

function parsed(text: string | undefined): Json {
  try {
    return JSON.parse(text ?? '') as Json;
  } catch {
    return null;
  }
}

function unreadable(rules: readonly string[]): Fate {
  return { kind: 'refuse', finding: { rules, code: -32603, statuses: [502], holds: 'yes' } };
}

function verdictOf({ kind }: Fate): Verdict {
  return kind === 'refuse' ? 'refused' : kind === 'drop' ? 'dropped' : 'passed';
}

function said(findings: readonly Finding[]): string {
  return findings.map(({ rules, holds }) => `${rules.join('|')} (${holds})`).join(', ');
}

function saidOf(fate: Fate): string {
  return fate.kind === 'refuse' ? said([fate.finding]) : fate.kind;
}
