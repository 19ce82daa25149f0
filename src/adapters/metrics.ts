import { collectDefaultMetrics, type Registry } from 'prom-client';
import type { LimitName, Observer } from '../engine/observer.js';
import { type GatewayPlan, sealsEphemerally } from '../engine/plan.js';
import type { RoutePolicy } from '../engine/policy.js';
import type { Health } from './health.js';
import { createInstruments, type Instruments } from './metrics-instruments.js';
import { LIMITS } from './metrics-labels.js';
import { RouteSeries } from './metrics-route.js';

export interface MetricsOptions {
  /** Holds one gateway's metrics; prom-client's default process metrics are added unless it has them already. */
  readonly registry: Registry;
  readonly health: Health;
  readonly build: { readonly version: string; readonly revision: string };
}

export interface Metrics {
  readonly observer: Observer;
  /** A configuration came into force. Series of new routes start at 0; gauges of routes that are gone leave. */
  applyPlan(plan: GatewayPlan, at: Date): void;
  reloadFailed(): void;
}

const LIMIT_NAMES = Object.keys(LIMITS) as readonly LimitName[];

export function createMetrics({ registry, health, build }: MetricsOptions): Metrics {
  const instruments = createInstruments(registry, health);
  if (registry.getSingleMetric('process_cpu_seconds_total') === undefined) {
    collectDefaultMetrics({ register: registry });
  }
  instruments.buildInfo.set({ version: build.version, revision: build.revision }, 1);
  for (const limit of LIMIT_NAMES) instruments.limitRejections.inc({ limit }, 0);

  const routes = new Map<string, RouteSeries>();
  const series = ({ name }: RoutePolicy): RouteSeries => {
    const known = routes.get(name) ?? new RouteSeries(instruments, name);
    routes.set(name, known);
    return known;
  };
  return {
    observer: observe(instruments, series),
    applyPlan: (plan, at) => {
      const kept = new Set(plan.routes.map(({ policy }) => policy.name));
      for (const [name, route] of routes) if (!kept.has(name)) route.retire();
      for (const { policy } of plan.routes) series(policy).initialise(policy);
      for (const limit of LIMIT_NAMES) instruments.limit.set({ limit }, plan.limits[limit]);
      instruments.sealKeyEphemeral.set(sealsEphemerally(plan) ? 1 : 0);
      instruments.reloadSuccessful.set(1);
      instruments.reloadSuccessTimestamp.set(at.getTime() / 1000);
    },
    reloadFailed: () => instruments.reloadSuccessful.set(0),
  };
}

function observe(instruments: Instruments, series: (route: RoutePolicy) => RouteSeries): Observer {
  const buffered = instruments.bufferedBytes.series({});
  return {
    decided: ({ name }, _exchange, stage, { findings }) => {
      for (const { rule, severity } of findings) {
        instruments.findings.inc({ route: name, stage, rule: rule.id, severity });
      }
    },
    began: (route) => series(route).began(),
    ended: (summary) => series(summary.route).ended(summary),
    rewrote: ({ name }, rewrite) => instruments.rewrites.inc({ route: name, rewrite }),
    inputRequested: ({ name }, kind) => instruments.inputRequests.inc({ route: name, kind }),
    inputAnswered: ({ name }, action) => instruments.inputResponses.inc({ route: name, action }),
    stateIssued: ({ name }) => instruments.statesIssued.inc({ route: name }),
    stateReceived: ({ name }, verdict) => instruments.statesReceived.inc({ route: name, verdict }),
    answeredAfter: ({ name }, kind, action, seconds) =>
      instruments.answerDelay.series({ route: name, kind, action }).observe(seconds),
    operationEnded: ({ name }, rounds) => instruments.operationRounds.series({ route: name }).observe(rounds),
    callerDenied: ({ name }, denial) => instruments.callersDenied.inc({ route: name, denial }),
    streamOpened: (route) => series(route).streamOpened(),
    streamClosed: (route) => series(route).streamClosed(),
    upstreamFailed: ({ name }, reason) => instruments.upstreamErrors.inc({ route: name, reason }),
    // The gauge upstream_up is read from health.
    upstreamAnswered: () => {},
    limitRejected: (limit) => instruments.limitRejections.inc({ limit }),
    buffered: (delta) => {
      buffered.value += delta;
    },
  };
}
