/** Runs an example along the straight line, without HTTP: what is refused, by which rule, and what else is broken. */
import { readBody } from '../client/reading.js';
import { buildRequest, JSON_TYPE, type Outgoing } from '../client/request.js';
import { compile } from '../config/compile.js';
import { loadObject } from '../config/load.js';
import { evaluate } from '../engine/evaluate.js';
import type { Exchange } from '../engine/exchange.js';
import type { GatewayPlan } from '../engine/plan.js';
import type { RoutePolicy } from '../engine/policy.js';
import { outboundInput, type Received } from '../engine/received.js';
import { type Refusal, refusalOf } from '../engine/refusal.js';
import type { ActiveRule, Finding, InputOf, Stage } from '../engine/rule.js';
import { askedInputs } from '../protocol/asked.js';
import { readCapabilities } from '../protocol/capabilities.js';
import { JSON_RPC_VERSION, METHOD_TOOLS_CALL } from '../protocol/constants.js';
import { HeaderFields } from '../protocol/headers.js';
import { readInputRequests } from '../protocol/input-requests.js';
import { isLegacy } from '../protocol/legacy.js';
import { type JsonObject, readServerMessage } from '../protocol/messages.js';
import { type Reading, readRequest, readResponse } from '../protocol/reading.js';
import { clientMessageOf, faultReading, idOf } from '../protocol/received.js';
import type { AnswerExample, Example, Explanation, RequestExample } from './example.js';

export interface Judged {
  /** Ids of all rules that find something, also of those after the first. */
  readonly broken: readonly string[];
  /** The first finding of a rule that is enforced. */
  readonly finding: Finding | undefined;
  /** Undefined when nothing is refused, or when the event is dropped. */
  readonly refusal: Refusal | undefined;
}

const UPSTREAM = 'http://127.0.0.1:9718/mcp';
const HOST = '127.0.0.1:9719';
const CLIENT = { name: 'ExampleClient', version: '1.0.0' };
const CALL_PARAMS = { name: 'read_log', arguments: {} };

/** The plan that a rule's examples are judged under: the rule enforced, states relayed unless it is about them. */
export function planFor(id: string, locked: boolean, { route, config }: Explanation): GatewayPlan {
  const rules = locked ? {} : { [id]: 'enforce' };
  const state = route?.profile === 'ze' ? {} : { requestState: 'relay' };
  const routes = [{ path: '/mcp', upstream: UPSTREAM, ...state, ...route, rules }];
  return compile(loadObject({ ...config, routes }).config);
}

export function requestOf({
  method = METHOD_TOOLS_CALL,
  params,
  body,
  ...options
}: RequestExample = {}): Outgoing {
  const own = params ?? (method === METHOD_TOOLS_CALL ? CALL_PARAMS : {});
  const { capabilities = {}, ...more } = options;
  const envelope = { id: 1, capabilities, clientInfo: CLIENT, headers: { Host: HOST } };
  const built = buildRequest(method, own, envelope, more);
  return body === undefined ? built : { ...built, body: Buffer.from(body) };
}

export function judge(example: Example, plan: GatewayPlan): Judged {
  const policy = (plan.routes[0] as GatewayPlan['routes'][number]).policy;
  const outgoing = requestOf(example.request);
  const headers = new HeaderFields(outgoing.headers.flat());
  const reading = readWithin(outgoing.body, plan.limits.requestBytes);
  const line = new Line(policy, reading);
  const head = { httpMethod: 'POST', headers, origins: plan.origins, carriesMessage: true };
  if (line.stops('admit', head) || line.stops('parse', { reading, legacy: false })) return line.judged();
  const exchange = learn(example, policy, headers, reading);
  line.exchange = exchange;
  if (line.stops('inbound', exchange) || example.answer === undefined) return line.judged();
  line.stops('outbound', outboundInput(exchange, receivedOf(example.answer, exchange)));
  return line.judged();
}

class Line {
  readonly #policy: RoutePolicy;
  readonly #reading: Reading;
  readonly #broken: string[] = [];
  #finding: Finding | undefined;
  exchange: Exchange | undefined;

  constructor(policy: RoutePolicy, reading: Reading) {
    this.#policy = policy;
    this.#reading = reading;
  }

  stops<S extends Stage>(stage: S, input: InputOf[S]): boolean {
    const rules = this.#policy.rules[stage] as unknown as readonly ActiveRule<S>[];
    const all = rules.map(({ rule }) => ({ rule, severity: 'report' as const }));
    this.#broken.push(...evaluate(all, input).findings.map(({ rule }) => rule.id));
    this.#finding = evaluate(rules, input).refusal;
    return this.#finding !== undefined;
  }

  judged(): Judged {
    const finding = this.#finding;
    const refusal = finding && this.#refusalOf(finding);
    return { broken: this.#broken, finding, refusal };
  }

  #refusalOf(finding: Finding): Refusal | undefined {
    const { rule, violation } = finding;
    if (rule.remedy === 'drop' || violation.remedy === 'drop') return undefined;
    // What admit refuses is refused before its body is read.
    const id = rule.stage === 'admit' ? undefined : idOf(this.#reading);
    return refusalOf(finding, rule.remedy.refuse, { id, policy: this.#policy, exchange: this.exchange });
  }
}

function readWithin(body: Buffer, maxBytes: number): Reading {
  return body.length > maxBytes ? faultReading('too-large') : readRequest(body);
}

function learn(
  { sealedFor }: Example,
  policy: RoutePolicy,
  headers: HeaderFields,
  reading: Reading,
): Exchange {
  const message = clientMessageOf(reading);
  const now = 0;
  const state = sealedFor === undefined ? undefined : openedState(sealedFor, policy, now);
  const facts = { now, principal: undefined, state };
  const capabilities = readCapabilities(message.meta);
  return { policy, headers, message, capabilities, legacy: isLegacy(message, headers), facts };
}

/** As if the state had been sealed for this retry. */
function openedState(
  inputRequests: JsonObject,
  { name }: RoutePolicy,
  now: number,
): Exchange['facts']['state'] {
  const envelope = { jsonrpc: JSON_RPC_VERSION, id: 0, result: { inputRequests } };
  const asked = askedInputs(readInputRequests(readServerMessage(envelope, () => '0')));
  const bound = { route: name, method: METHOD_TOOLS_CALL, target: 'book_table', principal: '', params: '' };
  const times = { issuedAt: now, firstAt: now, expiresAt: now + 1, round: 1 };
  return {
    verdict: 'accepted',
    serial: '',
    token: { ...bound, ...times, answered: '0', asked, inner: undefined },
  };
}

/** The answer's message as JSON text, with the request's id where it has one. */
export function answerText({ body, message, result, error }: AnswerExample): string {
  if (body !== undefined) return body;
  const own = result === undefined ? { error } : { result };
  return JSON.stringify(message ?? { jsonrpc: JSON_RPC_VERSION, id: 1, ...own });
}

function receivedOf(answer: AnswerExample, { message }: Exchange): Received {
  const { status = 200, type = JSON_TYPE, event } = answer;
  const bytes = Buffer.from(answerText(answer));
  const head = { status, headers: new HeaderFields(['content-type', type]) };
  const reading = event === undefined ? readBody(head, bytes, message.id) : readResponse(bytes);
  return { reading, status, stream: event !== undefined, acknowledged: event !== 'first' };
}
