/** A report in words that every format shares. Whatever a server sent is shown, never sent. */
import { type Report, type Row, rowsOf, type Told, type Verdict } from '../../check/report.js';
import { display } from '../../client/display.js';

export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  fail: 'FAIL',
  warn: 'warn',
  pass: 'pass',
  unseen: 'not seen',
};

const MOST_NAME = 64;
const MOST_POINTER = 200;

/** `call ze_execute, client shape form`. */
export function placeOf({ entry, about, shape }: Told): string {
  const name = about === '' ? '' : ` ${display(about, MOST_NAME)}`;
  return `${entry}${name} (${shape})`;
}

/** The sentence, and where it points. */
export function faultOf({ message, at }: Told): string {
  return at === '' ? message : `${message}, at ${display(at, MOST_POINTER)}`;
}

/** How many further exchanges showed the same, or nothing. */
export function moreOf({ broken, evidence }: Row): string {
  const more = broken - evidence.length;
  return more > 0 ? `and in ${more} more ${more === 1 ? 'exchange' : 'exchanges'}` : '';
}

export function serverOf({ server }: Report): string {
  if (server === undefined) return 'a server that does not name itself';
  return [server.name, server.version].map((text) => display(text, MOST_NAME)).join(' ');
}

export function summaryOf(report: Report): string {
  const count = (verdict: Verdict) => rowsOf(report, verdict).length;
  const broken = count('fail');
  return [
    broken === 0
      ? 'no obligation is broken'
      : `${broken} ${broken === 1 ? 'obligation is' : 'obligations are'} broken`,
    `${count('warn')} ${count('warn') === 1 ? 'recommendation' : 'recommendations'} not followed`,
    `${count('pass')} kept`,
    `${count('unseen')} not seen`,
  ].join(', ');
}

export function notesOf(report: Report): readonly string[] {
  const { called, tools, notes } = report;
  if (called >= tools) return notes;
  const left = `${tools - called} of ${tools} tools were not called: they do not say that they only read. --call TOOL calls one of them, --call-all each`;
  return [...notes, left];
}
