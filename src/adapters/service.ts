/** What all exchanges under one configuration share: the plan, the ways to the upstreams, the counts against limits. */
import type { Observer } from '../engine/observer.js';
import type { GatewayPlan, RoutePlan } from '../engine/plan.js';
import type { BudgetPool } from './budget.js';
import { Forwarder } from './forward.js';
import type { Passer } from './passer.js';
import { PathTable } from './paths.js';

/** Counts of what is open, across configurations: a reload does not forget what still runs. */
export class Admission {
  #exchanges = 0;
  #streams = 0;

  constructor(readonly observer: Observer) {}

  enterExchange(limit: number): boolean {
    if (this.#exchanges >= limit) return this.#full('exchanges');
    this.#exchanges += 1;
    return true;
  }

  leaveExchange(): void {
    this.#exchanges -= 1;
  }

  enterStream(limit: number): boolean {
    if (this.#streams >= limit) return this.#full('streams');
    this.#streams += 1;
    return true;
  }

  leaveStream(): void {
    this.#streams -= 1;
  }

  #full(limit: 'exchanges' | 'streams'): false {
    this.observer.limitRejected(limit);
    return false;
  }
}

/** An exchange that shutdown may have to end. */
export interface Open {
  closeGracefully(): void;
}

export interface Shared {
  readonly observer: Observer;
  readonly admission: Admission;
  readonly budget: BudgetPool;
  /** Every exchange that has begun and not ended. */
  readonly open: Set<Open>;
  readonly trustParsedBody: boolean;
  readonly logError: (error: unknown) => void;
}

export class Service implements Shared {
  readonly observer: Observer;
  readonly admission: Admission;
  readonly budget: BudgetPool;
  readonly open: Set<Open>;
  readonly trustParsedBody: boolean;
  readonly logError: (error: unknown) => void;
  readonly paths: PathTable;
  readonly #forwarders = new Map<RoutePlan, Forwarder>();
  readonly #passers = new Map<RoutePlan, Passer>();

  constructor(
    readonly plan: GatewayPlan,
    shared: Shared,
  ) {
    this.observer = shared.observer;
    this.admission = shared.admission;
    this.budget = shared.budget;
    this.open = shared.open;
    this.trustParsedBody = shared.trustParsedBody;
    this.logError = shared.logError;
    this.paths = new PathTable(plan);
    for (const route of plan.routes) {
      this.#forwarders.set(route, new Forwarder(route.upstream, plan.timeouts));
      this.#passers.set(route, new Passer(route.upstream, plan.timeouts.bodyIdleMs));
    }
  }

  forwarder(route: RoutePlan): Forwarder {
    return ofRoute(this.#forwarders, route);
  }

  passer(route: RoutePlan): Passer {
    return ofRoute(this.#passers, route);
  }

  /** Resolves when the last exchange on the old pools has ended. */
  async close(): Promise<void> {
    await Promise.all([...this.#forwarders.values()].map((forwarder) => forwarder.close()));
    for (const passer of this.#passers.values()) passer.close();
  }

  async destroy(): Promise<void> {
    await Promise.all([...this.#forwarders.values()].map((forwarder) => forwarder.destroy()));
    for (const passer of this.#passers.values()) passer.close();
  }
}

function ofRoute<T>(table: ReadonlyMap<RoutePlan, T>, route: RoutePlan): T {
  const found = table.get(route);
  if (found === undefined) throw new Error('a route that is not of this plan');
  return found;
}
