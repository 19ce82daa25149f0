/** docs/benchmarks.md, from what runs found and from what people wrote of it. */
import type { Table } from '../workloads/workload.js';
import { spread } from './figures.js';
import type { Result, Results } from './results.js';
import { limitText, type Measured, TARGETS, type Target, verdictOf } from './targets.js';

const HEAD = `# Benchmarks

Written by \`npm run bench\`, which takes its time: \`--quick\` gives a first impression and writes nothing, \`--only NAME,…\` runs
some of the workloads, \`--subjects NAME,…\` compares only some of the subjects, \`--rounds N\` as many rounds (five unless said), \`--profile DIR\` leaves
CPU profiles of the gateway there, \`--page\` writes this page anew from what the last runs found (\`bench/results.json\`) and from
[the text on profiles](../bench/profiles.md).

One client process sends prepared bytes through each subject in turn, within every round, to one upstream process that answers with
prepared bytes; status and length of every answer are checked. Figures are medians over the rounds, with the lowest and the highest;
ratios are taken round by round. CPU time is the kernel's (\`/proc/PID/task/*/schedstat\`), all threads of the process
under test, which has a CPU of its own; client and upstream have another. The gateway is the built binary with every rule, its metrics and its audit log,
which goes to a file; the other proxies write no log. Connections are kept on both sides of each.
`;

export function pageOf({ machine, results }: Results, profiles: string): string {
  const versions = Object.entries(machine.versions).map(([name, version]) => `${name} ${version}`);
  const parts = [
    HEAD,
    `Measured on ${machine.cpu}, ${machine.memory}, ${machine.system}; ${versions.join(', ')}.\n`,
    `## Targets\n\n${targetTable(
      results.flatMap(({ measured }) => measured),
      profiles,
    )}\n`,
    ...results.map(sectionOf),
    `## Profiles\n\n${profiles.trim()}\n`,
  ];
  return parts.join('\n');
}

function targetTable(measured: readonly Measured[], profiles: string): string {
  const rows = TARGETS.flatMap((target) => {
    const found = measured.filter((one) => one.target === target.id);
    return found.length === 0
      ? [row(target, undefined, profiles)]
      : found.map((one) => row(target, one, profiles));
  });
  return tableText(['What', 'Target', 'Measured', ''], rows);
}

function row(target: Target, measured: Measured | undefined, profiles: string): readonly string[] {
  const verdict = verdictOf(target, measured?.value);
  const of = measured?.of === undefined ? '' : ` (${measured.of})`;
  const value =
    measured === undefined ? '–' : `${spread(measured.value, target.digits)} ${target.unit}`.trim();
  return [`${target.what}${of}`, limitText(target), value, verdictText(verdict, target.id, profiles)];
}

function verdictText(verdict: ReturnType<typeof verdictOf>, id: string, profiles: string): string {
  if (verdict === 'met') return verdict;
  return profiles.includes(`### ${id}\n`) ? `${verdict}: [why](#${id})` : verdict;
}

function sectionOf({ title, says, tables, notes, ...ran }: Result): string {
  const rounds = ran.rounds === 1 ? 'one round' : `${ran.rounds} rounds`;
  const when = `\`${ran.command}\`, ${rounds}, ${ran.minutes.toFixed(1)} minutes, ${ran.finished.slice(0, 10)}, load average before ${ran.loadAverage.toFixed(2)}.`;
  return [
    `## ${title}\n`,
    `${says} ${when}\n`,
    ...tables.map(captioned),
    ...notes.map((note) => `${note}\n`),
  ].join('\n');
}

export function captioned({ caption, columns, rows }: Table): string {
  return `${caption}:\n\n${tableText(columns, rows)}\n`;
}

function tableText(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(columns), line(columns.map((_, at) => (at === 0 ? '---' : '---:'))), ...rows.map(line)].join(
    '\n',
  );
}
