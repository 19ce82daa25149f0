/** Sealed states of the exchanges under one configuration. */
import type { Exchange } from '../engine/exchange.js';
import type { Observer } from '../engine/observer.js';
import type { GatewayPlan } from '../engine/plan.js';
import type { RoutePolicy } from '../engine/policy.js';
import type { SpentTokens, StateSealer } from '../engine/state.js';
import type { ClientMessage } from '../protocol/messages.js';
import { type LearnedState, learnState } from '../seal/states.js';
import { Refused } from './refused.js';

/** Gateways whose clocks differ by no more than this agree on which used states can be forgotten. */
const CLOCK_MARGIN_MS = 60_000;
const NOTHING: LearnedState = { state: undefined, seal: undefined };

export interface Asking {
  readonly message: ClientMessage;
  readonly text: () => string;
  readonly binding: string;
  readonly now: number;
}

export class States {
  readonly sealer: StateSealer;
  readonly #spent: Promise<SpentTokens>;
  readonly #observer: Observer;
  /** How clients see the gateway: routes of the same name, in front of other servers, are seen elsewhere. */
  readonly #seenAt: string;

  constructor(plan: GatewayPlan, own: StateSealer, spent: Promise<SpentTokens>, observer: Observer) {
    this.sealer = plan.seal.sealer ?? own;
    this.#spent = spent;
    this.#observer = observer;
    this.#seenAt = plan.publicUrl?.href.replace(/\/+$/, '') ?? '';
  }

  learn({ name, seal }: RoutePolicy, asked: Asking): LearnedState {
    if (seal === undefined) return NOTHING;
    const { message, text, binding: principal, now } = asked;
    const route = `${name} ${this.#seenAt}`.trimEnd();
    return learnState(this.sealer, { message, text, now, route, policy: seal, principal });
  }

  /** Spends the state. Another exchange comes back when it was used before; throws Refused when that cannot be found out. */
  async redeem(exchange: Exchange): Promise<Exchange> {
    const { facts, policy } = exchange;
    if (facts.state?.verdict !== 'accepted') return exchange;
    const { serial, token } = facts.state;
    const allowed = policy.seal?.storeFailure === 'allow';
    try {
      const spent = await this.#spent;
      const forMs = token.expiresAt - facts.now + CLOCK_MARGIN_MS;
      if (await spent.spend(serial, forMs, { issuedAt: token.issuedAt, undoLate: !allowed })) return exchange;
    } catch {
      if (allowed) return exchange;
      this.#observer.stateReceived(policy, 'unavailable');
      throw new Refused(
        'unavailable',
        'whether requestState was used before cannot be found out at the moment',
      );
    }
    return { ...exchange, facts: { ...facts, state: { verdict: 'reused' } } };
  }
}
