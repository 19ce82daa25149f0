/**
 * Reads a sentence or several: does it ask for a credential, or merely mention one? English asks before the name (`enter
 * your password`), other languages on either side of it; a label asks by being one.
 */
import { Label } from './label.js';
import { type Lexicon, Role } from './lexicon.js';
import { foldLetters } from './look-alikes.js';
import { ITEM, isMark, LEAD, PAUSE, QUOTE } from './marks.js';
import type { Phrase } from './phrases.js';
import * as prose from './prose-words.js';
import { Request } from './request.js';
import { setOf, TextWords } from './text-words.js';

const REACH_BACK = 8;
const WANTED_REACH_BACK = 4;
const REQUESTING = Role.ask | Role.mildAsk | Role.ownAsk | Role.choice | Role.askAnywhere | Role.wanted;
const SCREEN_PARTS = setOf(prose.SCREEN_PARTS);
const PRONOUNS = setOf(prose.PRONOUNS);
const NOUNS_TOO = setOf(prose.NOUNS_TOO);
const VERB_SIGNS = setOf(prose.VERB_SIGNS);
const SETTINGS = setOf(prose.SETTINGS);
const WHAT = setOf(foldLetters(prose.WHAT));
const EMBEDDED = setOf(prose.EMBEDDED);

export function proseAsks(words: readonly string[], lexicon: Lexicon): boolean {
  return new ProseReading(new TextWords(words, lexicon)).asks();
}

class ProseReading {
  readonly #text: TextWords;
  readonly #label = new Label();

  /** Of the whole text. */
  #sure = false;
  #mentioned = false;
  #codeAsked = false;
  #codeSent = false;
  #hardwareText: boolean | undefined;

  /** Of the sentence or clause. */
  #request: Request | undefined;
  #denial = false;
  #denialAnywhere = false;
  #question = false;
  #reported = false;
  #hardware = false;
  /** Something is done with a credential that is there already. */
  #acted = false;
  #afterPause = false;
  #clauseAt = 0;
  /** The last credential's name: its end, and whether asking for it would be asking. */
  #name: { readonly end: number; readonly denied: boolean } | undefined;
  #askedAnywhere = false;
  #askedPin = false;

  constructor(text: TextWords) {
    this.#text = text;
  }

  asks(): boolean {
    for (let index = 0; index < this.#text.length && !this.#sure; ) {
      const mark = this.#text.at(index);
      const phrase = isMark(mark) ? undefined : this.#text.phraseAt(index);
      if (phrase !== undefined) this.#readPhrase(phrase, index);
      else if (isMark(mark)) this.#readMark(mark ?? '', index);
      else this.#readWord(index);
      index += phrase?.length ?? 1;
    }
    this.#settle(undefined);
    return this.#sure;
  }

