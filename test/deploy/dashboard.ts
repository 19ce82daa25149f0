/** The committed dashboard, as far as tests read it. */
import { readFileSync } from 'node:fs';

interface Link {
  readonly title: string;
  readonly url: string;
}

export interface DashboardPanel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly links: readonly Link[];
  readonly fieldConfig: { readonly defaults: { readonly unit: string; readonly links: readonly Link[] } };
  readonly targets: readonly { readonly refId: string; readonly expr: string; readonly instant: boolean }[];
}

interface Dashboard {
  readonly panels: readonly DashboardPanel[];
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly type: string; readonly definition?: string }[];
  };
}

const DASHBOARD = JSON.parse(
  readFileSync('deploy/grafana/dashboards/mrtr-gateway.json', 'utf8'),
) as Dashboard;

/** Rows left out. */
export function panels(): readonly DashboardPanel[] {
  return DASHBOARD.panels.filter(({ type }) => type !== 'row');
}

export function variables(): Dashboard['templating']['list'] {
  return DASHBOARD.templating.list;
}
