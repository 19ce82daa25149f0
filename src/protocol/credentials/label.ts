/** A sentence that begins with a credential's name, and is no statement about it, labels a field: `API key for the server`. */
import { Role } from './lexicon.js';
import { isMark, PAUSE, QUERY, STOP } from './marks.js';
import type { Phrase } from './phrases.js';
import * as prose from './prose-words.js';
import { setOf, type TextWords } from './text-words.js';

const UNKNOWN_WORDS = 2;
const USES = setOf(prose.USES);
const WHOLES = setOf(prose.WHOLES);
/** They end the part of a clause that could still turn a label into a statement. */
const CLAUSE_OPENERS = setOf('that which who when if where because used');
const CLOSING =
  Role.ask |
  Role.mildAsk |
  Role.ownAsk |
  Role.choice |
  Role.askAnywhere |
  Role.wanted |
  Role.denial |
  Role.denialAnywhere |
  Role.question |
  Role.subject |
  Role.block |
  Role.headBefore |
  Role.action |
  Role.opener |
  Role.statement |
  Role.fault |
  Role.third |
  Role.report;

export class Label {
  /** Nothing has been read yet that a label does not begin with. */
  #open = true;
  #unknown = 0;
  #found: 'none' | 'open' | 'settled' = 'none';

  get open(): boolean {
    return this.#open;
  }

  close(): void {
    this.#open = false;
  }

  /** Was the clause that ends here a label? */
  settle(): boolean {
    const found = this.#found !== 'none';
    this.#found = 'none';
    return found;
  }

  readMark(mark: string): void {
    const introduced = this.#open && this.#unknown === 0 && mark === PAUSE;
    this.#open = introduced || mark === STOP || mark === QUERY;
    this.#unknown = 0;
  }

  readHarmless(): void {
    this.#unknown += 1;
  }

  readName(phrase: Phrase, text: TextWords, index: number): void {
    const end = index + phrase.length;
    if (this.#open && this.#mayFollow(phrase, text, end)) this.#found = 'open';
    if (!text.is(end, Role.conjunction)) this.#open = false;
  }

  readWord(text: TextWords, index: number): void {
    const role = text.roleAt(index);
    if (this.#found === 'open') {
      if (text.isIn(index, CLAUSE_OPENERS)) this.#found = 'settled';
      else if ((role & Role.statement) !== 0) this.#found = 'none';
    }
    if (!this.#open) return;
    if (isWhole(text, index)) {
      this.#unknown = 0;
    } else if ((role & Role.determiner) !== 0 && (role & (Role.qualifier | Role.conjunction)) === 0) {
      if (this.#unknown > 0) this.#open = false;
    } else if ((role & (Role.qualifier | Role.conjunction)) === 0) {
      if (!text.isTelling(index)) this.#unknown += 1;
      if ((role & CLOSING) !== 0 || this.#unknown > UNKNOWN_WORDS) this.#open = false;
    }
  }

  #mayFollow(phrase: Phrase, text: TextWords, end: number): boolean {
    const next = text.at(end);
    if (next === QUERY) return this.#unknown === 0;
    if (isMark(next)) return true;
    if (next === 'to') return text.isIn(end + 1, USES);
    if (next === 'you') return text.at(end + 1) === 'use' && phrase.kind !== 'token';
    if (next === 'on') return phrase.kind !== 'pin' && phrase.kind !== 'token';
    if (text.isTelling(end)) return isMark(text.at(end + 1)) || text.namesAt(end);
    return text.is(end, Role.follower);
  }
}

/** `the value of your token` is the token. */
function isWhole(text: TextWords, index: number): boolean {
  const word = text.at(index);
  return (word === 'of' || word === 'for') && text.isIn(index - 1, WHOLES);
}
