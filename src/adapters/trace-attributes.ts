/** What spans say, by the OpenTelemetry conventions for MCP: names from closed sets or bounded, and never a value. */
import type { Attributes } from '@opentelemetry/api';
import type { Exchange } from '../engine/exchange.js';
import type { ExchangeSummary } from '../engine/observer.js';
import type { Upstream } from '../engine/plan.js';
import type { Finding } from '../engine/rule.js';
import { boundedText } from '../protocol/bounded-text.js';
import {
  HEADER_PROTOCOL_VERSION,
  LEGACY_VERSIONS,
  METHOD_PROMPTS_GET,
  METHOD_RESOURCES_READ,
  METHOD_TOOLS_CALL,
  REVISION,
} from '../protocol/constants.js';
import { REFUSALS } from '../protocol/errors.js';
import { declaredVersion } from '../protocol/legacy.js';
import { methodLabel } from '../protocol/method-label.js';
import { shownTarget } from '../protocol/shown-target.js';

const MAX_TEXT = 128;
const UNKNOWN_ERROR = '_OTHER';
const NETWORK: Attributes = {
  'network.protocol.name': 'http',
  'network.protocol.version': '1.1',
  'network.transport': 'tcp',
};
const TARGETS: ReadonlyMap<string, string> = new Map([
  [METHOD_TOOLS_CALL, 'gen_ai.tool.name'],
  [METHOD_PROMPTS_GET, 'gen_ai.prompt.name'],
  [METHOD_RESOURCES_READ, 'mcp.resource.uri'],
]);

/** The method, and the tool or prompt that it is about; URIs are too many to name spans by. */
export function spanName({ message }: Exchange): string {
  const target = message.method === METHOD_RESOURCES_READ ? undefined : targetOf(message);
  return target === undefined ? methodLabel(message.method) : `${message.method} ${target}`;
}

export function messageAttributes({ message, headers, policy }: Exchange): Attributes {
  const { method, id, meta } = message;
  const attributes: Attributes = {
    'mcp.method.name': methodLabel(method),
    ...NETWORK,
    'mrtr_gateway.route': policy.name,
  };
  const target = targetOf(message);
  const key = TARGETS.get(method);
  if (key !== undefined && target !== undefined) attributes[key] = target;
  if (method === METHOD_TOOLS_CALL) attributes['gen_ai.operation.name'] = 'execute_tool';
  if (id !== undefined) attributes['jsonrpc.request.id'] = boundedText(String(id.value), MAX_TEXT);
  const version = declaredVersion(meta) ?? headers.one(HEADER_PROTOCOL_VERSION);
  if (version === REVISION || LEGACY_VERSIONS.has(version ?? ''))
    attributes['mcp.protocol.version'] = version;
  return attributes;
}

export function upstreamAttributes({ url }: Upstream): Attributes {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  return { 'server.address': url.hostname, 'server.port': port };
}

/** Of an exchange that was refused before its message was read: HTTP is all that is known of it. */
export function unreadAttributes({ route, status }: ExchangeSummary): Attributes {
  return {
    'http.request.method': 'POST',
    'http.route': route.path,
    'http.response.status_code': status,
    'mrtr_gateway.route': route.name,
  };
}

/** How an exchange ended. `description` is a fixed sentence of the gateway's own. */
export interface Ending {
  readonly attributes: Attributes;
  readonly failed: boolean;
  readonly description: string | undefined;
}

export function serverEnding(summary: ExchangeSummary): Ending {
  const refusal = refusalIn(summary);
  const reported = summary.decisions.flatMap(({ decision }) => decision.findings).filter(isReported);
  const attributes: Attributes = { 'mrtr_gateway.outcome': summary.outcome };
  if (refusal !== undefined) attributes['mrtr_gateway.rule'] = refusal.rule.id;
  if (reported.length > 0)
    attributes['mrtr_gateway.reported'] = [...new Set(reported.map(({ rule }) => rule.id))];
  return withError(attributes, errorSent(summary, refusal), refusal?.violation.message);
}

/** The same of the exchange with the upstream: what it answered, not what became of that. */
export function clientEnding({ outcome, failure, errorCode, decisions }: ExchangeSummary): Ending {
  if (outcome === 'tool_error' || outcome === 'client_gone') return withError({}, outcome);
  if (outcome === 'rpc_error') return withError({}, errorCode ?? UNKNOWN_ERROR);
  if (outcome === 'upstream_failed') return withError({}, failure ?? UNKNOWN_ERROR);
  const refused = decisions.some(
    ({ stage, decision }) => stage === 'outbound' && decision.refusal !== undefined,
  );
  return withError({}, refused ? errorCode : undefined);
}

/** The error that the client got: a code, or what else it is called; undefined when it got none. */
function errorSent(
  { outcome, status, errorCode }: ExchangeSummary,
  refusal: Finding | undefined,
): number | string | undefined {
  switch (outcome) {
    case 'tool_error':
    case 'client_gone':
      return outcome;
    case 'rpc_error':
      return errorCode ?? UNKNOWN_ERROR;
    case 'refused_inbound':
    case 'refused_outbound':
    case 'upstream_failed': {
      const remedy = refusal?.rule.remedy;
      if (typeof remedy === 'object') return REFUSALS[remedy.refuse].code;
      return outcome === 'upstream_failed' ? REFUSALS.upstreamInvalid.code : String(status);
    }
    default:
      return undefined;
  }
}

function withError(attributes: Attributes, error: number | string | undefined, description?: string): Ending {
  if (error === undefined) return { attributes, failed: false, description: undefined };
  const type: Attributes = { 'error.type': String(error) };
  if (typeof error === 'number') type['rpc.response.status_code'] = String(error);
  return { attributes: { ...attributes, ...type }, failed: true, description };
}

function refusalIn({ decisions }: ExchangeSummary): Finding | undefined {
  return decisions.findLast(({ decision }) => decision.refusal !== undefined && !decision.dropped)?.decision
    .refusal;
}

function isReported({ severity }: Finding): boolean {
  return severity === 'report';
}

function targetOf(message: Exchange['message']): string | undefined {
  const target = shownTarget(message);
  return target === undefined ? undefined : boundedText(target, MAX_TEXT);
}
