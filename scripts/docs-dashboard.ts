/** Writes deploy/grafana/dashboards/mrtr-gateway.json. */
import { LATENCY, NODE, SATURATION, UPSTREAMS } from './dashboard/capacity.js';
import { CALLERS, GLANCE, MRTR, REFUSALS, TRAFFIC } from './dashboard/decisions.js';
import { DATASOURCE, layOut, type Row } from './dashboard/format.js';

const FILE = 'deploy/grafana/dashboards/mrtr-gateway.json';

const ROWS: readonly Row[] = [
  { title: 'At a glance', panels: GLANCE },
  { title: 'Traffic', panels: TRAFFIC },
  { title: 'Rules', panels: REFUSALS },
  { title: 'Input from users (MRTR)', panels: MRTR },
  { title: 'Callers and keys', panels: CALLERS },
  { title: 'Latency', panels: LATENCY },
  { title: 'Streams and saturation', panels: SATURATION },
  { title: 'Upstreams', panels: UPSTREAMS },
  { title: 'Process', panels: NODE },
];

interface Variable {
  readonly name: string;
  readonly label: string;
  readonly query: string;
}

/** A choice among the values of a label, all of them at first. */
function choice({ name, label, query }: Variable): object {
  return {
    type: 'query',
    name,
    label,
    datasource: DATASOURCE,
    definition: query,
    query: { query, refId: name },
    refresh: 2,
    sort: 1,
    multi: true,
    includeAll: true,
    allValue: '.*',
    current: { selected: true, text: ['All'], value: ['$__all'] },
  };
}

const DATASOURCE_CHOICE = {
  type: 'datasource',
  name: 'datasource',
  label: 'Prometheus',
  query: 'prometheus',
  refresh: 1,
  multi: false,
  includeAll: false,
};

/** Where the docs folder is published: panels link to its pages. */
const DOCS_ADDRESS = {
  type: 'textbox',
  name: 'docs',
  label: 'Address of docs/',
  query: 'https://docs.example.com/mrtr-gateway',
  current: { text: 'https://docs.example.com/mrtr-gateway', value: 'https://docs.example.com/mrtr-gateway' },
};

export function dashboard(): string {
  const json = {
    uid: 'mrtr-gateway',
    title: 'mrtr-gateway',
    description:
      'Traffic, decisions, latency and saturation of mrtr-gateway. Generated: `npm run docs` writes it.',
    tags: ['mcp', 'mrtr-gateway'],
    schemaVersion: 39,
    version: 1,
    editable: true,
    graphTooltip: 1,
    refresh: '30s',
    time: { from: 'now-1h', to: 'now' },
    timezone: 'browser',
    annotations: { list: [] },
    links: [
      { title: 'Metrics', type: 'link', url: `\${docs}/metrics.md`, targetBlank: true },
      { title: 'Rules', type: 'link', url: `\${docs}/rules.md`, targetBlank: true },
      { title: 'Runbook', type: 'link', url: `\${docs}/runbook.md`, targetBlank: true },
    ],
    templating: {
      list: [
        DATASOURCE_CHOICE,
        choice({ name: 'job', label: 'Job', query: 'label_values(mrtr_gateway_build_info, job)' }),
        choice({
          name: 'instance',
          label: 'Replica',
          query: 'label_values(mrtr_gateway_build_info{job=~"$job"}, instance)',
        }),
        choice({
          name: 'route',
          label: 'Route',
          query: 'label_values(mrtr_gateway_exchanges_total{job=~"$job"}, route)',
        }),
        DOCS_ADDRESS,
      ],
    },
    panels: layOut(ROWS),
  };
  return `${JSON.stringify(json, null, 2)}\n`;
}

export function generated(): (readonly [file: string, text: string])[] {
  return [[FILE, dashboard()]];
}
