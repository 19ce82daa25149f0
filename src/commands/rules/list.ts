/** `mrtr-gateway rules`: the register as a table. */
import type { RoutePolicy } from '../../engine/policy.js';
import { clauseUrl } from '../../engine/refusal.js';
import type { RuleCard, Severity } from '../../engine/rule.js';
import { createPaint, type Paint } from '../paint.js';
import { EXIT_OK, type World } from '../world.js';
import { clauseText, REGISTER, type RouteFlags, readRoutes, severityOn } from './effective.js';

export interface ListFlags extends RouteFlags {
  readonly json?: boolean | undefined;
}

export function listRules(flags: ListFlags, { env, out, colours = false }: World): number {
  const routes = readRoutes(flags, env);
  if (flags.json === true)
    out(
      `${JSON.stringify(
        REGISTER.map((rule) => described(rule, routes)),
        null,
        2,
      )}\n`,
    );
  else for (const line of tableLines(routes, createPaint(colours))) out(`${line}\n`);
  return EXIT_OK;
}

/** What `--json` says of a rule; `explain` says more. */
export function described(rule: RuleCard, routes: readonly RoutePolicy[]): Record<string, unknown> {
  const { id, stage, guarantees, clause, severity, locked, remedy } = rule;
  return {
    id,
    stage,
    guarantees,
    clause: { ...clause, url: clauseUrl(rule) },
    default: severity,
    ...(locked !== undefined && { locked }),
    remedy,
    ...(routes.length > 0 && {
      effective: Object.fromEntries(routes.map((route) => [route.name, severityOn(route, rule)])),
    }),
  };
}

function tableLines(routes: readonly RoutePolicy[], paint: Paint): readonly string[] {
  const head = ['RULE', 'STAGE', 'SPEC', 'ZE', ...routes.map(({ name }) => name), 'LOCKED', 'CLAUSE'];
  const rows = REGISTER.map((rule) => [
    rule.id,
    rule.stage,
    rule.severity.spec,
    rule.severity.ze,
    ...routes.map((route) => severityOn(route, rule)),
    rule.locked === undefined ? '' : 'locked',
    clauseText(rule),
  ]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[], painted: (cell: string, column: number) => string) =>
    cells
      .map((cell, column) => painted(cell, column) + ' '.repeat((widths[column] ?? 0) - cell.length))
      .join('  ')
      .trimEnd();
  return [
    line(head, (cell) => paint.bold(cell)),
    ...rows.map((row) => line(row, (cell) => paintSeverity(cell, paint))),
  ];
}

const SEVERITIES: ReadonlyMap<string, keyof Paint> = new Map<Severity, keyof Paint>([
  ['enforce', 'good'],
  ['report', 'warn'],
  ['off', 'dim'],
]);

export function paintSeverity(text: string, paint: Paint): string {
  const style = SEVERITIES.get(text);
  return style === undefined ? text : paint[style](text);
}
