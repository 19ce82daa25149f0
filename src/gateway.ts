/** The straight line: listen → admit → parse → inbound → forward → outbound → rewrite → reply. */
import { evaluate } from './engine/evaluate.js';
import type { AdmitInput, Exchange, OutboundInput } from './engine/exchange.js';
import type { Ledger } from './engine/ledger.js';
import { isNoMessage, outboundInput, type Received } from './engine/received.js';
import { type Refusal, refusalOf } from './engine/refusal.js';
import type { ActiveRule, Decision, Finding, InputOf, Stage } from './engine/rule.js';
import { tallyAnswer, tallyRequest } from './engine/tally.js';
import type { RefusalKey } from './protocol/errors.js';
import type { MessageId, ServerMessage } from './protocol/messages.js';
import type { Reading } from './protocol/reading.js';
import { idOf } from './protocol/received.js';
import { rewriteAnswer } from './rewrites/index.js';
import { requestStateAccepted } from './rules/inbound/request-state-accepted.js';

/** One POST on an MCP path: what the adapters bring, and what they are asked to do. */
export interface Call {
  readonly ledger: Ledger;
  readonly head: AdmitInput;
  /** A client of an earlier revision, as far as its head tells, on a route that lets those through. */
  readonly legacy: boolean;
  /** Reads the body within its limit; a request of an earlier revision may have none. */
  read(): Promise<Reading> | Reading;
  /** Gathers the facts that rules may need, and completes the exchange. */
  learn(reading: Reading): Exchange;
  /** Spends a state that opens once: the exchange as it was, or, when the state was used before, with that among its facts. */
  redeem(exchange: Exchange): Promise<Exchange>;
  /** Sends the judged bytes and replies with what `outbound` lets through. Resolves when the reply has ended. */
  forward(exchange: Exchange, reading: Reading): Promise<void>;
  refuse(refusal: Refusal): void;
}

/** What becomes of a received message; a refused notification is dropped. `text` undefined: the very bytes that came. */
export type Passage =
  | { readonly kind: 'send'; readonly message: ServerMessage | undefined; readonly text: string | undefined }
  | { readonly kind: 'refuse'; readonly refusal: Refusal }
  | { readonly kind: 'drop' };

const DROP: Passage = { kind: 'drop' };

export async function straightLine(call: Call): Promise<void> {
  const { rules } = call.ledger.route;
  if (refused(call, 'admit', rules.admit, call.head)) return;
  const reading = await call.read();
  call.ledger.capture?.asked(reading);
  if (refused(call, 'parse', rules.parse, { reading, legacy: call.legacy }, () => idOf(reading))) return;
  const exchange = call.learn(reading);
  call.ledger.exchange = exchange;
  if (refused(call, 'inbound', rules.inbound, exchange, () => exchange.message.id)) return;
  if (exchange.policy.seal?.singleUse && (await refusedAsUsed(call, exchange))) return;
  tallyRequest(call.ledger, exchange);
  await call.forward(exchange, reading);
}

/** GET streams and DELETE of earlier revisions carry no message: what comes back is judged all the same. */
export async function legacyLine(call: Call): Promise<void> {
  if (refused(call, 'admit', call.ledger.route.rules.admit, call.head)) return;
  const reading = await call.read();
  const exchange = call.learn(reading);
  call.ledger.exchange = exchange;
  await call.forward(exchange, reading);
}

/** Last of all: a retry that is refused for anything else leaves its state to be sent again. */
async function refusedAsUsed(call: Call, exchange: Exchange): Promise<boolean> {
  const redeemed = await call.redeem(exchange);
  if (redeemed === exchange) return false;
  const rules = exchange.policy.rules.inbound.filter(({ rule }) => rule.id === requestStateAccepted.id);
  return refused(call, 'inbound', rules, redeemed, () => exchange.message.id);
}

/** Judges and rewrites one message on its way out. */
export function outbound(ledger: Ledger, exchange: Exchange, received: Received): Passage {
  ledger.capture?.heard(received);
  const began = performance.now();
  try {
    const input = outboundInput(exchange, received);
    if (received.stream && isNoMessage(input)) return DROP;
    const decision = evaluate(ledger.route.rules.outbound, input);
    const dropped = dropsEvent(decision, input);
    ledger.record('outbound', dropped ? { ...decision, dropped } : decision);
    if (dropped) return DROP;
    if (decision.refusal !== undefined) return refusalPassage(ledger, input, decision.refusal);
    tallyAnswer(ledger, input);
    return { kind: 'send', message: input.message, text: rewriteAnswer(input, ledger) };
  } finally {
    ledger.judgedSince(began);
  }
}

/** A refused notification goes alone, as does what its rule drops. */
function dropsEvent({ refusal }: Decision, { position, message }: OutboundInput): boolean {
  if (refusal === undefined) return false;
  return refusalKey(refusal) === undefined || (position === 'event' && message?.kind === 'notification');
}

function refusalPassage(ledger: Ledger, { exchange }: OutboundInput, finding: Finding): Passage {
  const key = refusalKey(finding);
  if (key === undefined) return DROP;
  ledger.outcome = key === 'upstreamInvalid' ? 'upstream_failed' : 'refused_outbound';
  if (key === 'upstreamInvalid') ledger.upstreamFailed('invalid');
  const refusal = refusalOf(finding, key, { id: exchange.message.id, policy: ledger.route, exchange });
  return { kind: 'refuse', refusal };
}

function refused<S extends Stage>(
  call: Call,
  stage: S,
  rules: readonly ActiveRule<S>[],
  input: InputOf[S],
  readId: () => MessageId | undefined = () => undefined,
): boolean {
  const { ledger } = call;
  const began = performance.now();
  const decision = evaluate(rules, input);
  ledger.judgedSince(began);
  ledger.record(stage, decision);
  if (decision.refusal === undefined) return false;
  ledger.outcome = 'refused_inbound';
  const { detail } = decision.refusal.violation;
  if (detail?.kind === 'state') ledger.observer.stateReceived(ledger.route, detail.verdict);
  const key = refusalKey(decision.refusal) ?? 'invalidRequest';
  call.refuse(
    refusalOf(decision.refusal, key, { id: readId(), policy: ledger.route, exchange: ledger.exchange }),
  );
  return true;
}

/** Undefined: the finding drops the message instead of refusing the exchange. */
function refusalKey({ rule, violation }: Finding): RefusalKey | undefined {
  return rule.remedy === 'drop' || violation.remedy === 'drop' ? undefined : rule.remedy.refuse;
}
