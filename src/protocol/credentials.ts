import { compileLexicon, type Lexicon, Role } from './credentials/lexicon.js';
import { foldLetters, foldLookAlikes } from './credentials/look-alikes.js';
import { nameAsks } from './credentials/name-reading.js';
import { proseAsks } from './credentials/prose-reading.js';
import { cutName, cutText } from './credentials/words.js';

export type CredentialPlace =
  | 'name'
  | 'title'
  | 'description'
  | 'message'
  | 'format'
  | 'pattern'
  | 'writeOnly';

/** Judges whether a form asks for a secret. Compiled once per route from profile, added words and exceptions. */
export interface CredentialReader {
  /** A property name (also in `required`, also nested). */
  readonly nameAsks: (name: string) => boolean;
  /** A title: a short label. */
  readonly titleAsks: (title: string) => boolean;
  /** A description or message: prose that may ask for a secret or merely mention one. */
  readonly textAsks: (text: string) => boolean;
}

export interface CredentialWords {
  /** Ze's broad substring reading of names on top of the word reading. */
  readonly broadNames: boolean;
  readonly words: readonly string[];
  readonly except: readonly string[];
}

/** What Ze refuses anywhere inside a name, once `-` and `_` are gone. */
const BROAD = /password|passwd|passphrase|secret|token|apikey|credential|privatekey|cvv/;
const LONGEST_LABEL = 6;
const CACHED_ANSWERS = 2048;
const LONGEST_CACHED = 256;
const TAGS = /<[^<>]{1,200}>/g;
const SEPARATORS = /[^\p{L}\p{N}]+/gu;

export function compileCredentialReader(words: CredentialWords): CredentialReader {
  const lexicon = compileLexicon(words.words, words.except);
  const excepted = words.except.map(squash).filter((word) => word !== '');
  const broad = words.broadNames ? (name: string) => broadAsks(name, excepted) : () => false;
  const isExcepted = excepted.length === 0 ? () => false : (name: string) => excepted.includes(squash(name));
  const titleAsks = (title: string) => readTitle(title, lexicon);
  const textAsks = (text: string) => readText(text, lexicon);
  return {
    nameAsks: remember((name) => !isExcepted(name) && (readName(name, lexicon) || broad(name))),
    titleAsks: remember(titleAsks),
    textAsks: remember(textAsks),
  };
}

function readName(name: string, lexicon: Lexicon): boolean {
  // What is not seen is no space, though JavaScript takes some of it for one.
  if (/\s/.test(foldLetters(name).trim())) return readTitle(name, lexicon);
  return nameAsks(cutName(name, lexicon.vocabulary), lexicon);
}

function readTitle(title: string, lexicon: Lexicon): boolean {
  const words = cutText(title, lexicon.vocabulary);
  const label = words.length <= LONGEST_LABEL + 2 ? cutName(title, lexicon.vocabulary) : [];
  const noun = label.length <= LONGEST_LABEL && !label.some((word) => isDenial(word, lexicon));
  return (noun && nameAsks(label, lexicon)) || proseAsks(words, lexicon);
}

/** A text in markup is also read as it is shown: `<b>Password</b>` is a label. */
function readText(text: string, lexicon: Lexicon): boolean {
  if (proseAsks(cutText(text, lexicon.vocabulary), lexicon)) return true;
  const folded = foldLetters(text);
  const shown = folded.replaceAll(TAGS, '');
  return shown !== folded && proseAsks(cutText(shown, lexicon.vocabulary), lexicon);
}

function isDenial(word: string, { roles }: Lexicon): boolean {
  return ((roles.get(word) ?? 0) & (Role.denial | Role.denialAnywhere)) !== 0;
}

function broadAsks(name: string, excepted: readonly string[]): boolean {
  let squashed = squash(name);
  let alike = squash(foldLookAlikes(foldLetters(name)));
  for (const word of excepted) {
    squashed = squashed.replaceAll(word, ' ');
    alike = alike.replaceAll(word, ' ');
  }
  return BROAD.test(squashed) || BROAD.test(alike);
}

function squash(text: string): string {
  return foldLetters(text).toLowerCase().replaceAll(SEPARATORS, '');
}

/** Servers ask the same few forms again and again. */
function remember(judge: (text: string) => boolean): (text: string) => boolean {
  const answers = new Map<string, boolean>();
  return (text) => {
    if (text.length > LONGEST_CACHED) return judge(text);
    const known = answers.get(text);
    if (known !== undefined) return known;
    const answer = judge(text);
    if (answers.size >= CACHED_ANSWERS) answers.clear();
    answers.set(text, answer);
    return answer;
  };
}
