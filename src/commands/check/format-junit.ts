/** A report for a CI server: one test case a rule. A recommendation that is not followed passes, and says so. */
import { type Report, type Row, rowsOf } from '../../check/report.js';
import { faultOf, moreOf, notesOf, placeOf, serverOf, summaryOf } from './words.js';

export function formatJunit(report: Report, url: string): string {
  const counts = attributes({
    name: `mrtr-gateway check ${url}`,
    tests: `${report.rows.length}`,
    failures: `${rowsOf(report, 'fail').length}`,
    errors: '0',
    skipped: `${rowsOf(report, 'unseen').length}`,
  });
  const about = [
    `${serverOf(report)}, profile ${report.profile}, ${report.exchanges} exchanges`,
    summaryOf(report),
  ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite ${counts}>`,
    ...report.rows.map(testCase),
    `    <system-out>${escapeXml([...about, ...notesOf(report)].join('\n'))}</system-out>`,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase(row: Row): string {
  const { rule, source, keyword, verdict, evidence, url } = row;
  const open = `    <testcase ${attributes({ classname: source.replaceAll('.', '-'), name: rule })}`;
  if (verdict === 'pass') return `${open}/>`;
  if (verdict === 'unseen')
    return `${open}><skipped ${attributes({ message: 'there was no occasion to tell' })}/></testcase>`;
  const told = [...evidence.map((one) => `${placeOf(one)}: ${faultOf(one)}`), moreOf(row)].filter(
    (line) => line !== '',
  );
  const text = escapeXml([`${keyword}: ${row.quote}`, url, ...told].join('\n'));
  if (verdict === 'warn') return `${open}><system-out>${text}</system-out></testcase>`;
  const message = attributes({ message: evidence[0]?.message ?? rule, type: keyword });
  return `${open}><failure ${message}>${text}</failure></testcase>`;
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${escapeXml(value)}"`)
    .join(' ');
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&apos;'],
]);

/** Everything but the characters that XML 1.0 knows is left out; what a server sent was escaped before. */
export function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"']/g, (character) => ENTITIES.get(character) ?? character);
}
