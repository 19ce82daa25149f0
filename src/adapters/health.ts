import type { Observer } from '../engine/observer.js';
import type { GatewayPlan } from '../engine/plan.js';

/** Known from traffic alone: the gateway sends an upstream nothing of its own. */
export type UpstreamState = 'up' | 'down' | 'unknown';

export interface Readiness {
  readonly ready: boolean;
  readonly draining: boolean;
  /** By route name. */
  readonly upstreams: Readonly<Record<string, UpstreamState>>;
}

/** The gateway's own state and what it last saw of its upstreams: for readiness, metrics and the status page. */
export interface Health {
  readonly observer: Partial<Observer>;
  /** Forgets routes that are gone; a route that stays keeps what is known of its upstream. */
  applyPlan(plan: GatewayPlan): void;
  started(): void;
  drain(): void;
  readiness(): Readiness;
}

export function createHealth(): Health {
  let started = false;
  let draining = false;
  let upstreams = new Map<string, UpstreamState>();
  const saw = (route: string, state: UpstreamState): void => {
    if (upstreams.has(route)) upstreams.set(route, state);
  };
  return {
    observer: {
      upstreamAnswered: (route) => saw(route.name, 'up'),
      // An invalid answer came from an upstream that is there.
      upstreamFailed: (route, reason) => {
        if (reason !== 'invalid') saw(route.name, 'down');
      },
    },
    applyPlan: (plan) => {
      const known = upstreams;
      upstreams = new Map(
        plan.routes.map(({ policy: { name } }) => [name, known.get(name) ?? 'unknown'] as const),
      );
    },
    started: () => {
      started = true;
    },
    drain: () => {
      draining = true;
    },
    readiness: () => ({
      ready: started && !draining,
      draining,
      upstreams: Object.fromEntries(upstreams),
    }),
  };
}
