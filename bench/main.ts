/** `npm run bench -- [--quick] [--only WORKLOAD,…] [--subjects NAME,…] [--rounds N]` */
import { parseArgs } from 'node:util';
import { Lab } from './lab/lab.js';
import { SMALL_RESULT, small } from './workloads/small.js';
import type { Findings, Table, Workload } from './workloads/workload.js';

const WORKLOADS: readonly Workload[] = [small];

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    subjects: { type: 'string', default: '' },
    rounds: { type: 'string' },
  },
});
const names = (text: string) => text.split(',').filter(Boolean);

function tableText({ caption, columns, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [`${caption}:`, '', line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n');
}

const only = names(flags.only);
const lab = await Lab.open(SMALL_RESULT);
try {
  for (const workload of WORKLOADS.filter(({ name }) => only.length === 0 || only.includes(name))) {
    const findings: Findings = await workload.run({
      lab,
      quick: flags.quick,
      rounds: Number(flags.rounds ?? (flags.quick ? 2 : 5)),
      subjects: names(flags.subjects),
      progress: (text) => process.stderr.write(`${workload.name}: ${text}\n`),
    });
    for (const table of findings.tables) console.log(tableText(table));
    for (const { target, value } of findings.measured) console.log(target, value);
  }
} finally {
  await lab.close();
}
