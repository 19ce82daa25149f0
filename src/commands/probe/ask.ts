/** Asks the person at the terminal. Nothing is opened, fetched or sent before they say so. */
import { rootsResult, sampleResult } from '../../client/answering.js';
import type { Answer } from '../../client/call.js';
import { display, displayLines } from '../../client/display.js';
import { readFields } from '../../client/fields.js';
import { METHOD_ELICIT, METHOD_ROOTS, METHOD_SAMPLE } from '../../protocol/constants.js';
import { elicitationMode } from '../../protocol/elicitations.js';
import type { InputRequest } from '../../protocol/input-requests.js';
import { stringMember } from '../../protocol/messages.js';
import type { Paint } from '../paint.js';
import type { Ask } from './answers.js';
import { askForm } from './ask-form.js';
import type { Line, Lines } from './lines.js';
import { urlLines } from './questions.js';

/** A terminal with someone in front of it. */
export interface Person {
  readonly lines: Lines;
  readonly say: (line: string) => void;
  readonly paint: Paint;
}

const WORDS: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ['/decline', { result: { action: 'decline' } }],
  ['/cancel', { result: { action: 'cancel' } }],
  ['/omit', 'omit'],
  ['/stop', 'stop'],
]);

/** Of every question: `/decline` and the like, Ctrl-D, Esc, Ctrl-C; undefined when the line is an answer. */
export function controlOf(line: Line): Answer | undefined {
  if (line === 'interrupt') return 'stop';
  if (line === 'end' || line === 'escape') return { result: { action: 'cancel' } };
  return WORDS.get(line.text.trim());
}

export function createAsk(person: Person, host: string): Ask {
  const asked = new Set<string>();
  return async (request, round) => {
    if (round === 1) asked.clear();
    const again = asked.has(request.key);
    asked.add(request.key);
    const { say, paint } = person;
    say('');
    say(
      paint.bold(
        `The server at ${display(host, 300)} asks ${again ? 'again ' : ''}(${display(request.key, 200)}):`,
      ),
    );
    if (request.method === METHOD_SAMPLE) return askText(person, 'sample> ', sampleResult);
    if (request.method === METHOD_ROOTS)
      return askText(person, 'roots, URIs> ', (text) =>
        rootsResult(text.split(/\s+/).filter((uri) => uri !== '')),
      );
    if (request.method !== METHOD_ELICIT) return unknownKind(person);
    for (const line of displayLines(stringMember(request.params ?? {}, 'message') ?? '', 5_000))
      say(`  ${line}`);
    if (elicitationMode(request) === 'url') return askConsent(person, request, again);
    return askForm(person, readFields(request));
  };
}

function unknownKind({ say }: Person): Answer {
  say('  It is of no kind that the revision knows: it is left without an answer.');
  return 'stop';
}

/** Sampling and roots know neither decline nor cancel: leaving them means that there is no retry. */
async function askText(
  { lines, say }: Person,
  prompt: string,
  made: (text: string) => ReturnType<typeof sampleResult>,
): Promise<Answer> {
  say('  Answer in one line. /omit retries without an answer; /stop, Esc or Ctrl-D leaves the call.');
  const line = await lines.next(prompt);
  const control = controlOf(line);
  if (control === 'omit') return 'omit';
  return control !== undefined || typeof line === 'string' ? 'stop' : { result: made(line.text) };
}

async function askConsent(
  { lines, say, paint }: Person,
  request: InputRequest,
  again: boolean,
): Promise<Answer> {
  const [host = '', ...rest] = urlLines(stringMember(request.params ?? {}, 'url') ?? '');
  say(`  ${paint.bold(host)}`);
  for (const line of rest) say(`  ${line.startsWith('warning') ? paint.warn(line) : line}`);
  say('  It is neither opened nor fetched here. Open it yourself, in a browser, if you trust it.');
  if (again) say('  What it is about has not happened yet, says the server: answer when it has.');
  for (;;) {
    const line = await lines.next('[y] I agree, go on  [n] decline  [c] cancel > ');
    const control = controlOf(line);
    if (control !== undefined) return control;
    const letter = typeof line === 'string' ? '' : line.text.trim().toLowerCase();
    if (letter === 'y' || letter === 'yes') return { result: { action: 'accept' } };
    if (letter === 'n' || letter === 'no') return { result: { action: 'decline' } };
    if (letter === 'c') return { result: { action: 'cancel' } };
    say('  Please answer y, n or c.');
  }
}
