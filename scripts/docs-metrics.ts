/** Writes docs/metrics.md from the declarations that the gateway registers. */
import { type Declaration, METRICS, PREFIX } from '../src/adapters/metrics-declarations.js';
import { LABELS, type LabelName } from '../src/adapters/metrics-labels.js';

const DECLARED: readonly Declaration[] = Object.values(METRICS);

const INTRODUCTION = `# Metrics

Generated from \`src/adapters/metrics-declarations.ts\` by \`npm run docs\`.

The admin listener serves them at \`/metrics\` in Prometheus' text format, with prom-client's default process metrics
(\`process_*\`, \`nodejs_*\`) beside them. Every label set is closed: no series comes from a string that a client or an
upstream chose. There are no labels for tools, clients or ids: the audit log has those.

What alerts and ratios read is there at 0 from the start, for every configured route: the outcomes that a method can
have, each rule at its severity in force, kinds, actions, verdicts and reasons. The histograms of \`tools/call\` and
\`other\` too; those of the other methods come with their first exchange. When a route leaves the configuration its
gauges leave with it, once they are back at 0; its counters stay until the process ends.

\`prometheus/\` and \`grafana/\` in [deploy](../deploy) hold alerts and a dashboard made of these;
[runbook.md](runbook.md) says what to do when an alert fires.
`;

export function metricsPage(): string {
  return `${INTRODUCTION}
## The metrics

| Metric | Type | Labels | |
|---|---|---|---|
${DECLARED.map(row).join('\n')}

## Buckets

${DECLARED.flatMap(buckets).join('\n')}

## Labels

${(Object.keys(LABELS) as readonly LabelName[]).map(section).join('\n\n')}
`;
}

function row({ type, name, help, labels }: Declaration): string {
  const links = labels.map((label) => `[${label}](#${label})`).join(', ') || '–';
  return `| \`${PREFIX}${name}\` | ${type} | ${links} | ${help} |`;
}

function buckets({ name, buckets }: Declaration): string[] {
  if (buckets === undefined) return [];
  return [`- \`${PREFIX}${name}\`: ${buckets.map(duration).join(', ')}`];
}

function duration(seconds: number): string {
  if (seconds >= 1) return `${seconds} s`;
  return seconds >= 0.001 ? `${round(seconds * 1e3)} ms` : `${round(seconds * 1e6)} µs`;
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}

function section(label: LabelName): string {
  return `### ${label}\n\n${valuesOf(label)}`;
}

function valuesOf(label: LabelName): string {
  const values: string | readonly string[] | Readonly<Record<string, string>> = LABELS[label];
  if (typeof values === 'string') return `${sentence(values)}.`;
  if (isList(values)) return `${values.map((value) => `\`${value}\``).join(', ')}.`;
  return Object.entries(values)
    .map(([value, meaning]) => `- \`${value}\`: ${meaning}`)
    .join('\n');
}

function isList(values: object): values is readonly string[] {
  return Array.isArray(values);
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function generated(): (readonly [file: string, text: string])[] {
  return [['docs/metrics.md', metricsPage()]];
}
