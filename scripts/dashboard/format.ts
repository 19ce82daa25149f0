/** Grafana's dashboard format, as far as this project's dashboard needs it. */

export const DATASOURCE = { type: 'prometheus', uid: `\${datasource}` } as const;

export interface Query {
  readonly expr: string;
  readonly legend: string;
}

export interface Link {
  readonly title: string;
  readonly url: string;
}

export interface Panel {
  readonly type: 'timeseries' | 'stat' | 'bargauge' | 'table' | 'state-timeline';
  readonly title: string;
  readonly description: string;
  /** Grafana's name of the unit. */
  readonly unit: string;
  readonly queries: readonly Query[];
  /** Of 24 columns. */
  readonly width: number;
  readonly links: readonly Link[];
  /** Opens from a series. */
  readonly seriesLinks?: readonly Link[];
  readonly stacked?: true;
  readonly max?: number;
  /** Value from which a colour holds, ascending; the first from the lowest. */
  readonly thresholds?: readonly (readonly [from: number, color: string])[];
  /** Colours by legend text. */
  readonly colors?: Readonly<Record<string, string>>;
  /** Texts for values. */
  readonly texts?: Readonly<Record<string, readonly [text: string, color: string]>>;
}

export interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

const COLUMNS = 24;

/** Rows and panels with their places, in Grafana's form. */
export function layOut(rows: readonly Row[]): object[] {
  const placed: object[] = [];
  let y = 0;
  for (const row of rows) {
    placed.push({
      id: placed.length + 1,
      type: 'row',
      title: row.title,
      collapsed: false,
      gridPos: { x: 0, y, w: COLUMNS, h: 1 },
      panels: [],
    });
    y += 1;
    let x = 0;
    let height = 0;
    for (const panel of row.panels) {
      if (x + panel.width > COLUMNS) {
        x = 0;
        y += height;
        height = 0;
      }
      const h = panel.type === 'stat' ? 4 : 8;
      height = Math.max(height, h);
      placed.push(panelJson(panel, placed.length + 1, { x, y, w: panel.width, h }));
      x += panel.width;
    }
    y += height;
  }
  return placed;
}

function panelJson(panel: Panel, id: number, gridPos: object): object {
  const { type, title, description, links } = panel;
  return {
    id,
    type,
    title,
    description,
    datasource: DATASOURCE,
    gridPos,
    links: links.map((link) => ({ ...link, targetBlank: true })),
    fieldConfig: fieldConfig(panel),
    options: OPTIONS[type],
    targets: panel.queries.map((query, index) => target(panel, query, index)),
    ...(type === 'table' && { transformations: TABLE_COLUMNS }),
  };
}

function target({ type }: Panel, { expr, legend }: Query, index: number): object {
  const instant = type === 'table' || type === 'bargauge';
  return {
    refId: String.fromCharCode('A'.charCodeAt(0) + index),
    datasource: DATASOURCE,
    editorMode: 'code',
    expr,
    legendFormat: legend,
    instant,
    range: !instant,
    format: type === 'table' ? 'table' : 'time_series',
  };
}

function fieldConfig({ type, unit, max, stacked, thresholds, seriesLinks, colors = {}, texts = {} }: Panel) {
  const steps = (thresholds ?? [[0, 'green']]).map(([from, color], index) => ({
    color,
    value: index === 0 ? null : from,
  }));
  return {
    defaults: {
      unit,
      min: 0,
      ...(max !== undefined && { max }),
      color: { mode: thresholds || type === 'state-timeline' ? 'thresholds' : 'palette-classic' },
      thresholds: { mode: 'absolute', steps },
      mappings: mappings(texts),
      links: (seriesLinks ?? []).map((link) => ({ ...link, targetBlank: true })),
      ...(type === 'timeseries' && { custom: line(stacked === true) }),
    },
    overrides: Object.entries(colors).map(([name, fixedColor]) => ({
      matcher: { id: 'byName', options: name },
      properties: [{ id: 'color', value: { mode: 'fixed', fixedColor } }],
    })),
  };
}

function mappings(texts: NonNullable<Panel['texts']>): object[] {
  const entries = Object.entries(texts);
  if (entries.length === 0) return [];
  const options = entries.map(([value, [text, color]], index) => [value, { text, color, index }] as const);
  return [{ type: 'value', options: Object.fromEntries(options) }];
}

function line(stacked: boolean): object {
  return {
    drawStyle: 'line',
    lineWidth: 1,
    fillOpacity: stacked ? 40 : 10,
    showPoints: 'never',
    spanNulls: false,
    stacking: { mode: stacked ? 'normal' : 'none', group: 'A' },
  };
}

const REDUCE = { calcs: ['lastNotNull'], fields: '', values: false };
const OPTIONS: Readonly<Record<Panel['type'], object>> = {
  timeseries: {
    legend: { showLegend: true, displayMode: 'table', placement: 'bottom', calcs: ['lastNotNull', 'max'] },
    tooltip: { mode: 'multi', sort: 'desc' },
  },
  stat: {
    reduceOptions: REDUCE,
    colorMode: 'value',
    graphMode: 'area',
    justifyMode: 'auto',
    textMode: 'auto',
  },
  bargauge: { reduceOptions: REDUCE, orientation: 'horizontal', displayMode: 'basic', valueMode: 'color' },
  table: { showHeader: true, cellHeight: 'sm' },
  'state-timeline': {
    showValue: 'auto',
    mergeValues: true,
    rowHeight: 0.8,
    legend: { showLegend: true, displayMode: 'list', placement: 'bottom' },
    tooltip: { mode: 'single', sort: 'none' },
  },
};
const TABLE_COLUMNS = [{ id: 'organize', options: { excludeByName: { Time: true } } }];
