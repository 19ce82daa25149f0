/** What all exchanges under one configuration share: the plan, the ways to the upstreams, the counts against limits. */
import type { Capture } from '../engine/capture.js';
import type { Observer } from '../engine/observer.js';
import type { GatewayPlan, RoutePlan } from '../engine/plan.js';
import type { RoutePolicy } from '../engine/policy.js';
import type { StateSealer } from '../engine/state.js';
import type { BudgetPool } from './budget.js';
import { Forwarder } from './forward.js';
import { Identification } from './identify.js';
import { Passer } from './passer.js';
import { PathTable } from './paths.js';
import { Roster } from './roster.js';
import type { SpentStores } from './spent.js';
import { States } from './states.js';
import { Tracing } from './trace.js';

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

/** One exchange's place among those that may run at once: among the exchanges, and once it has become one, the streams. */
export class Slot {
  #place: 'exchange' | 'stream' | undefined;

  constructor(
    readonly service: Service,
    readonly route: RoutePolicy,
  ) {}

  enterExchange(): boolean {
    const { admission, plan } = this.service;
    if (!admission.enterExchange(plan.limits.exchanges)) return false;
    this.#place = 'exchange';
    return true;
  }

  becomeStream(): boolean {
    const { admission, plan, observer } = this.service;
    if (!admission.enterStream(plan.limits.streams)) return false;
    admission.leaveExchange();
    this.#place = 'stream';
    observer.streamOpened(this.route);
    return true;
  }

  leave(): void {
    const { admission, observer } = this.service;
    if (this.#place === 'exchange') admission.leaveExchange();
    if (this.#place === 'stream') {
      admission.leaveStream();
      observer.streamClosed(this.route);
    }
    this.#place = undefined;
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
  readonly trustParsedBody: boolean;
  readonly logError: (error: unknown) => void;
  /** Seals where no key is configured. */
  readonly ownSealer: StateSealer;
  readonly spent: SpentStores;
  readonly capture: Capture | undefined;
}

export class Service implements Omit<Shared, 'ownSealer' | 'spent'> {
  readonly observer: Observer;
  readonly admission: Admission;
  readonly budget: BudgetPool;
  readonly trustParsedBody: boolean;
  readonly logError: (error: unknown) => void;
  readonly capture: Capture | undefined;
  readonly paths: PathTable;
  readonly states: States;
  readonly identification: Identification;
  readonly tracing: Tracing;
  readonly #forwarders = new Map<RoutePlan, Forwarder>();
  readonly #passers = new Map<RoutePlan, Passer>();
  readonly #running = new Roster<Open>();
  readonly #waiting: (() => void)[] = [];
  #draining = false;

  constructor(
    readonly plan: GatewayPlan,
    shared: Shared,
  ) {
    this.observer = shared.observer;
    this.admission = shared.admission;
    this.budget = shared.budget;
    this.trustParsedBody = shared.trustParsedBody;
    this.logError = shared.logError;
    this.capture = shared.capture;
    this.paths = new PathTable(plan);
    this.states = new States(plan, shared.ownSealer, shared.spent.open(plan), shared.observer);
    this.tracing = new Tracing(shared.logError);
    this.identification = new Identification(plan.routes);
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

  /** Returns the place to leave by. */
  enter(exchange: Open): number {
    const place = this.#running.enter(exchange);
    if (this.#draining) exchange.closeGracefully();
    return place;
  }

  leave(place: number, exchange: Open): void {
    this.#running.leave(place, exchange);
    if (this.#running.size === 0 && this.#waiting.length > 0)
      for (const tell of this.#waiting.splice(0)) tell();
  }

  /** Ends subscriptions, those too that come from now on. Resolves when no exchange is left. */
  drain(): Promise<void> {
    this.#draining = true;
    for (const exchange of this.#running.present()) exchange.closeGracefully();
    return this.#lastLeft();
  }

  /** Another configuration has come into force: connections close after the last exchange under this one. */
  async retire(): Promise<void> {
    await this.#lastLeft();
    await Promise.all([...this.#forwarders.values()].map((forwarder) => forwarder.close()));
    this.#closePassers();
  }

  /** Cuts whatever still runs. */
  async destroy(): Promise<void> {
    await Promise.all([...this.#forwarders.values()].map((forwarder) => forwarder.destroy()));
    this.#closePassers();
  }

  #lastLeft(): Promise<void> {
    if (this.#running.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #closePassers(): void {
    for (const passer of this.#passers.values()) passer.close();
  }
}

function ofRoute<T>(table: ReadonlyMap<RoutePlan, T>, route: RoutePlan): T {
  const found = table.get(route);
  if (found === undefined) throw new Error('a route that is not of this plan');
  return found;
}
