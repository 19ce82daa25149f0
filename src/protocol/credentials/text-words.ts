/** A text's words and marks with the roles that they have, by position. */
import type { Lexicon } from './lexicon.js';
import type { Phrase } from './phrases.js';

export class TextWords {
  readonly #lexicon: Lexicon;
  readonly #words: readonly string[];

  constructor(words: readonly string[], lexicon: Lexicon) {
    this.#words = words;
    this.#lexicon = lexicon;
  }

  get length(): number {
    return this.#words.length;
  }

  /** Undefined beyond either end. */
  at(index: number): string | undefined {
    return this.#words[index];
  }

  isIn(index: number, words: ReadonlySet<string>): boolean {
    const word = this.#words[index];
    return word !== undefined && words.has(word);
  }

  roleAt(index: number): number {
    const word = this.#words[index];
    return word === undefined ? 0 : (this.#lexicon.roles.get(word) ?? 0);
  }

  is(index: number, mask: number): boolean {
    return (this.roleAt(index) & mask) !== 0;
  }

  /** Does the word belong to credentials' names, or is it a number? */
  isTelling(index: number): boolean {
    const word = this.#words[index];
    return word !== undefined && (this.#lexicon.vocabulary.hidden.has(word) || /^\d+$/.test(word));
  }

  /** Does a credential's name start here? */
  namesAt(index: number): boolean {
    const kind = this.phraseAt(index)?.kind;
    return kind !== undefined && kind !== 'harmless' && kind !== 'ask' && kind !== 'whole' && kind !== 'code';
  }

  some(mask: number): boolean {
    return this.#words.some((_word, index) => this.is(index, mask));
  }

  phraseAt(index: number): Phrase | undefined {
    return this.#lexicon.phrases.at(this.#words, index);
  }
}

export function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/));
}
