import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Binary, startBinary } from '../support/binary.js';
import { describeWith } from '../support/programs.js';
import { type Prometheus, startPrometheus } from '../support/prometheus.js';
import { startUpstream, type Upstream } from '../support/upstream.js';
import { panels, variables } from './dashboard.js';
import { configurationFile, listen, sendInventedNames, sendMix, upstream } from './traffic.js';

interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
}

const RULES = (
  parse(readFileSync('deploy/prometheus/rules.yml', 'utf8')) as {
    groups: readonly { rules: readonly Rule[] }[];
  }
).groups.flatMap(({ rules }) => rules);
const PANELS = panels().flatMap(({ title, targets }) =>
  targets.map(({ refId, expr }) => ({ title, refId, expr: chosen(expr) })),
);
const EXPRESSIONS = [
  ...PANELS.map(({ title, refId, expr }) => [`panel ${title}, ${refId}`, expr] as const),
  ...RULES.map(({ alert, record, expr }) => [`rule ${alert ?? record}`, expr] as const),
];

/** Grafana's part: everything chosen, a minute in view. */
function chosen(expr: string): string {
  return expr
    .replaceAll('$__rate_interval', '1m')
    .replaceAll('$__range', '1m')
    .replaceAll(/\$(job|instance|route)\b/g, '.*');
}

/** Names that stand where a metric may, and labels by which an expression selects, groups or matches. */
function namesIn(expr: string): { readonly metrics: string[]; readonly labels: string[] } {
  const bare = expr.replaceAll(/"[^"]*"/g, '""');
  const metrics = [...bare.matchAll(/\b(?:\w+:)?(?:mrtr_gateway|nodejs|process|up)\w*(?::\w+)?/g)].map(
    ([name]) => name,
  );
  const selected = [...bare.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*""/g)].map(([, label = '']) => label);
  const grouped = [...bare.matchAll(/\b(?:by|on)\s*\(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(/,\s*/),
  );
  return { metrics, labels: [...selected, ...grouped] };
}

describeWith('prometheus', 'Prometheus under a mix of traffic', (program) => {
  let server: Upstream;
  let gateway: Binary;
  let prometheus: Prometheus;
  let at: string;

  const counted = async (expr: string) => (await prometheus.query(expr))[0]?.value ?? 0;

  beforeAll(async () => {
    server = await startUpstream(upstream);
    // A small young generation, so that there is garbage collection to measure.
    gateway = await startBinary(['serve', '--config', configurationFile(server.url)], {
      env: { NODE_OPTIONS: '--max-semi-space-size=1' },
    });
    at = new URL(gateway.url).origin;
    prometheus = await startPrometheus(program, gateway.adminUrl);
    await prometheus.until(async () => (await counted('count(mrtr_gateway_exchanges_total)')) > 0);
    await sendMix(at);
    const stream = await listen(`${at}/relayed`);
    // What Prometheus knows last is the second round.
    await prometheus.until(async () => (await counted('sum(mrtr_gateway_streams_open)')) === 1);
    const before = await counted('sum(mrtr_gateway_exchanges_total)');
    await sendMix(at);
    await prometheus.until(async () => (await counted('sum(mrtr_gateway_exchanges_total)')) >= 2 * before);
    await stream.body?.cancel();
  }, 120_000);

  afterAll(async () => {
    await prometheus?.stop();
    await gateway?.stop();
    await server?.close();
  });

  it.each(PANELS)(
    'has something to show on $title, $refId',
    async ({ expr }) => {
      await prometheus.until(async () =>
        (await prometheus.query(expr)).some(({ value }) => Number.isFinite(value)),
      );
    },
    60_000,
  );

  it.each(EXPRESSIONS)('knows every metric and label of %s', async (_, expr) => {
    const { metrics, labels } = namesIn(expr);
    expect(metrics).not.toEqual([]);
    const known = new Set(['namespace', 'le']);
    for (const metric of metrics) {
      expect(await prometheus.api('series', { 'match[]': metric })).not.toEqual([]);
      for (const label of await prometheus.api('labels', { 'match[]': metric })) known.add(label);
    }
    const made = [...expr.matchAll(/label_replace\(.*?, "(\w+)", /gs)].map(([, label = '']) => label);
    expect(labels.filter((label) => ![...known, ...made].includes(label))).toEqual([]);
  });

  it.each(variables().filter(({ definition }) => definition !== undefined))(
    'has choices for the variable $name',
    async ({ definition = '' }) => {
      const [, series = '', label = ''] = /^label_values\((.*), (\w+)\)$/.exec(definition) ?? [];
      expect(await prometheus.api(`label/${label}/values`, { 'match[]': chosen(series) })).not.toEqual([]);
    },
  );

  it('evaluates every rule without an error', async () => {
    const { groups } = await prometheus.api('rules');
    const rules = groups.flatMap((group: { rules: object[] }) => group.rules);
    expect(rules).toHaveLength(RULES.length);
    for (const rule of rules) expect(rule).toMatchObject({ health: 'ok' });
  });

  it('raises the alerts that the mix calls for and wait for nothing, and no others', async () => {
    const firing = async () => {
      const { alerts } = await prometheus.api('alerts');
      return alerts
        .filter(({ state }: { state: string }) => state === 'firing')
        .map(({ labels }: { labels: Record<string, string> }) => `${labels.alertname} ${labels.route}`)
        .sort();
    };
    const expected = [
      'MrtrGatewayBadRequestStates ze',
      ...['relayed', 'sealed', 'ze'].map((route) => `MrtrGatewayServerAsksCredential ${route}`),
      ...['relayed', 'sealed', 'ze'].map((route) => `MrtrGatewayServerRequest ${route}`),
    ];
    await prometheus.until(async () => (await firing()).length >= expected.length);
    expect(await firing()).toEqual(expected);
  });

  it('gets no new series from invented names', async () => {
    const series = () => counted('count({job="mrtr-gateway",__name__=~"mrtr_gateway_.*"})');
    const before = await series();
    await sendInventedNames(`${at}/ze`, 500);
    const lines = await (await fetch(new URL('/metrics', gateway.adminUrl))).text();
    expect(lines.split('\n').filter((line) => line.startsWith('mrtr_gateway_'))).toHaveLength(before);
  }, 120_000);
});

describe('names in an expression', () => {
  it('are all found', () => {
    const expr =
      'label_replace(sum by (job, x) (rate(mrtr_gateway_a_total{y=~"up|z"}[1m])), "l", "v", "", "") / on (job) route:mrtr_gateway_b:rate1m > up';
    expect(namesIn(expr)).toEqual({
      metrics: ['mrtr_gateway_a_total', 'route:mrtr_gateway_b:rate1m', 'up'],
      labels: ['y', 'job', 'x', 'job'],
    });
  });
});
