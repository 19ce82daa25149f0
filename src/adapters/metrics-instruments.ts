import { Counter, Gauge, type Registry } from 'prom-client';
import type { Health } from './health.js';
import { Count } from './metrics-count.js';
import { type Declaration, METRICS, PREFIX } from './metrics-declarations.js';
import { Distribution } from './metrics-distribution.js';
import type { LabelName } from './metrics-labels.js';

export type Instruments = ReturnType<typeof createInstruments>;

/** The declared metrics as prom-client's, registered in `registry` and nowhere else; what health knows is read at each scrape. */
export function createInstruments(registry: Registry, health: Health) {
  const settings = <L extends LabelName>({ name, help, labels }: Declaration<L>) => ({
    name: PREFIX + name,
    help,
    labelNames: labels,
    registers: [registry],
  });
  const counter = <L extends LabelName>(declared: Declaration<L>) => new Counter<L>(settings(declared));
  const gauge = <L extends LabelName>(declared: Declaration<L>, read?: (gauge: Gauge<L>) => void) =>
    new Gauge<L>({
      ...settings(declared),
      ...(read && {
        collect() {
          read(this);
        },
      }),
    });
  const count = <L extends LabelName>(type: 'counter' | 'gauge', declared: Declaration<L>) =>
    new Count<L>({ type, ...settings(declared) });
  const histogram = <L extends LabelName>(
    declared: Declaration<L> & { readonly buckets: readonly number[] },
  ) => new Distribution<L>({ ...settings(declared), buckets: declared.buckets });
  return {
    exchanges: count('counter', METRICS.exchanges),
    exchangeDuration: histogram(METRICS.exchangeDuration),
    upstreamDuration: histogram(METRICS.upstreamDuration),
    policyDuration: histogram(METRICS.policyDuration),
    findings: counter(METRICS.findings),
    rewrites: counter(METRICS.rewrites),
    inputRequests: counter(METRICS.inputRequests),
    inputResponses: counter(METRICS.inputResponses),
    statesIssued: counter(METRICS.statesIssued),
    statesReceived: counter(METRICS.statesReceived),
    operationRounds: histogram(METRICS.operationRounds),
    answerDelay: histogram(METRICS.answerDelay),
    callersDenied: counter(METRICS.callersDenied),
    sealKeyEphemeral: gauge(METRICS.sealKeyEphemeral),
    exchangesInFlight: count('gauge', METRICS.exchangesInFlight),
    streamsOpen: count('gauge', METRICS.streamsOpen),
    bufferedBytes: count('gauge', METRICS.bufferedBytes),
    limit: gauge(METRICS.limit),
    limitRejections: counter(METRICS.limitRejections),
    upstreamUp: gauge(METRICS.upstreamUp, (up) => readUpstreams(up, health)),
    upstreamErrors: counter(METRICS.upstreamErrors),
    ready: gauge(METRICS.ready, (ready) => ready.set(health.readiness().ready ? 1 : 0)),
    reloadSuccessful: gauge(METRICS.reloadSuccessful),
    reloadSuccessTimestamp: gauge(METRICS.reloadSuccessTimestamp),
    buildInfo: gauge(METRICS.buildInfo),
  };
}

function readUpstreams(up: Gauge<'route'>, health: Health): void {
  up.reset();
  for (const [route, state] of Object.entries(health.readiness().upstreams)) {
    if (state !== 'unknown') up.set({ route }, state === 'up' ? 1 : 0);
  }
}
