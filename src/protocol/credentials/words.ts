/** Cuts text into folded lower-case words, and into the marks that end a clause. Time is linear in the text's length. */
import { foldLetters, foldLookAlikes, foldOtherScripts } from './look-alikes.js';
import { isMark, markAt } from './marks.js';
import type { Runs } from './runs.js';

/** What the cutting has to know: words to keep whole, and words to find inside longer runs. */
export interface Vocabulary {
  /** Every word that means something to a reader. */
  readonly known: ReadonlySet<string>;
  /** Words of credentials, and long words that ask: what look-alike letters would hide. */
  readonly hidden: ReadonlySet<string>;
  /** What a credential's name only qualifies: not taken for an inflection. */
  readonly heads: ReadonlySet<string>;
  /** Is the word a credential's name by itself? */
  readonly alone: (word: string) => boolean;
  readonly runs: Runs;
  /** Words of other scripts by what they look like, and how to find these: `пapoль` is half Latin. */
  readonly disguised: ReadonlyMap<string, string>;
  readonly disguisedRuns: Runs;
  /** Words by what they are with an i for each l: a single stroke may be either. */
  readonly strokes: ReadonlyMap<string, string>;
  /** Pieces that were cut before. */
  readonly cache: Map<string, readonly string[]>;
}

const PIECES =
  /[@$€!|]?[\p{L}\p{N}\p{Mc}]+(?:['’`@$€|!]+[\p{L}\p{N}\p{Mc}]+)*|[.!?。؟।;:,、،()[\]{}"“”„«»「」—–\n‘'’]|(?<=\s)[/+&](?=\s)/gu;
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}ー]+/gu;
const HAS_UNSPACED = new RegExp(UNSPACED.source, 'u');
const LATIN = /[a-z]/i;
const NOT_LATIN = /[\p{sc=Cyrl}\p{sc=Grek}\p{sc=Armn}\p{sc=Cher}\p{sc=Lisu}\p{sc=Copt}]/u;
const LETTERS = /^[a-z]+$/i;
const DIGITS = /^\d+$/;
const LOWER = /^[a-z]+$/;
const WORD_START = /[\p{L}\p{N}\p{Mc}]/u;
const PARTS =
  /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{Mc}\p{Lt}]+|\p{Lu}+|[\p{Lo}\p{Mc}\p{Lm}]+|\p{N}+/gu;
