/** What a finding becomes for the client: table row, JSON-RPC error and its data. Pure. */
import { JSON_RPC_VERSION, METHOD_TOOLS_CALL, REVISION } from '../protocol/constants.js';
import { errorText, REFUSALS, type RefusalKey } from '../protocol/errors.js';
import {
  has,
  type JsonObject,
  type JsonValue,
  type MessageId,
  objectMember,
  stringMember,
} from '../protocol/messages.js';
import type { Exchange } from './exchange.js';
import type { RoutePolicy } from './policy.js';
import type { Clause, Finding, RuleCard } from './rule.js';

const SPECIFICATION = `https://modelcontextprotocol.io/specification/${REVISION}/`;
const SEPS = 'https://modelcontextprotocol.io/';
const MAX_POINTER = 200;

/** Bytes for the client. A stream that has begun can only take the body: status is for a reply that has not. */
export interface Refusal {
  readonly status: number;
  readonly body: string;
  readonly key: RefusalKey;
}

export interface RefusalContext {
  readonly id: MessageId | undefined;
  readonly policy: RoutePolicy | undefined;
  readonly exchange: Exchange | undefined;
}

/** URL of the sentence that a rule enforces; rules of this gateway's own have a URN. */
export function clauseUrl(rule: Pick<RuleCard, 'id' | 'clause'>): string {
  const clause: Clause = rule.clause;
  if (!('page' in clause)) {
    return clause.source === 'JSON-RPC 2.0'
      ? 'https://www.jsonrpc.org/specification'
      : `urn:mrtr-gateway:rule:${rule.id}`;
  }
  const base = clause.page.startsWith('seps/') ? SEPS : SPECIFICATION;
  return `${base}${clause.page}${clause.anchor === '' ? '' : `#${clause.anchor}`}`;
}

/** The refusal of a finding whose rule refuses (a dropped event has none). */
export function refusalOf(finding: Finding, key: RefusalKey, context: RefusalContext): Refusal {
  const { rule, violation } = finding;
  const instead = missingArgument(finding, context);
  if (instead !== undefined) return { status: 200, body: instead, key };
  const data: Record<string, JsonValue> = { rule: rule.id, spec: clauseUrl(rule) };
  if (rule.stage === 'outbound' && violation.at !== '') data.at = escapePointer(violation.at);
  if (violation.detail?.kind === 'capabilities') data.requiredCapabilities = violation.detail.required;
  if (violation.detail?.kind === 'version') {
    data.supported = context.policy?.versions ?? [REVISION];
    data.requested = violation.detail.requested;
  }
  const { code, status } = REFUSALS[key];
  const body = errorText(context.id, code, violation.message, data);
  return {
    status: key === 'missingCapability' ? (context.policy?.capabilityErrorStatus ?? status) : status,
    body,
    key,
  };
}

/** The refusal of what no rule judges: paths, limits, the upstream's absence. `message` is a fixed sentence. */
export function plainRefusal(key: RefusalKey, message: string, id?: MessageId): Refusal {
  const { code, status } = REFUSALS[key];
  return { status, body: errorText(id, code, message), key };
}

/** Control characters and non-ASCII as \uXXXX, at most 200 characters. */
export function escapePointer(at: string): string {
  const escaped = at
    .slice(0, MAX_POINTER)
    .replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return escaped.slice(0, MAX_POINTER);
}

/** A client without form mode that left out what the tool would ask for: Ze's own answer to it. */
function missingArgument(finding: Finding, { exchange, id }: RefusalContext): string | undefined {
  const detail = finding.violation.detail;
  if (detail?.kind !== 'capabilities' || !detail.formMissing || exchange === undefined || id === undefined)
    return undefined;
  const lacking = lackingArguments(exchange);
  if (lacking.length === 0) return undefined;
  const result: JsonObject = {
    resultType: 'complete',
    content: [{ type: 'text', text: `missing required argument: ${lacking.join(', ')}` }],
    isError: true,
  };
  return `{"jsonrpc":"${JSON_RPC_VERSION}","id":${id.text},"result":${JSON.stringify(result)}}`;
}

function lackingArguments({ message, policy }: Exchange): readonly string[] {
  if (message.method !== METHOD_TOOLS_CALL) return [];
  const tool = policy.tools.get(stringMember(message.params, 'name') ?? '');
  if (tool === undefined || !tool.toolError) return [];
  const given = objectMember(message.params, 'arguments') ?? {};
  return tool.elicits.filter((argument) => !has(given, argument));
}
