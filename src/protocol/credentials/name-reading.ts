/** Reads a name or a short label, which is a noun phrase: the last noun says what it is, the others what kind. */
import { type Lexicon, Role } from './lexicon.js';
import type { Phrase } from './phrases.js';
import { PIN_FOLLOWERS } from './prose-words.js';

const PIN_TAIL: ReadonlySet<string> = new Set(PIN_FOLLOWERS.split(' '));
/** A payment card's expiry is part of what authorizes a payment; a password's is not. */
const CARD_EXPIRY: ReadonlySet<string> = new Set(['exp', 'expiry', 'expires', 'expiration']);
const NUMBER = /^\d+$/;
const LONGEST_JOINED = 32;

export function nameAsks(words: readonly string[], lexicon: Lexicon): boolean {
  const whole = lexicon.phrases.at(words, 0);
  if (whole?.kind === 'harmless' && whole.length === words.length) return false;
  return phraseAsks(words, lexicon) || joinedAsks(words, lexicon);
}

function phraseAsks(words: readonly string[], lexicon: Lexicon): boolean {
  const { phrases, roles } = lexicon;
  const roleOf = (word: string | undefined) => (word === undefined ? 0 : (roles.get(word) ?? 0));
  const first = phrases.at(words, 0);
  const about = (roleOf(words[0]) & (Role.action | Role.opener)) !== 0;
  if (first === undefined && about && words.length > 1) return false;
  const lastHead = words.findLastIndex((word) => (roleOf(word) & Role.head) !== 0);
  const lastExpiry = words.findLastIndex((word) => CARD_EXPIRY.has(word));
  for (let index = 0; index < words.length; ) {
    const phrase = phrases.at(words, index);
    if (phrase === undefined || phrase.kind === 'ask') {
      if ((roleOf(words[index]) & (Role.block | Role.headBefore)) !== 0) return false;
      index += 1;
      continue;
    }
    const end = index + phrase.length;
    let next = end;
    while (next < words.length && NUMBER.test(words[next] ?? '')) next += 1;
    const stated = (roleOf(words[next]) & Role.statement) !== 0;
    const qualifies = lastHead >= end || stated;
    if (phrase.kind === 'card' && lastExpiry >= end) return true;
    if (
      phrase.kind === 'whole'
        ? index === 0 && next === words.length
        : asksBefore(phrase, words, next, qualifies)
    ) {
      return !(phrase.kind === 'pin' && words.some((word) => (roleOf(word) & Role.hardware) !== 0));
    }
    index = end;
  }
  return false;
}

function asksBefore(phrase: Phrase, words: readonly string[], next: number, qualifies: boolean): boolean {
  switch (phrase.kind) {
    case 'harmless':
    case 'code':
    case 'ask':
    case 'whole':
      return false;
    case 'pin':
      return next >= words.length || PIN_TAIL.has(words[next] ?? '');
    default:
      return !qualifies;
  }
}

/** `pass_word`, `p_i_n`: the whole name, run together, is one word of a credential. */
function joinedAsks(words: readonly string[], { phrases }: Lexicon): boolean {
  if (words.length < 2 || words.length > LONGEST_JOINED) return false;
  const joined = words.join('');
  return joined.length <= LONGEST_JOINED && phrases.asksAlone(joined);
}