/** A capital I among small letters, a small l among capitals. */
const MISPLACED = /\p{Ll}I|\p{Lu}{2}l|\p{Lu}l\p{Lu}/u;
/** They may be an i or an l. */
const STROKES = /[1|ӏӀ]/g;
const QUOTES = /['’`]/g;
const INSIDE = /['’`@$€|!]+/;
const SHORTEST_RUN = 5;
const LONGEST_CACHED = 24;
const CACHED_PIECES = 4096;
/** Single letters in a row that may spell a word. */
const SPELLED = 3;

/** The words and marks of a text. */
export function cutText(text: string, vocabulary: Vocabulary): string[] {
  const folded = foldLetters(text);
  const words: string[] = [];
  let letters = 0;
  for (const { 0: piece, index } of folded.matchAll(PIECES)) {
    if (piece.length === 1 && !WORD_START.test(piece)) {
      const mark = markAt(folded, index);
      if (mark === '') continue;
      letters = joinLetters(words, letters, vocabulary);
      words.push(mark);
      continue;
    }
    if (piece.length > 1) letters = joinLetters(words, letters, vocabulary);
    else letters += 1;
    for (const word of cutPiece(piece, vocabulary)) words.push(word);
  }
  joinLetters(words, letters, vocabulary);
  return words;
}

/** The words of a name or label, without marks. */
export function cutName(name: string, vocabulary: Vocabulary): string[] {
  return cutText(name, vocabulary).filter((word) => !isMark(word));
}

/** `p a s s w o r d` is one word, when it is one of a credential's. */
function joinLetters(words: string[], letters: number, vocabulary: Vocabulary): 0 {
  if (letters < SPELLED || words.length < letters) return 0;
  const joined = cutPiece(words.slice(-letters).join(''), vocabulary);
  if (joined.some((word) => vocabulary.alone(word) || vocabulary.hidden.has(word))) {
    words.length -= letters;
    for (const word of joined) words.push(word);
  }
  return 0;
}

function cutPiece(piece: string, vocabulary: Vocabulary): readonly string[] {
  const cached = vocabulary.cache.get(piece);
  if (cached !== undefined) return cached;
  const words: string[] = [];
  if (DIGITS.test(piece)) words.push(piece);
  else if (LETTERS.test(piece)) pushRun(words, piece, vocabulary);
  else pushMixed(words, piece, vocabulary);
  if (!LETTERS.test(piece) || MISPLACED.test(piece)) readStrokes(words, piece, vocabulary);
  if (words.at(-1) === 't' && /n['’]t$/i.test(piece)) words.splice(-1, 1, 'not');
  if (piece.length <= LONGEST_CACHED) {
    if (vocabulary.cache.size >= CACHED_PIECES) vocabulary.cache.clear();
    vocabulary.cache.set(piece, words);
  }
  return words;
}

/** A piece with digits, signs or letters that are not Latin: read as it is, or as what it looks like. */
function pushMixed(words: string[], piece: string, vocabulary: Vocabulary): void {
  for (const part of piece.replaceAll('ⲥ', 'σ').split(INSIDE)) pushPart(words, part, vocabulary);
  if (HAS_UNSPACED.test(piece) || (words.length === 1 && vocabulary.known.has(words[0] ?? ''))) return;
  const plain = piece.replaceAll(QUOTES, '');
  const told = tellingIn(words, vocabulary);
  for (const variant of new Set([
    foldLookAlikes(withoutNumber(plain)),
    foldLookAlikes(plain),
    foldLookAlikes(plain.replaceAll(STROKES, 'i')),
    foldLookAlikes(plain.replaceAll(STROKES, 'l')),
    foldOtherScripts(plain),
  ])) {
    const seen = wordsOf([variant], vocabulary);
    if (tellingIn(seen, vocabulary) <= told && !seen.some(vocabulary.alone)) continue;
    words.splice(0, words.length, ...undisguised(seen, vocabulary));
    return;
  }
  if (!LATIN.test(piece) || !NOT_LATIN.test(piece) || words.some(vocabulary.alone)) return;
  const fold = /^\d/.test(piece) ? foldOtherScripts : foldLookAlikes;
  const seen = wordsOf(fold(withoutNumber(piece)).split(QUOTES), vocabulary);
  words.splice(0, words.length, ...undisguised(seen, vocabulary));
}

function withoutNumber(piece: string): string {
  return piece.replace(/(?<=\D)\d+$/, '');
}

function tellingIn(words: readonly string[], { hidden }: Vocabulary): number {
  return words.filter((word) => hidden.has(word)).length;
}

function wordsOf(parts: readonly string[], vocabulary: Vocabulary): string[] {
  const words: string[] = [];
  for (const part of parts) if (part !== '') pushRun(words, part, vocabulary);
  return words;
}

/** `credentia1`, `credentiaI`, `APl`: to the eye these are one letter. */
function readStrokes(words: string[], piece: string, vocabulary: Vocabulary): void {
  if (words.some(vocabulary.alone) || words.every((word) => vocabulary.known.has(word))) return;
  const plain = foldLookAlikes(piece);
  const isCapital = !/[a-km-z]/.test(plain);
  const upright = isCapital ? plain.replaceAll('l', 'I') : plain.replaceAll('I', 'i');
  const seen = wordsOf(upright.split(QUOTES), vocabulary);
  const straight = seen.map((word) =>
    vocabulary.known.has(word) ? word : (vocabulary.strokes.get(word.replaceAll('l', 'i')) ?? word),
  );
  const telling = (word: string) => vocabulary.alone(word) || vocabulary.hidden.has(word);
  if (straight.some((word, index) => word !== seen[index] || (isCapital && telling(word))))
    words.splice(0, words.length, ...straight);
}

function undisguised(words: readonly string[], { disguised, disguisedRuns }: Vocabulary): string[] {
  return words.flatMap((word) => disguisedRuns.cut(word)).map((word) => disguised.get(word) ?? word);
}

/** A run of letters and digits, cut where a script without spaces begins or ends. */
function pushPart(words: string[], part: string, vocabulary: Vocabulary): void {
  if (part === '') return;
  let end = 0;
  for (const { 0: run, index } of part.matchAll(UNSPACED)) {
    if (index > end) pushRun(words, part.slice(end, index), vocabulary);
    pushWithin(words, run, vocabulary);
    end = index + run.length;
  }
  if (end < part.length) pushRun(words, part.slice(end), vocabulary);
}

/** One run of letters and digits: whole when it is known, else cut at camel case and at known words. */
function pushRun(words: string[], run: string, vocabulary: Vocabulary): void {
  const { known } = vocabulary;
  const lower = run.toLowerCase();
  if (known.has(run)) words.push(run);
  else if (known.has(lower)) words.push(lower);
  else if (LOWER.test(run) || /^\p{Lu}{2,}s$/u.test(run)) pushWithin(words, lower, vocabulary);
  else pushCased(words, run, vocabulary);
}

/** Camel case is cut; case that follows no word (`cReDiTcard`) is none, where a credential's word comes out without it. */
function pushCased(words: string[], run: string, vocabulary: Vocabulary): void {
  const { known, hidden } = vocabulary;
  const parts: string[] = [];
  for (const [part] of run.matchAll(PARTS))
    pushWithin(parts, known.has(part) ? part : part.toLowerCase(), vocabulary);
  const whole: string[] = [];
  const isOdd =
    NOT_LATIN.test(run) || parts.some((part) => part.length <= 2 && !known.has(part) && !DIGITS.test(part));
  if (isOdd && !parts.some((part) => hidden.has(part))) pushWithin(whole, run.toLowerCase(), vocabulary);
  for (const word of whole.some((part) => hidden.has(part)) ? whole : parts) words.push(word);
}

/** `dbpasswordpolicy` is db password policy; an inflection's few letters behind a known word go. */
function pushWithin(words: string[], run: string, { heads, known, runs }: Vocabulary): void {
  if (known.has(run) || (run.length < SHORTEST_RUN && !HAS_UNSPACED.test(run))) {
    words.push(run);
    return;
  }
  const parts = runs.cut(run);
  for (let index = 0; index < parts.length - 1; index += 1) words.push(parts[index] ?? '');
  const tail = parts.at(-1) ?? '';
  const rest = parts.length > 1 && tail.startsWith('s') && heads.has(tail.slice(1)) ? tail.slice(1) : tail;
  const inflection = rest.length <= 3 && !heads.has(rest) && !HAS_UNSPACED.test(rest);
  if (parts.length === 1 || !inflection) words.push(rest);
}
