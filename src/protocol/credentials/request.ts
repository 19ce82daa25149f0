/** A verb that asks, and what has been read since of the thing that it asks for. */
import { Role } from './lexicon.js';
import type { Phrase, PhraseKind } from './phrases.js';
import * as prose from './prose-words.js';
import { setOf, type TextWords } from './text-words.js';

/** own: asks for `your token` only. mild: also when it comes `to me`, or for what is known by heart. */
type Strength = 'firm' | 'mild' | 'own' | 'choice' | 'anywhere';

const REACH = 16;
const PLACE_REACH = 4;
const LIST_REACH = 4;
const WHOLES = setOf(prose.WHOLES);
const PLACES = setOf(prose.PLACES);
const PARTICLES = setOf('in de da di del della out over with using on');
const MEMORISED: ReadonlySet<PhraseKind> = new Set(['memorised', 'pin']);

export class Request {
  readonly strength: Strength;
  readonly denied: boolean;
  /** `required`: what follows may turn out to be a statement. */
  readonly wanted: boolean;
  /** `confirm the payment with your PIN` */
  readonly #instrumental: boolean;
  #at: number;
  /** What is asked for is something else: `the name of` … */
  #blocked = false;
  #own = false;
  #toUs = false;
  #quoted = false;

  constructor(role: number, at: number, denied: boolean) {
    this.strength = strengthOf(role);
    this.wanted = (role & Role.wanted) !== 0;
    this.#instrumental = (role & Role.ownAsk) !== 0;
    this.denied = denied;
    this.#at = at;
  }

  block(): void {
    this.#blocked = true;
  }

  /** Does it ask for the credential named at `index`? */
  asksFor(phrase: Phrase, index: number, question: boolean): boolean {
    if (this.denied || this.#blocked || index - this.#at > REACH) return false;
    const memorised = MEMORISED.has(phrase.kind);
    switch (this.strength) {
      case 'mild':
        return this.#own || this.#toUs || ((memorised || phrase.kind === 'card') && !question);
      case 'own':
        return this.#own || this.#toUs;
      case 'choice':
        return memorised;
      default:
        return true;
    }
  }

  /** `type 'delete token'` asks for these very words. */
  readQuote(index: number): void {
    if (this.#quoted || this.#at === index - 1) {
      this.#quoted = !this.#quoted;
      this.#blocked = this.#quoted;
    }
  }

  /** `provide the following:` reaches beyond its clause. */
  announces(text: TextWords, index: number): boolean {
    if (this.denied || this.strength === 'choice') return false;
    let announced = this.#at === index - 1;
    for (let back = Math.max(this.#at + 1, index - LIST_REACH); back < index; back += 1) {
      announced ||= text.is(back, Role.announcement | Role.toUs);
    }
    if (!announced) return false;
    this.#at = index;
    this.#own = true;
    this.#blocked = false;
    return true;
  }

  /** A word between the request and the name that may follow. */
  read(text: TextWords, index: number, afterPause: boolean): void {
    if (this.#at === index) return;
    const role = text.roleAt(index);
    if ((role & Role.own) !== 0) this.#own = true;
    if ((role & Role.toUs) !== 0) this.#toUs = true;
    const another = (role & Role.conjunction) !== 0 && text.is(index + 1, Role.determiner);
    const listed = afterPause && (role & Role.determiner) !== 0;
    if ((another || listed) && !this.#quoted) this.#blocked = false;
    if ((role & (Role.action | Role.headBefore | Role.third)) !== 0) this.#blocked = true;
    if ((role & Role.block) !== 0 && !this.#passes(text, index)) this.#blocked = true;
  }

  #passes(text: TextWords, index: number): boolean {
    const word = text.at(index);
    if (this.#instrumental && (word === 'with' || word === 'using')) {
      this.#blocked = false;
      this.#own = false;
      return true;
    }
    const near = this.#at === index - 1 || text.is(index - 1, Role.toUs);
    if (near && text.isIn(index, PARTICLES)) {
      this.#at = index;
      return true;
    }
    if ((word === 'of' || word === 'for') && text.isIn(index - 1, WHOLES)) return true;
    if (word !== 'in' && word !== 'into') return false;
    for (let ahead = 1; ahead <= PLACE_REACH; ahead += 1) if (text.isIn(index + ahead, PLACES)) return true;
    return false;
  }
}

function strengthOf(role: number): Strength {
  if ((role & Role.ask) !== 0) return 'firm';
  if ((role & (Role.askAnywhere | Role.wanted)) !== 0) return 'anywhere';
  if ((role & Role.mildAsk) !== 0) return 'mild';
  return (role & Role.ownAsk) !== 0 ? 'own' : 'choice';
}
