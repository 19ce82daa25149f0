/** For people. */
import type { Paint } from '../paint.js';
import type { Judged, Printer, Printing } from './format.js';
import { findingOf, notesOf, summaryOf, verdictOf, whatOf } from './words.js';

export function tablePrinter({ file, sides }: Printing, paint: Paint): Printer {
  const compared = sides.length > 1;
  return {
    begin: () => `${paint.bold(`${file}: judged by ${sides.join(', against ')}`)}\n\n`,
    exchange: (judged) => (compared ? comparisonOf(judged, paint) : findingsOf(judged, paint)),
    end: (summary) => {
      const rules = compared ? [] : summary.rules;
      const width = Math.max(0, ...rules.map(({ rule }) => rule.id.length));
      const rows = rules.map(
        ({ rule, counts: { refused, dropped, reported } }) =>
          `  ${rule.id.padEnd(width)}  refused ${refused}, dropped ${dropped}, reported ${reported}\n`,
      );
      const notes = notesOf(summary).map((note) => paint.dim(`  ${note}\n`));
      const counted = rows.length > 0 ? ['\n', ...rows] : [];
      return [
        '\n',
        `${summaryOf(summary, compared)}\n`,
        ...counted,
        ...(notes.length > 0 ? ['\n', ...notes] : []),
      ].join('');
    },
  };
}

function findingsOf({ recording, judgements: [judgement] }: Judged, paint: Paint): string {
  const findings = judgement?.findings ?? [];
  const lines = findings.map(({ effect, ...finding }) => {
    const word = { refused: paint.bad, dropped: paint.warn, reported: paint.dim }[effect](effect.padEnd(8));
    return `    ${word}  ${findingOf({ effect, ...finding })}\n`;
  });
  return [`${recording.place}  ${whatOf(recording)}\n`, ...lines].join('');
}

function comparisonOf({ recording, judgements }: Judged, paint: Paint): string {
  const [before, after] = judgements.map(verdictOf);
  return `${recording.place}  ${whatOf(recording)}\n    ${paint.dim(`${before}`)}  →  ${after}\n`;
}
