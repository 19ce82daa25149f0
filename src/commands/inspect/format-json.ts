/** For programs: one JSON object, written as it goes. */
import { displayJson } from '../../client/display.js';
import type { JudgedFinding, Judgement } from '../../inspect/judge.js';
import { clientMessageOf } from '../../protocol/received.js';
import { shownTarget } from '../../protocol/shown-target.js';
import type { Judged, Printer, Printing } from './format.js';
import { notesOf, verdictOf } from './words.js';

export function jsonPrinter({ file, sides }: Printing): Printer {
  let separator = '';
  return {
    begin: () => `{"file":${displayJson(file)},"sides":${displayJson(sides)},"exchanges":[`,
    exchange: (judged) => {
      const text = `${separator}\n${displayJson(exchangeOf(judged))}`;
      separator = ',';
      return text;
    },
    end: (summary) => {
      const { judged, refused, changed, redacted, incomplete, statesUnknown, dropped } = summary;
      const counts = {
        judged,
        refused,
        ...(sides.length > 1 && { changed }),
        redacted,
        incomplete,
        statesUnknown,
      };
      const unjudged = Object.fromEntries(summary.unjudged);
      const rules = summary.rules.map(({ rule, stage, counts: found }) => ({
        rule: rule.id,
        stage,
        ...found,
      }));
      return `\n],"summary":${displayJson({ ...counts, dropped, unjudged, rules, notes: notesOf(summary) })}}\n`;
    },
  };
}

function exchangeOf({ recording, judgements }: Judged): object {
  const { place, asked, httpMethod, route, path } = recording;
  const message = asked && asked.fault === undefined ? clientMessageOf(asked) : undefined;
  return {
    place,
    route: route ?? null,
    path,
    method: message?.method || httpMethod,
    target: (message && shownTarget(message)) ?? null,
    verdicts: judgements.map(sideOf),
  };
}

function sideOf(judgement: Judgement | undefined): object {
  const findings = judgement?.findings ?? [];
  return {
    verdict: verdictOf(judgement),
    findings: findings.map(({ rule, stage, effect, at, message }: JudgedFinding) => ({
      ...{ rule: rule.id, stage, effect, at, message },
    })),
  };
}
