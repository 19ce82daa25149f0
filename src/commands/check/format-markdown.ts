/** A report for a pull request or a summary of a job. */
import type { Report, Row } from '../../check/report.js';
import { markdownTable, markdownText } from '../markdown.js';
import { faultOf, moreOf, notesOf, placeOf, serverOf, summaryOf, VERDICT_WORDS } from './words.js';

const HEAD = ['Rule', 'Clause', 'Verdict', 'Evidence'];

export function formatMarkdown(report: Report, url: string): string {
  const title = `## ${markdownText(serverOf(report))} at ${markdownText(url)}`;
  const about = `Profile ${report.profile}, ${report.exchanges} exchanges: ${summaryOf(report)}.`;
  const table = markdownTable(HEAD, report.rows.map(cellsOf));
  const notes = notesOf(report).map((note) => `- ${markdownText(note)}`);
  const parts = [title, about, table, ...(notes.length > 0 ? [notes.join('\n')] : [])];
  return `${parts.join('\n\n')}\n`;
}

function cellsOf(row: Row): readonly string[] {
  const { rule, url, source, keyword, verdict, evidence } = row;
  const clause = url.startsWith('https:') ? `[${source}](${url}) ${keyword}` : `${source} ${keyword}`;
  const told = evidence.map((one) => markdownText(`${placeOf(one)}: ${faultOf(one)}`));
  const more = moreOf(row);
  const word = verdict === 'fail' ? `**${VERDICT_WORDS.fail}**` : VERDICT_WORDS[verdict];
  return [`\`${rule}\``, clause, word, [...told, ...(more === '' ? [] : [more])].join('<br>')];
}
