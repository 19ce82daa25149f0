/** The status page's memory: what the gateway is doing, and its last decisions. Bounded, whatever the traffic. */
import type { Observer } from '../engine/observer.js';
import type { GatewayPlan } from '../engine/plan.js';
import { CLIENT_METHODS } from '../protocol/constants.js';
import { OTHER_METHOD } from '../protocol/method-label.js';
import { decisionRows } from './decision.js';
import { routeFacts, ruleFacts } from './facts.js';
import { Minutes } from './minutes.js';
import { Ring } from './ring.js';
import type { DecisionRow, Live, RouteFacts, RouteLive, RuleFacts, Snapshot } from './snapshot.js';
import { RouteTraffic, RuleTally } from './traffic.js';

export const KEPT_DECISIONS = 200;
const KEPT_MINUTES = 30;

export interface StatusOptions {
  readonly build: Snapshot['build'];
  readonly readiness: () => {
    readonly ready: boolean;
    readonly draining: boolean;
    readonly upstreams: Readonly<Record<string, RouteLive['upstream']>>;
  };
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

export class Status {
  readonly observer: Partial<Observer>;
  /** Called whenever what `live` or `decisionsSince` tells has changed; `plan` is true when routes or rules have. */
  changed: ((plan: boolean) => void) | undefined;
  readonly #startedAt: string;
  readonly #now: () => number;
  readonly #decisions = new Ring<DecisionRow>(KEPT_DECISIONS);
  readonly #rulesFound = new RuleTally();
  readonly #all = new RouteTraffic();
  readonly #counts = { refused: 0, dropped: 0, reported: 0 };
  readonly #exchangesByMinute: Minutes;
  readonly #refusedByMinute: Minutes;
  #traffic = new Map<string, RouteTraffic>();
  #routes: readonly RouteFacts[] = [];
  #rules: readonly RuleFacts[] = [];
  #seq = 0;

  constructor(readonly options: StatusOptions) {
    this.#now = options.now ?? Date.now;
    const now = this.#now();
    this.#startedAt = new Date(now).toISOString();
    this.#exchangesByMinute = new Minutes(KEPT_MINUTES, now);
    this.#refusedByMinute = new Minutes(KEPT_MINUTES, now);
    this.observer = this.#observe();
  }

  /** A configuration came into force; a route that stays keeps its counts. */
  applyPlan(plan: GatewayPlan): void {
    this.#routes = plan.routes.map(routeFacts);
    this.#rules = ruleFacts(plan);
    const known = this.#traffic;
    this.#traffic = new Map(this.#routes.map(({ name }) => [name, known.get(name) ?? new RouteTraffic()]));
    this.changed?.(true);
  }

  /** The gateway became ready, or began to drain. */
  readinessChanged(): void {
    this.changed?.(false);
  }

  /** Number of the newest decision. */
  get seq(): number {
    return this.#seq;
  }

  snapshot(): Snapshot {
    return {
      build: this.options.build,
      startedAt: this.#startedAt,
      routes: this.#routes,
      rules: this.#rules,
      methods: [...CLIENT_METHODS, OTHER_METHOD],
      live: this.live(),
      decisions: this.#decisions.newest(),
    };
  }

  live(): Live {
    const now = this.#now();
    const { ready, draining, upstreams } = this.options.readiness();
    const { exchanges, inFlight } = this.#all;
    const states = new Map(Object.entries(upstreams));
    return {
      at: new Date(now).toISOString(),
      state: draining ? 'draining' : ready ? 'ready' : 'starting',
      totals: { exchanges, inFlight, ...this.#counts },
      minutes: {
        exchanges: this.#exchangesByMinute.read(now),
        refused: this.#refusedByMinute.read(now),
      },
      routes: [...this.#traffic].map(([name, route]) => route.read(name, states.get(name) ?? 'unknown')),
      counts: this.#rulesFound.read(),
    };
  }

  /** Newest first; at most as many as are kept. */
  decisionsSince(seq: number): readonly DecisionRow[] {
    return this.#decisions.newest((row) => row.seq > seq);
  }

  #observe(): Partial<Observer> {
    return {
      decided: ({ name: route }, exchange, stage, decision) => {
        const now = this.#now();
        const at = new Date(now).toISOString();
        const nextSeq = () => ++this.#seq;
        for (const row of decisionRows({ route, exchange, stage, decision, at }, nextSeq))
          this.#keep(row, now);
        this.changed?.(false);
      },
      began: ({ name }) => this.#told(name, (traffic) => traffic.began()),
      ended: ({ route: { name } }) => {
        this.#exchangesByMinute.add(this.#now());
        this.#told(name, (traffic) => traffic.ended());
      },
      streamOpened: ({ name }) => this.#told(name, (traffic) => traffic.streamOpened()),
      streamClosed: ({ name }) => this.#told(name, (traffic) => traffic.streamClosed()),
      upstreamFailed: ({ name }, reason) => {
        this.#traffic.get(name)?.failed(reason, this.#now());
        this.changed?.(false);
      },
      upstreamAnswered: () => this.changed?.(false),
    };
  }

  #keep(row: DecisionRow, now: number): void {
    this.#decisions.push(row);
    this.#rulesFound.add(row.rule, row.what);
    this.#counts[row.what] += 1;
    if (row.what !== 'refused') return;
    this.#refusedByMinute.add(now);
    this.#told(row.route, (traffic) => traffic.refusedOne());
  }

  #told(route: string, tell: (traffic: RouteTraffic) => void): void {
    tell(this.#all);
    const own = this.#traffic.get(route);
    if (own !== undefined) tell(own);
    this.changed?.(false);
  }
}
