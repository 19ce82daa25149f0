/** A sentence that begins with a credential's name, and is no statement about it, labels a field: `API key for the server`. */
import { Role } from './lexicon.js';
import { isMark, LEAD, PAUSE, QUERY, STOP } from './marks.js';
import type { Phrase, PhraseKind } from './phrases.js';
import * as prose from './prose-words.js';
import { setOf, type TextWords } from './text-words.js';

const UNKNOWN_WORDS = 2;
const USES = setOf(prose.USES);
const WISHES = setOf(prose.WISHES);
const POWERS = setOf(prose.POWERS);
const FORMATS = setOf(prose.FORMATS);
const INTRODUCTIONS = setOf(prose.INTRODUCTIONS);
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
  /** After a colon only `your …` is a label; what else stands there may be an example. */
  #ownOnly = false;
  #own = false;
  #found: 'none' | 'open' | 'settled' = 'none';
  #kind: PhraseKind | undefined;
  /** Words stand before the name that may be a verb: `rotate token?` is no label. */
  #modified = false;

  get open(): boolean {
    return this.#open;
  }

  close(): void {
    this.#open = false;
  }

  /** What the clause that ends here was a label for. */
  settle(mark: string | undefined): PhraseKind | undefined {
    const asked = mark === QUERY && this.#modified;
    const kind = this.#found === 'none' || asked ? undefined : this.#kind;
    this.#found = 'none';
    return kind;
  }

  readMark(mark: string, text: TextWords, index: number): void {
    const aside = this.#open && this.#unknown === 0 && mark === PAUSE;
    const introduced = aside || mark === LEAD;
    this.#ownOnly = mark === LEAD && !text.isIn(index - 1, INTRODUCTIONS);
    this.#own = false;
    this.#open = introduced || mark === STOP || mark === QUERY;
    this.#unknown = 0;
  }

  readHarmless(): void {
    this.#unknown += 1;
  }

  readName(phrase: Phrase, text: TextWords, index: number): void {
    const end = index + phrase.length;
    if (this.#open && (this.#own || !this.#ownOnly) && this.#mayFollow(phrase, text, end)) {
      this.#found = 'open';
      this.#kind = phrase.kind;
      this.#modified = this.#unknown > 0;
    }
    if (!text.is(end, Role.conjunction)) this.#open = false;
  }

  readWord(text: TextWords, index: number): void {
    const role = text.roleAt(index);
    if (this.#found === 'open') {
      if (text.isIn(index, CLAUSE_OPENERS)) this.#found = 'settled';
      else if ((role & Role.statement) !== 0) this.#found = 'none';
    }
    if (!this.#open) return;
    if ((role & Role.own) !== 0) this.#own = true;
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
    const traded = phrase.kind === 'token' || phrase.kind === 'pin';
    switch (next) {
      case 'to':
        return text.isIn(end + 1, USES) && !(traded && text.at(end + 1) === 'use');
      case 'you':
        return !traded && !text.isIn(end + 1, WISHES);
      case 'that':
      case 'which':
        if (text.isIn(end + 1, POWERS)) return true;
        return !traded && text.at(end + 1) === 'you' && !text.isIn(end + 2, WISHES);
      case 'on':
        return !traded;
      case 'in':
        return text.isIn(end + 1, FORMATS);
      case 'and':
        return phrase.kind === 'card';
      case 'a':
        return text.isTelling(end + 1);
      case 'do':
        return !text.is(end + 1, Role.denial | Role.statement);
    }
    if (text.is(end, Role.follower)) return true;
    return text.isTelling(end) && (isMark(text.at(end + 1)) || text.namesAt(end));
  }
}

/** `the value of your token` is the token. */
function isWhole(text: TextWords, index: number): boolean {
  const word = text.at(index);
  return (word === 'of' || word === 'for') && text.isIn(index - 1, WHOLES);
}
