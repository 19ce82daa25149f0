import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ADMIT, INBOUND, OUTBOUND, PARSE } from '../../src/rules/index.js';
import { describeWith } from '../support/programs.js';

const FOLDER = 'deploy/prometheus';

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}
interface Scenario {
  readonly name: string;
  readonly promql_expr_test?: readonly {
    readonly exp_samples: readonly { readonly labels: string }[];
  }[];
}

function read<T>(file: string): T {
  return parse(readFileSync(join(FOLDER, file), 'utf8')) as T;
}

const GROUPS = read<{ groups: readonly { rules: readonly Partial<Alert>[] }[] }>('rules.yml').groups;
const ALERTS = GROUPS.flatMap(({ rules }) => rules.filter((rule): rule is Alert => rule.alert !== undefined));
const SCENARIOS = read<{ tests: readonly Scenario[] }>('rules.test.yml').tests;
const RUNBOOK = readFileSync('docs/runbook.md', 'utf8');

describe('the alerts', () => {
  it.each(ALERTS)('$alert says how bad it is, what is wrong and what to do', ({ labels, annotations }) => {
    expect(['critical', 'warning', 'info']).toContain(labels.severity);
    expect(annotations.summary).toMatch(/\S/);
    expect(annotations.description).toMatch(/\.$/);
  });

  it.each(ALERTS)('$alert links to its section in the runbook', ({ alert, annotations }) => {
    expect(annotations.runbook_url).toMatch(new RegExp(`/runbook\\.md#${alert.toLowerCase()}$`));
    expect(RUNBOOK).toContain(`\n## ${alert}\n`);
  });

  it('are all that the runbook has sections for', () => {
    const sections = [...RUNBOOK.matchAll(/^## (.+)$/gm)].map((match) => match[1]);
    expect(sections).toEqual(ALERTS.map(({ alert }) => alert));
  });

  it.each(ALERTS)('$alert is tested firing, and silent in the same scenario', ({ alert }) => {
    const firing = SCENARIOS.filter(({ promql_expr_test = [] }) =>
      promql_expr_test.some(({ exp_samples }) =>
        exp_samples.some(({ labels }) => labels.includes(`alertname="${alert}"`)),
      ),
    );
    expect(firing).toHaveLength(1);
    const silent = firing[0]?.promql_expr_test?.some(({ exp_samples }) => exp_samples.length === 0);
    expect(silent).toBe(true);
  });

  it('on what passes leave out exactly the rules that only report by default', () => {
    const reports = [...ADMIT, ...PARSE, ...INBOUND, ...OUTBOUND].filter(({ severity }) =>
      Object.values(severity).includes('report'),
    );
    const expr = ALERTS.find(({ alert }) => alert === 'MrtrGatewayReportOnlyFindings')?.expr ?? '';
    expect(/rule!~"([^"]*)"/.exec(expr)?.[1]?.split('|')).toEqual(reports.map(({ id }) => id));
  });

  it('name rules that exist', () => {
    const ids = new Set([...ADMIT, ...PARSE, ...INBOUND, ...OUTBOUND].map(({ id }) => id));
    for (const { expr } of ALERTS) {
      const named = [...expr.matchAll(/rule[!=]?[=~]"([^"]*)"/g)].flatMap(
        (match) => match[1]?.split('|') ?? [],
      );
      expect(named.filter((id) => !ids.has(id))).toEqual([]);
    }
  });
});

describeWith('promtool', 'promtool', (promtool) => {
  const run = (...args: string[]) =>
    execFileSync(promtool, args, { cwd: FOLDER, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

  it('accepts the scrape configuration', () => {
    expect(run('check', 'config', 'prometheus.yml')).toContain('SUCCESS');
  });

  it('accepts the rules', () => {
    expect(run('check', 'rules', '--lint=all', '--lint-fatal', 'rules.yml')).toContain('SUCCESS');
  });

  it('sees every alert fire and be silent when it should', () => {
    expect(run('test', 'rules', 'rules.test.yml')).toContain('SUCCESS');
  });
});
