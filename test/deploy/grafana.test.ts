import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { generated } from '../../scripts/docs-dashboard.js';
import { metricsPage } from '../../scripts/docs-metrics.js';
import { rulesPage } from '../../scripts/docs-rules.js';
import { METRICS, PREFIX } from '../../src/adapters/metrics-declarations.js';
import { panels, variables } from './dashboard.js';

interface Link {
  readonly title: string;
  readonly url: string;
}

const PAGES: Readonly<Record<string, string>> = {
  'metrics.md': metricsPage(),
  'rules.md': rulesPage(),
  'runbook.md': readFileSync('docs/runbook.md', 'utf8'),
};

/** Labels of every series that Prometheus adds or that histograms have. */
const GIVEN = ['job', 'instance', 'namespace', 'le'];

function linkFault({ url }: Link): string | undefined {
  const [, page = '', anchor] = /^\$\{docs\}\/([a-z]+\.md)(?:#(.+))?$/.exec(url) ?? [];
  const text = PAGES[page];
  if (text === undefined) return `${url} leads nowhere`;
  if (anchor === undefined || anchor.startsWith('${')) return undefined;
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map((match) => match[1]?.toLowerCase());
  return headings.includes(anchor) ? undefined : `${url}: no such heading`;
}

/** Names of metrics, and label names in selectors and groupings, that the gateway does not declare. */
function unknownNames(expr: string): string[] {
  const declared = new Map<string, readonly string[]>(
    Object.values(METRICS).map(({ name, labels }) => [PREFIX + name, labels]),
  );
  return [...expr.matchAll(/(mrtr_gateway_\w+)\{([^}]*)\}/g)].flatMap(([, name = '', selector = '']) => {
    const labels = declared.get(name) ?? declared.get(name.replace(/_(bucket|sum|count)$/, ''));
    if (labels === undefined) return [name];
    const used = [...selector.matchAll(/(\w+)\s*[!=]~?"/g)].map((match) => match[1] ?? '');
    return used.filter((label) => ![...GIVEN, ...labels].includes(label)).map((label) => `${name}{${label}}`);
  });
}

describe('the dashboard', () => {
  it.each(generated())('%s is current (npm run docs writes it)', (file, text) => {
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('lets the data source, jobs, replicas, routes and the address of the docs be chosen', () => {
    expect(variables().map(({ name, type }) => `${name}: ${type}`)).toEqual([
      'datasource: datasource',
      'job: query',
      'instance: query',
      'route: query',
      'docs: textbox',
    ]);
  });

  it('has panels with ids and places of their own', () => {
    const ids = panels().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const cells = panels().flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, n) => `${x + (n % w)},${y + Math.floor(n / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels().every(({ gridPos: { x, w } }) => x >= 0 && x + w <= 24)).toBe(true);
  });

  it.each(panels())('$title has a description, a unit, links that lead somewhere, and queries', (panel) => {
    expect(panel.description).toMatch(/^[A-Za-z].*\.$/);
    expect(panel.fieldConfig.defaults.unit).toMatch(/\S/);
    expect(panel.links.length).toBeGreaterThan(0);
    expect([...panel.links, ...panel.fieldConfig.defaults.links].map(linkFault)).not.toContainEqual(
      expect.any(String),
    );
    expect(panel.targets.length).toBeGreaterThan(0);
  });

  it.each(panels())('$title asks for metrics and labels that there are', ({ targets }) => {
    expect(targets.flatMap(({ expr }) => unknownNames(expr))).toEqual([]);
  });

  it.each(panels())('$title adds up replicas, and follows the choices', ({ targets }) => {
    for (const { expr } of targets) {
      expect(expr).toMatch(/^(time\(\) - )?(sum|max|min|avg|count|histogram_quantile|sort_desc)\b/);
      for (const [, selector] of expr.matchAll(/\w\{([^}]*)\}/g)) {
        expect(selector).toContain('job=~"$job"');
        expect(selector).toContain('instance=~"$instance"');
      }
      expect(expr).not.toMatch(/by \([^)]*\binstance\b[^)]*\) \(mrtr_gateway_\w+\)$/);
    }
  });
});

describe('what Grafana reads at its start', () => {
  it('names the data source that it finds by its address', () => {
    const text = readFileSync('deploy/grafana/provisioning/datasources/prometheus.yml', 'utf8');
    const { apiVersion, datasources } = parse(text) as { apiVersion: number; datasources: object[] };
    expect(apiVersion).toBe(1);
    expect(datasources).toEqual([
      expect.objectContaining({ type: 'prometheus', uid: 'prometheus', url: `\${PROMETHEUS_URL}` }),
    ]);
  });

  it('names a folder of dashboards', () => {
    const text = readFileSync('deploy/grafana/provisioning/dashboards/mrtr-gateway.yml', 'utf8');
    expect(parse(text)).toMatchObject({
      apiVersion: 1,
      providers: [{ type: 'file', options: { path: expect.stringMatching(/^\//) } }],
    });
  });
});
