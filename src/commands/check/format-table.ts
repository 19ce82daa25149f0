/** A report for people. */
import type { Report, Row, Verdict } from '../../check/report.js';
import type { Paint } from '../paint.js';
import { faultOf, moreOf, notesOf, placeOf, serverOf, summaryOf, VERDICT_WORDS } from './words.js';

/** What is broken is read first. */
const ORDER: readonly Verdict[] = ['fail', 'warn', 'pass', 'unseen'];

export function formatTable(report: Report, url: string, paint: Paint): string {
  const rows = ORDER.flatMap((verdict) => report.rows.filter((row) => row.verdict === verdict));
  const width = Math.max(...rows.map(({ rule }) => rule.length));
  const head = `${url}: ${serverOf(report)}, profile ${report.profile}, ${report.exchanges} exchanges`;
  const lines = rows.flatMap((row) => linesOf(row, width, paint));
  const notes = notesOf(report).map((note) => paint.dim(`  ${note}`));
  return [paint.bold(head), '', ...lines, '', summaryOf(report), ...notes, ''].join('\n');
}

function linesOf(row: Row, width: number, paint: Paint): readonly string[] {
  const { rule, keyword, source, verdict, evidence } = row;
  const paints = { fail: paint.bad, warn: paint.warn, pass: paint.good, unseen: paint.dim };
  const word = paints[verdict](VERDICT_WORDS[verdict].padEnd(8));
  const found = evidence.map((told) => `          ${placeOf(told)}: ${faultOf(told)}`);
  const more = moreOf(row);
  if (more !== '') found.push(paint.dim(`          ${more}`));
  return [`${word}  ${rule.padEnd(width)}  ${paint.dim(`${keyword.padEnd(10)}  ${source}`)}`, ...found];
}
