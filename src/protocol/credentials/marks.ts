/** The marks between words, as far as a reader of requests needs them. */

/** End of a sentence, of a question, of a clause that leads on; a pause, a quote, a list item. */
export const STOP = '.';
export const QUERY = '?';
export const LEAD = ':';
export const PAUSE = ',';
export const QUOTE = '"';
export const ITEM = '*';
/** A stroke between alternatives is read as a word. */
const ALSO = 'or';

const MARKS: ReadonlySet<string> = new Set([STOP, QUERY, LEAD, PAUSE, QUOTE, ITEM]);
const ALWAYS: ReadonlyMap<string, string> = new Map([
  ...pairs('。।;', STOP),
  ...pairs('?؟', QUERY),
  ...pairs('"“”„«»「」\'‘’', QUOTE),
  ...pairs(',、،()[]{}—–', PAUSE),
  ...pairs('/+&', ALSO),
]);

const SPACE = /[\s)"'”’»」\]*_]/;
const LATIN = /[a-z]/i;
const LETTER = /\p{L}/u;
const ITEM_START = /^\n[^\S\n]{0,8}(?:[-*•·–]|\d{1,3}[.)])\s/;

/** The end of the text is a mark too. */
export function isMark(word: string | undefined): boolean {
  return word === undefined || MARKS.has(word);
}

/** What the character says between words; '' when it says nothing where it stands. */
export function markAt(text: string, at: number): string {
  const character = text[at] ?? '';
  const next = text[at + 1];
  if (character === '.' || character === '!') return isSpace(next) && !isInitial(text, at) ? STOP : '';
  if (character === ':') return isSpace(next) || !LATIN.test(text.slice(at + 1, at + 3)) ? LEAD : '';
  if (character === '\n') return next === '\n' ? STOP : ITEM_START.test(text.slice(at, at + 16)) ? ITEM : '';
  return ALWAYS.get(character) ?? '';
}

function isSpace(character: string | undefined): boolean {
  return character === undefined || SPACE.test(character);
}

/** `e.g.` and `p. a. s.` end no sentence. */
function isInitial(text: string, at: number): boolean {
  const before = text[at - 2];
  return LETTER.test(text[at - 1] ?? '') && (before === undefined || before === '.' || isSpace(before));
}

function pairs(characters: string, mark: string): [string, string][] {
  return [...characters].map((character) => [character, mark]);
}
