/** An inspection in words that every format shares. Whatever stands in a file is shown, never sent. */
import { display } from '../../client/display.js';
import type { JudgedFinding, Judgement } from '../../inspect/judge.js';
import type { Recording } from '../../inspect/recording.js';
import type { Summary } from '../../inspect/summary.js';
import { clientMessageOf } from '../../protocol/received.js';
import { shownTarget } from '../../protocol/shown-target.js';

const MOST_NAME = 64;
const MOST_POINTER = 200;

/** `tools/call ze_execute`. */
export function whatOf({ asked, httpMethod }: Recording): string {
  if (asked === undefined || asked.fault !== undefined)
    return `${display(httpMethod, 16)} of no readable message`;
  const message = clientMessageOf(asked);
  const method = message.method === '' ? display(httpMethod, 16) : display(message.method, MOST_NAME);
  const target = shownTarget(message);
  return target === undefined ? method : `${method} ${display(target, MOST_NAME)}`;
}

export function verdictOf(judgement: Judgement | undefined): string {
  if (judgement === undefined) return 'no route';
  const rules = (effect: JudgedFinding['effect']) => [
    ...new Set(judgement.findings.filter((one) => one.effect === effect).map(({ rule }) => rule.id)),
  ];
  const [refused] = rules('refused');
  if (refused !== undefined) return `refused by ${refused}`;
  const parts = [
    ['loses messages by', rules('dropped')],
    ['reported', rules('reported')],
  ] as const;
  const said = parts.flatMap(([word, ids]) => (ids.length === 0 ? [] : [`${word} ${ids.join(', ')}`]));
  return ['passes', ...said].join('; ');
}

export function findingOf({ stage, rule, at, message }: JudgedFinding): string {
  const place = at === '' ? '' : `, at ${display(at, MOST_POINTER)}`;
  return `${stage} ${rule.id}: ${message}${place}`;
}

export function summaryOf({ judged, refused, changed }: Summary, compared: boolean): string {
  const exchanges = `${judged} ${judged === 1 ? 'exchange' : 'exchanges'} judged`;
  if (compared) return `${exchanges}: ${changed} would be judged otherwise, ${judged - changed} not`;
  return `${exchanges}: ${judged - refused} pass, ${refused} ${refused === 1 ? 'is' : 'are'} refused`;
}

export function notesOf(summary: Summary): readonly string[] {
  const { redacted, statesUnknown, incomplete, dropped, unjudged } = summary;
  const notes: readonly (readonly [number, string])[] = [
    [redacted, 'redacted: values of arguments, answers, states and results were not there to be judged'],
    [statesUnknown, 'with a requestState of which only the gateway that sealed it can tell whether it opens'],
    [incomplete, 'whose answer is not wholly in the file'],
    [unjudged.get('no-body') ?? 0, 'not judged: the body of the request is not in the file'],
    [
      unjudged.get('no-route') ?? 0,
      'not judged: no route of the configuration is for them (--route names one)',
    ],
    [unjudged.get('other') ?? 0, 'not judged: they are no messages to an MCP server'],
    [unjudged.get('unreadable') ?? 0, 'not judged: they cannot be read, or are too long'],
    [dropped, 'not in the file: the capture did not keep up'],
  ];
  return notes.flatMap(([count, says]) => (count === 0 ? [] : [`${count} ${says}`]));
}
