/** What a gateway with this policy would have made of a recorded exchange. */
import { evaluate } from '../engine/evaluate.js';
import type { Exchange, OriginPolicy } from '../engine/exchange.js';
import type { RoutePolicy } from '../engine/policy.js';
import { recallExchange } from '../engine/recall.js';
import { isNoMessage, outboundInput, type Received } from '../engine/received.js';
import type { ActiveRule, Decision, RuleCard, Stage } from '../engine/rule.js';
import { MRTR_METHODS } from '../protocol/constants.js';
import { isLegacyHead } from '../protocol/legacy.js';
import { type ClientMessage, stringMember } from '../protocol/messages.js';
import { clientMessageOf } from '../protocol/received.js';
import { resultOf } from '../protocol/results.js';
import { originAllowed } from '../rules/admit/origin-allowed.js';
import { requestStateAccepted } from '../rules/inbound/request-state-accepted.js';
import type { Recording } from './recording.js';
import type { SeenStates } from './states.js';

/** `refused`: the exchange ends with it. `dropped`: one message of a stream goes. `reported`: nothing changes. */
export type Effect = 'refused' | 'dropped' | 'reported';

export interface JudgedFinding {
  readonly rule: RuleCard;
  readonly stage: Stage;
  readonly effect: Effect;
  readonly at: string;
  readonly message: string;
}

export interface Judgement {
  readonly findings: readonly JudgedFinding[];
  /** The requestState could not be judged: whether it would open only its gateway knows. */
  readonly stateUnknown: boolean;
}

/** Which hosts and origins are let in belongs to a listener, and the recording may be of another. */
const ANY_ORIGIN: OriginPolicy = { loopback: true, origins: new Set(), hosts: new Set(), checkHost: false };

export function judgeRecording(recording: Recording, policy: RoutePolicy, states: SeenStates): Judgement {
  const judging = new Judging(recording, policy, states);
  judging.run();
  return judging;
}

class Judging implements Judgement {
  readonly findings: JudgedFinding[] = [];
  stateUnknown = false;

  constructor(
    readonly recording: Recording,
    readonly policy: RoutePolicy,
    readonly states: SeenStates,
  ) {}

  run(): void {
    const { headers, httpMethod, asked } = this.recording;
    const { rules } = this.policy;
    const carriesMessage = httpMethod === 'POST';
    const admit = rules.admit.filter(({ rule }) => rule.id !== originAllowed.id);
    const head = { httpMethod, headers, origins: ANY_ORIGIN, carriesMessage };
    if (this.#refuses('admit', evaluate(admit, head))) return;
    if (asked === undefined) return;
    const legacy = this.policy.legacy === 'pass' && isLegacyHead(headers);
    if (carriesMessage && this.#refuses('parse', evaluate(rules.parse, { reading: asked, legacy }))) return;
    const exchange = this.#learn();
    if (carriesMessage && this.#refuses('inbound', evaluate(this.#inboundRules(exchange), exchange))) return;
    // Whatever a notification is answered with becomes a 202 without body.
    const { status = 0, heard = [] } = this.recording.answer ?? {};
    if (carriesMessage && exchange.message.id === undefined && status < 300) return;
    for (const received of heard) {
      if (this.#refusesAnswer(exchange, received)) return;
    }
  }

  #learn(): Exchange {
    const { asked, headers, at: now, redacted } = this.recording;
    const reading = asked as NonNullable<typeof asked>;
    const opens = this.policy.requestState === 'seal' && !redacted;
    const state = opens ? this.states.opening(clientMessageOf(reading), this.policy.name) : undefined;
    return recallExchange(this.policy, { reading, headers, now, state });
  }

  #inboundRules({ message, facts }: Exchange): readonly ActiveRule<'inbound'>[] {
    const { rules, requestState } = this.policy;
    this.stateUnknown = requestState === 'seal' && facts.state === undefined && carriesState(message);
    return this.stateUnknown
      ? rules.inbound.filter(({ rule }) => rule.id !== requestStateAccepted.id)
      : rules.inbound;
  }

  #refusesAnswer(exchange: Exchange, received: Received): boolean {
    const input = outboundInput(exchange, received);
    if (received.stream && isNoMessage(input)) return false;
    const issued = stringMember(resultOf(input.message) ?? {}, 'requestState');
    if (issued !== undefined && !this.recording.redacted)
      this.states.issued(issued, exchange.message, input.asked);
    const decision = evaluate(this.policy.rules.outbound, input);
    const { refusal } = decision;
    const notifies = input.position === 'event' && input.message?.kind === 'notification';
    const drops = refusal !== undefined && (notifies || isDrop(refusal));
    return this.#refuses('outbound', decision, drops);
  }

  #refuses(stage: Stage, { findings, refusal }: Decision, drops = false): boolean {
    for (const finding of findings) {
      const { rule, violation } = finding;
      const ends = drops ? 'dropped' : 'refused';
      const effect = finding === refusal ? ends : 'reported';
      this.findings.push({ rule, stage, effect, at: violation.at, message: violation.message });
    }
    return refusal !== undefined && !drops;
  }
}

function carriesState({ method, params }: ClientMessage): boolean {
  return MRTR_METHODS.has(method) && stringMember(params, 'requestState') !== undefined;
}

function isDrop({ rule, violation }: Decision['findings'][number]): boolean {
  return rule.remedy === 'drop' || violation.remedy === 'drop';
}
