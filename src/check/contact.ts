/** The first contact: is there a server of this revision at all? If not, why, in one sentence. */
import { display } from '../client/display.js';
import type { Outcome } from '../client/outcome.js';
import type { RecordedExchange } from '../client/record.js';
import { METHOD_TOOLS_LIST, REVISION } from '../protocol/constants.js';
import { METHOD_NOT_FOUND, REFUSALS } from '../protocol/errors.js';
import { parseMediaType } from '../protocol/media-type.js';
import { arrayMember, isObject, type JsonValue, stringMember } from '../protocol/messages.js';
import { FAULT_WORDS } from '../protocol/reading.js';
import { type Asking, ask } from './asking.js';
import { initialize, NEWEST_LEGACY } from './catalogue-faults.js';

export interface Contact {
  readonly record: RecordedExchange;
  readonly outcome: Outcome;
}

/** Errors of the revision's own codes: whoever answers so speaks it. */
const MODERN_CODES: ReadonlySet<JsonValue | undefined> = new Set([
  REFUSALS.headerMismatch.code,
  REFUSALS.missingCapability.code,
  REFUSALS.invalidParams.code,
]);
const MOST_VERSIONS = 5;

/** Undefined: what answered server/discover is a server to be audited. `send` asks again, to find out what it is. */
export async function findWrongServer(
  { record, outcome }: Contact,
  send: (asking: Asking) => Promise<Contact>,
): Promise<string | undefined> {
  if (outcome.kind === 'trouble') return outcome.trouble.message;
  if (outcome.kind === 'complete' && arrayMember(outcome.result, 'supportedVersions') !== undefined)
    return undefined;
  if (outcome.kind === 'error') {
    const { code, data } = outcome.error;
    if (code === REFUSALS.unsupportedVersion.code) return otherVersions(data);
    if (MODERN_CODES.has(code) && outcome.status < 401) return undefined;
  }
  const { status = 0 } = record;
  if (status === 401 || status === 403)
    return `the server answers ${status}: it asks for a credential, which --bearer or --header can give`;
  if (status >= 300 && status < 400)
    return `what answers is a redirect (${status}), which an MCP client does not follow`;
  if (status === 429 || status >= 500) return `the server answers ${status} to everything`;
  return (await findOtherEra(send)) ?? (await findTools(outcome, send, record));
}

function otherVersions(data: JsonValue | undefined): string {
  const supported = isObject(data) ? (arrayMember(data, 'supported') ?? []) : [];
  const named = supported
    .slice(0, MOST_VERSIONS)
    .map((version) => (typeof version === 'string' ? display(version, 32) : '?'));
  return `the server does not speak ${REVISION}; it speaks ${named.length === 0 ? 'nothing that it names' : named.join(', ')}`;
}

async function findOtherEra(send: (asking: Asking) => Promise<Contact>): Promise<string | undefined> {
  const { outcome } = await send(initialize(NEWEST_LEGACY));
  const version = outcome.kind === 'complete' ? stringMember(outcome.result, 'protocolVersion') : undefined;
  if (version === undefined) return undefined;
  return `the server speaks an earlier revision (${display(version, 32)}), which begins with initialize; ${REVISION} is checked here`;
}

/** A server of the revision without server/discover is one all the same, and breaks a rule. */
async function findTools(
  outcome: Outcome,
  send: (asking: Asking) => Promise<Contact>,
  record: RecordedExchange,
): Promise<string | undefined> {
  if (outcome.kind === 'error' && outcome.error.code === METHOD_NOT_FOUND) {
    const lists = await send(ask(METHOD_TOOLS_LIST));
    if (lists.outcome.kind === 'complete' && arrayMember(lists.outcome.result, 'tools') !== undefined)
      return undefined;
  }
  return `what answers is no MCP server of ${REVISION}: ${whatItIs(outcome, record)}`;
}

function whatItIs(outcome: Outcome, { status = 0, headers }: RecordedExchange): string {
  const type = parseMediaType(headers.one('content-type') ?? '')?.type;
  if (type === 'text/html') return `it serves a web page (${status})`;
  if (outcome.kind === 'unanswered' && outcome.fault !== undefined)
    return `of its answer it must be said that ${FAULT_WORDS[outcome.fault]}`;
  if (outcome.kind === 'http') return `it answers ${status} without a JSON-RPC message`;
  if (outcome.kind === 'error') return `it answers server/discover with an error of another protocol`;
  return 'its answer to server/discover is none';
}