  /** At the end of a clause: what could still have been denied, or explained away, has not been. */
  #settle(mark: string | undefined): void {
    const anywhere = this.#askedAnywhere && !this.#denialAnywhere;
    const pin = this.#askedPin && !this.#hardware && !this.#denialAnywhere;
    const kind = this.#label.settle(mark);
    const label = kind !== undefined && !this.#denialAnywhere && !(kind === 'pin' && this.#aboutHardware());
    this.#sure ||= anywhere || pin || label || (this.#codeAsked && this.#codeSent);
    this.#askedAnywhere = false;
    this.#askedPin = false;
  }

  /** Nothing but a word elsewhere tells a pin's label from a PIN's. */
  #aboutHardware(): boolean {
    this.#hardwareText ??= this.#text.some(Role.hardware);
    return this.#hardwareText;
  }

  #readMark(mark: string, index: number): void {
    if (mark === QUOTE) {
      this.#request?.readQuote(index);
      return;
    }
    this.#settle(mark);
    this.#label.readMark(mark, this.#text, index);
    const continues = mark === PAUSE || mark === ITEM;
    const leads = mark === LEAD && this.#request?.announces(this.#text, index) === true;
    if (!continues && !leads) this.#request = undefined;
    if (!continues) this.#hardware = false;
    const interrupted = this.#text.is(index - 1, Role.denial) && this.#text.at(index - 1) !== 'no';
    this.#denial = mark === PAUSE && interrupted;
    this.#denialAnywhere = false;
    this.#question &&= mark === PAUSE && this.#text.isIn(index - 1, SETTINGS);
    this.#reported = false;
    this.#acted = false;
    this.#name = undefined;
    this.#afterPause = mark === PAUSE;
    this.#clauseAt = index + 1;
  }

  #readPhrase(phrase: Phrase, index: number): void {
    switch (phrase.kind) {
      case 'ask':
        return this.#readAsk(phrase, index);
      case 'code':
        return this.#readCode(phrase, index);
      case 'harmless':
      case 'whole':
        return this.#label.readHarmless();
      default:
        return this.#readName(phrase, index);
    }
  }

  /** `what is`, `wie lautet`: a question for the thing itself; `what is a` asks to explain. */
  #readAsk(phrase: Phrase, index: number): void {
    const end = index + phrase.length - 1;
    if (this.#name?.denied === false) this.#askedAnywhere = true;
    if (!this.#reported) this.#request = new Request(Role.ask, end, this.#denial);
    const next = this.#text.at(end + 1);
    if (this.#text.at(index) === 'what' && (next === 'a' || next === 'an')) this.#request?.block();
    this.#label.close();
  }

  #readCode(phrase: Phrase, index: number): void {
    const labels = this.#label.open && !this.#text.is(index + phrase.length, Role.statement);
    if (labels || this.#requested(phrase, index)) this.#codeAsked = true;
    this.#mentioned ||= this.#codeSent;
  }

  #readName(phrase: Phrase, index: number): void {
    const end = index + phrase.length;
    const qualifies = this.#text.is(end, Role.head) && !this.#text.is(end, Role.wanted);
    if (qualifies || this.#text.at(end) === 's' || this.#text.isIn(end, SCREEN_PARTS)) {
      this.#label.close();
      this.#request?.block();
      return;
    }
    const stated = (this.#afterPause || this.#request?.wanted) && this.#text.is(end, Role.statement);
    const what = this.#text.isIn(index - 1, WHAT) && (phrase.kind === 'pin' || phrase.kind === 'memorised');
    if (what) this.#request = new Request(Role.ask, index - 1, this.#denial);
    if (!stated && this.#requested(phrase, index)) this.#ask(phrase);
    const denied = this.#denial || this.#question || this.#reported;
    this.#name = { end, denied };
    this.#mentioned ||= (!denied || this.#question) && !this.#acted;
    this.#label.readName(phrase, this.#text, index);
  }

  #requested(phrase: Phrase, index: number): boolean {
    return !this.#denial && this.#request?.asksFor(phrase, index, this.#question) === true;
  }

  #ask(phrase: Phrase): void {
    const strength = this.#request?.strength;
    if (phrase.kind === 'pin') this.#askedPin = true;
    else if (strength === 'anywhere' || strength === 'choice') this.#askedAnywhere = true;
    else this.#sure = true;
  }

  #readWord(index: number): void {
    const role = this.#text.roleAt(index);
    if ((role & Role.sent) !== 0) this.#codeSent = true;
    if ((role & Role.hardware) !== 0) this.#hardware = true;
    if ((role & Role.action) !== 0) this.#acted = true;
    if ((role & Role.subject) !== 0) this.#request = undefined;
    if ((role & REQUESTING) !== 0 && !this.#isNoun(role, index)) this.#readRequest(role, index);
    this.#readDenial(role, index);
    this.#readQuestion(role, index);
    this.#request?.read(this.#text, index, this.#afterPause && index === this.#clauseAt);
    this.#label.readWord(this.#text, index);
  }

  #isNoun(role: number, index: number): boolean {
    const previous = this.#text.at(index - 1);
    if (this.#text.is(index - 1, Role.determiner) && !this.#text.is(index - 1, Role.toUs)) return true;
    if (!this.#text.isIn(index, NOUNS_TOO) || (role & Role.askAnywhere) !== 0) return false;
    return !isMark(previous) && !this.#text.isIn(index - 1, VERB_SIGNS);
  }

  #readRequest(role: number, index: number): void {
    const distance = this.#name?.denied === false && !this.#denial ? index - this.#name.end : Infinity;
    if ((role & Role.wanted) !== 0 && distance < WANTED_REACH_BACK) this.#sure = true;
    if ((role & Role.askAnywhere) !== 0 && distance <= REACH_BACK) this.#askedAnywhere = true;
    if (this.#reported || (this.#question && (role & Role.askAnywhere) === 0)) {
      this.#request = undefined;
      return;
    }
    const pronoun = this.#text.isIn(index + 1, PRONOUNS) && this.#text.at(index + 2) !== 'of';
    if ((role & Role.ask) !== 0 && pronoun && this.#mentioned && !this.#denial) this.#sure = true;
    this.#request = new Request(role, index, this.#denial);
  }

  #readDenial(role: number, index: number): void {
    if ((role & Role.denialAnywhere) !== 0) this.#denialAnywhere = true;
    if ((role & Role.omission) !== 0) {
      this.#denial = false;
      this.#denialAnywhere = false;
    }
    if ((role & Role.denial) === 0) return;
    const needed = this.#denial && this.#text.at(index) === 'without';
    if (needed) this.#request = new Request(Role.ask, index, false);
    else this.#request?.block();
    this.#denial = !needed;
  }

  #readQuestion(role: number, index: number): void {
    const head = index === this.#clauseAt && !this.#text.is(index + 1, Role.ask | Role.denial);
    const wish = this.#text.at(index) === 'like' && this.#text.at(index + 1) === 'to';
    if (((role & Role.question) !== 0 && head) || this.#text.isIn(index, EMBEDDED) || wish)
      this.#question = true;
    const by = this.#text.is(index - 1, Role.reporter) || this.#text.is(index - 2, Role.reporter);
    if ((role & Role.report) !== 0 && by) this.#reported = true;
  }
}
