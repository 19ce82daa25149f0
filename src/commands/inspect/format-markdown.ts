/** For a pull request that changes a policy. */
import { markdownTable, markdownText } from '../markdown.js';
import type { Judged, Printer, Printing } from './format.js';
import { findingOf, notesOf, summaryOf, verdictOf, whatOf } from './words.js';

export function markdownPrinter({ file, sides }: Printing): Printer {
  const compared = sides.length > 1;
  const head = compared
    ? ['Where', 'What', ...sides.map(markdownText)]
    : ['Where', 'What', 'Verdict', 'Findings'];
  let begun = false;
  return {
    begin: () => `## ${markdownText(file)}\n`,
    exchange: (judged) => {
      const [titles, line, row] = markdownTable(head, [rowOf(judged, compared)]).split('\n');
      const text = begun ? `${row}\n` : `\n${titles}\n${line}\n${row}\n`;
      begun = true;
      return text;
    },
    end: (summary) => {
      const notes = notesOf(summary).map((note) => `- ${markdownText(note)}\n`);
      return [`\n${summaryOf(summary, compared)}.\n`, ...(notes.length > 0 ? ['\n', ...notes] : [])].join('');
    },
  };
}

function rowOf({ recording, judgements }: Judged, compared: boolean): readonly string[] {
  const what = [recording.place, markdownText(whatOf(recording))];
  const verdicts = judgements.map((judgement) => markdownText(verdictOf(judgement)));
  if (compared) return [...what, ...verdicts];
  const findings = judgements[0]?.findings ?? [];
  return [...what, ...verdicts, findings.map((finding) => markdownText(findingOf(finding))).join('<br>')];
}
