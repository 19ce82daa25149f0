/** A probe's events for people: `>` is what was sent, `<` what came. */
import { display, displayBytes, displayJson, displayLines } from '../../client/display.js';
import { isObject, member } from '../../protocol/messages.js';
import { resultTypeOf } from '../../protocol/results.js';
import { type Paint, RESET } from '../paint.js';
import type { ProbeEvent, Reporter } from './events.js';
import { questionLines, questionTitle } from './questions.js';
import { resultLines, taskLines } from './results.js';

/** `asksNext`: somebody is about to be asked, so that a question need not stand there twice. */
export function createTextReporter(
  out: (text: string) => void,
  paint: Paint,
  asksNext: () => boolean,
): Reporter {
  return {
    report: (event) => {
      const lines = linesOf(event, paint);
      const shown = event.event === 'input_required' && asksNext() ? lines.slice(0, 1) : lines;
      for (const line of shown) out(`${bounded(line)}\n`);
    },
  };
}

/** A server may say more than anyone reads; `--json` has all of it. */
const LONGEST_LINE = 20_000;

function bounded(line: string): string {
  if (line.length <= LONGEST_LINE) return line;
  return `${line.slice(0, LONGEST_LINE)}…${line.endsWith(RESET) ? RESET : ''}`;
}

function linesOf(event: ProbeEvent, paint: Paint): readonly string[] {
  switch (event.event) {
    case 'request': {
      const target = event.target === undefined ? '' : ` ${display(event.target, 200)}`;
      return [paint.dim(`> ${event.method}${target} id=${event.id}`)];
    }
    case 'wire':
      return wireLines(event, paint);
    case 'notification':
      return [paint.dim(`< ${display(event.method, 200)} ${displayJson(event.params)}`)];
    case 'server_request':
      return [
        paint.warn(
          `! the server sent a request of its own, ${display(event.method, 200)}: it is not answered`,
        ),
      ];
    case 'input_required':
      return questionEvent(event, paint);
    case 'answer':
      return [
        `  ${display(event.key, 200)} = ${event.answer === undefined ? 'omitted' : displayJson(event.answer)}`,
      ];
    case 'result':
      return resultEvent(event, paint);
    case 'error':
      return errorLines(event, paint);
    case 'http':
      return [paint.bad(`< HTTP ${event.status}`), ...indented(displayLines(event.body, 500).slice(0, 5))];
    case 'unanswered':
      return [paint.bad(`< HTTP ${event.status} ${event.message}`)];
    case 'trouble':
      return [paint.bad(`! ${event.message}${event.code === '' ? '' : ` (${display(event.code, 50)})`}`)];
    case 'note':
      return [event.problem ? paint.bad(`! ${event.message}`) : paint.dim(`- ${event.message}`)];
    case 'end':
      return [];
  }
}

function questionEvent(
  { carriesState, requests }: Extract<ProbeEvent, { event: 'input_required' }>,
  paint: Paint,
): readonly string[] {
  return [
    `< input_required${carriesState ? ', with a requestState' : ''}`,
    ...requests.flatMap((request) => [
      `  ${paint.bold(questionTitle(request))}`,
      ...indented(questionLines(request), '    '),
    ]),
  ];
}

function resultEvent(
  { method, result }: Extract<ProbeEvent, { event: 'result' }>,
  paint: Paint,
): readonly string[] {
  const type = resultTypeOf(result);
  if (type === 'task') return [`< ${taskLines(result).join(' ')}`];
  if (type !== 'complete')
    return [paint.bad(`< a result of an unknown type, ${display(String(type), 100)}`), displayJson(result)];
  const failed = member(result, 'isError') === true;
  const head = failed ? paint.bad('< complete, the tool failed') : paint.good('< complete');
  return [head, ...indented(resultLines(method, result))];
}

/** The first line is Ze's own test client's. */
function errorLines(event: Extract<ProbeEvent, { event: 'error' }>, paint: Paint): readonly string[] {
  const { status, code, message, data } = event;
  const said = typeof message === 'string' ? display(message, 2_000) : displayJson(message ?? null);
  const line = `probe status=${status} code=${displayJson(code ?? null)} message=${said}`;
  if (data === undefined) return [paint.bad(line)];
  const rows = isObject(data)
    ? Object.entries(data).map(([name, value]) => `${display(name, 100)}: ${plain(value)}`)
    : [displayJson(data)];
  return [paint.bad(line), ...indented(rows)];
}

function plain(value: unknown): string {
  return typeof value === 'string' ? display(value, 500) : displayJson(value);
}

function wireLines(
  { direction, bytes }: Extract<ProbeEvent, { event: 'wire' }>,
  paint: Paint,
): readonly string[] {
  const mark = direction === 'sent' ? '>> ' : '<< ';
  return displayBytes(bytes).map((line) => paint.dim(`${mark}${line}`));
}

function indented(lines: readonly string[], by = '  '): readonly string[] {
  return lines.map((line) => `${by}${line}`);
}
