/** Queries and panels in the forms that the dashboard repeats. Each adds up replicas: it reads alike over one and over twenty. */
import type { Link, Panel, Query } from './format.js';

export const DOCS = `\${docs}`;
export const METRICS: Link = { title: 'What the labels mean', url: `${DOCS}/metrics.md` };
export const RULES: Link = { title: 'All rules', url: `${DOCS}/rules.md` };
export const THIS_RULE: Link = {
  title: `What \${__field.labels.rule} says`,
  url: `${DOCS}/rules.md#\${__field.labels.rule}`,
};

/** Replicas in view; `$route` too where the metric has routes. */
export const PROCESS = 'job=~"$job",instance=~"$instance"';
export const ROUTE = `${PROCESS},route=~"$route"`;
export const EVERY = '$__rate_interval';

export const rate = (metric: string, labels: string) => `rate(mrtr_gateway_${metric}{${labels}}[${EVERY}])`;
export const increase = (metric: string, labels: string) =>
  `increase(mrtr_gateway_${metric}{${labels}}[$__range])`;
export const share = (outcomes: string) =>
  `sum(${rate('exchanges_total', `${ROUTE},outcome=~"${outcomes}"`)}) / sum(${rate('exchanges_total', ROUTE)})`;
export const quantile = (q: number, metric: string, by = '') =>
  `histogram_quantile(${q}, sum by (le${by}) (${rate(`${metric}_bucket`, ROUTE)}))`;
export const mean = (metric: string) =>
  `sum(${rate(`${metric}_sum`, ROUTE)}) / sum(${rate(`${metric}_count`, ROUTE)})`;
export const quantiles = (metric: string): Query[] =>
  [0.5, 0.9, 0.99].map((q) => ({ expr: quantile(q, metric), legend: `p${q * 100}` }));
/** The typical replica and the worst: twenty lines would show neither. */
export const spread = (expr: string): Query[] => [
  { expr: `max(${expr})`, legend: 'highest replica' },
  { expr: `avg(${expr})`, legend: 'average' },
];
export const runbook = (alert: string): Link => ({
  title: `Runbook: ${alert}`,
  url: `${DOCS}/runbook.md#${alert.toLowerCase()}`,
});

export const OUTCOME_COLORS = {
  ok: 'green',
  input_required: 'blue',
  tool_error: 'yellow',
  rpc_error: 'dark-yellow',
  refused_inbound: 'orange',
  refused_outbound: 'dark-orange',
  upstream_failed: 'red',
  client_gone: 'purple',
  stream_closed: 'light-blue',
};
export const RISING = (warn: number, bad: number) =>
  [
    [0, 'green'],
    [warn, 'orange'],
    [bad, 'red'],
  ] as const;

export function stat(title: string, description: string, expr: string, rest: Partial<Panel>): Panel {
  const queries = [{ expr, legend: title }];
  return { type: 'stat', title, description, unit: 'short', queries, width: 4, links: [METRICS], ...rest };
}

export function graph(
  title: string,
  description: string,
  unit: string,
  queries: readonly Query[],
  rest: Partial<Panel> = {},
) {
  return {
    type: 'timeseries',
    title,
    description,
    unit,
    queries,
    width: 12,
    links: [METRICS],
    ...rest,
  } as const;
}
