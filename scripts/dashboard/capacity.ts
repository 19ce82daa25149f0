/** How long it takes and how much there is room for. */
import type { Panel } from './format.js';
import {
  EVERY,
  graph,
  METRICS,
  mean,
  PROCESS,
  quantile,
  quantiles,
  RISING,
  ROUTE,
  rate,
  runbook,
  spread,
  stat,
} from './queries.js';

export const LATENCY: readonly Panel[] = [
  graph('Total', 'From the request to the end of the reply.', 's', quantiles('exchange_duration_seconds'), {
    width: 8,
  }),
  graph(
    'Upstream',
    'From the request to the upstream to the end of its answer.',
    's',
    quantiles('upstream_duration_seconds'),
    { width: 8 },
  ),
  graph(
    'Policy',
    'Judging and rewriting, all stages of an exchange together.',
    's',
    quantiles('policy_duration_seconds'),
    {
      width: 8,
      links: [runbook('MrtrGatewayPolicySlow')],
    },
  ),
  graph('Total by method, p99', 'The slowest methods are usually the server’s slow tools.', 's', [
    { expr: quantile(0.99, 'exchange_duration_seconds', ', method'), legend: '{{method}}' },
  ]),
  graph(
    'Means',
    'Where an average exchange spends its time. Total less upstream and policy is reading and writing.',
    's',
    [
      { expr: mean('exchange_duration_seconds'), legend: 'total' },
      { expr: mean('upstream_duration_seconds'), legend: 'upstream' },
      { expr: mean('policy_duration_seconds'), legend: 'policy' },
    ],
  ),
];

const usage = (metric: string, limit: string): string =>
  `max(sum by (job, instance) (mrtr_gateway_${metric}{${PROCESS}}) / on (job, instance) mrtr_gateway_limit{${PROCESS},limit="${limit}"})`;

export const SATURATION: readonly Panel[] = [
  graph('Open streams by route', 'Event streams open to clients, over all replicas.', 'short', [
    { expr: `sum by (route) (mrtr_gateway_streams_open{${ROUTE}})`, legend: '{{route}}' },
  ]),
  graph(
    'Exchanges in flight by route',
    'Begun and not ended, streams among them, over all replicas.',
    'short',
    [{ expr: `sum by (route) (mrtr_gateway_exchanges_in_flight{${ROUTE}})`, legend: '{{route}}' }],
  ),
  graph(
    'Use of limits, fullest replica',
    'At 100 % new exchanges get 503.',
    'percentunit',
    [
      { expr: usage('streams_open', 'streams'), legend: 'streams' },
      { expr: usage('exchanges_in_flight', 'exchanges'), legend: 'exchanges' },
      { expr: usage('buffered_bytes', 'bufferedBytes'), legend: 'bufferedBytes' },
    ],
    { max: 1, links: [runbook('MrtrGatewayNearLimit')] },
  ),
  graph(
    'Refused at a limit',
    'Exchanges that got 503 with Retry-After.',
    'cps',
    [{ expr: `sum by (limit) (${rate('limit_rejections_total', PROCESS)})`, legend: '{{limit}}' }],
    { links: [runbook('MrtrGatewayLimitReached')] },
  ),
];

export const UPSTREAMS: readonly Panel[] = [
  {
    type: 'state-timeline',
    title: 'Upstreams',
    description:
      'Reached by at least one replica in its last exchange. The gateway sends nothing of its own: without traffic the last state stays.',
    unit: 'short',
    queries: [{ expr: `max by (route) (mrtr_gateway_upstream_up{${ROUTE}})`, legend: '{{route}}' }],
    width: 12,
    links: [runbook('MrtrGatewayUpstreamDown')],
    texts: { 0: ['down', 'red'], 1: ['up', 'green'] },
  },
  graph(
    'Upstream failures by reason',
    'connect: no connection. timeout: no answer in time. reset: broken off. invalid: not readable as MCP.',
    'cps',
    [{ expr: `sum by (reason) (${rate('upstream_errors_total', ROUTE)})`, legend: '{{reason}}' }],
    { links: [runbook('MrtrGatewayUpstreamFailing')] },
  ),
];

export const NODE: readonly Panel[] = [
  graph(
    'CPU',
    'Cores used by a replica.',
    'short',
    spread(`rate(process_cpu_seconds_total{${PROCESS}}[${EVERY}])`),
    { width: 8 },
  ),
  graph(
    'Event loop lag, p99',
    'What every exchange of a replica waits.',
    's',
    spread(`nodejs_eventloop_lag_p99_seconds{${PROCESS}}`),
    {
      width: 8,
      links: [runbook('MrtrGatewayEventLoopLag')],
    },
  ),
  graph(
    'Memory',
    'Resident memory of a replica, and the bytes that all hold for judging.',
    'bytes',
    [
      ...spread(`process_resident_memory_bytes{${PROCESS}}`),
      { expr: `sum(mrtr_gateway_buffered_bytes{${PROCESS}})`, legend: 'held for judging, all replicas' },
    ],
    { width: 8 },
  ),
  graph(
    'Open files',
    'File descriptors of a replica: each stream holds one on either side.',
    'short',
    spread(`process_open_fds{${PROCESS}}`),
    { width: 8 },
  ),
  graph(
    'Garbage collection',
    'Share of time that a replica spends on it.',
    'percentunit',
    spread(`sum by (job, instance) (rate(nodejs_gc_duration_seconds_sum{${PROCESS}}[${EVERY}]))`),
    { width: 8 },
  ),
  {
    type: 'table',
    title: 'Builds',
    description: 'Replicas by the version that they run.',
    unit: 'short',
    queries: [
      { expr: `count by (job, version, revision) (mrtr_gateway_build_info{${PROCESS}})`, legend: '' },
    ],
    width: 8,
    links: [METRICS],
  },
  stat(
    'Age of the oldest configuration',
    'Since the configuration in use was loaded, on the replica where it is oldest.',
    `time() - min(mrtr_gateway_config_last_reload_success_timestamp_seconds{${PROCESS}})`,
    { unit: 's', links: [runbook('MrtrGatewayReloadFailed')] },
  ),
  stat(
    'Configurations refused',
    'Replicas whose last reload failed and that go on with the old configuration.',
    `sum(1 - mrtr_gateway_config_last_reload_successful{${PROCESS}})`,
    { thresholds: RISING(1, 1), links: [runbook('MrtrGatewayReloadFailed')] },
  ),
  stat(
    'Restarts',
    'Starts of replicas in the chosen time.',
    `sum(changes(process_start_time_seconds{${PROCESS}}[$__range]))`,
    {
      links: [runbook('MrtrGatewayDown')],
    },
  ),
];
