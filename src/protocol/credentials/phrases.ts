/** Phrases of folded words, looked up longest first. */

/**
 * secret: asks. memorised: asks, and so does being told to choose one. pin, token, card: ask save in their harmless
 * trades. code: prose asks for it when it tells that one was sent. whole: a name asks when it is nothing else. harmless: a
 * longer phrase that takes the sting out of its words. ask: no credential, but a phrase that asks.
 */
export type PhraseKind =
  | 'secret'
  | 'memorised'
  | 'pin'
  | 'token'
  | 'card'
  | 'code'
  | 'whole'
  | 'harmless'
  | 'ask';

export interface Phrase {
  readonly kind: PhraseKind;
  /** Number of words. */
  readonly length: number;
}

interface Node {
  readonly next: Map<string, Node>;
  phrase: Phrase | undefined;
}

/** A word's plural is the word, where the phrase is not one of these: `tokens` and `pins` are other things. */
const SINGULAR: ReadonlySet<PhraseKind> = new Set(['pin', 'token', 'whole', 'ask', 'code']);
const NAMELESS: ReadonlySet<PhraseKind> = new Set(['harmless', 'ask', 'code']);

/** A set of phrases, perhaps on top of a common one that it adds to and overrides. */
export class Phrases {
  readonly #root: Node = { next: new Map(), phrase: undefined };
  readonly #words = new Map<string, boolean>();
  readonly #common: Phrases | undefined;

  constructor(common?: Phrases) {
    this.#common = common;
  }

  add(words: readonly string[], kind: PhraseKind): void {
    if (words.length === 0) return;
    const telling = kind !== 'harmless' && kind !== 'ask';
    let node = this.#root;
    for (const word of words) {
      const next = node.next.get(word) ?? { next: new Map(), phrase: undefined };
      node.next.set(word, next);
      node = next;
      this.#words.set(word, telling || this.#words.get(word) === true);
    }
    node.phrase = { kind, length: words.length };
  }

  /** Every word of every phrase, and whether some phrase that asks has it. */
  words(): Map<string, boolean> {
    const words = this.#common?.words() ?? new Map<string, boolean>();
    for (const [word, telling] of this.#words) words.set(word, telling || words.get(word) === true);
    return words;
  }

  /** Is the word the name of a credential by itself? */
  asksAlone(word: string): boolean {
    const phrase = this.at([word], 0);
    return phrase !== undefined && !NAMELESS.has(phrase.kind);
  }

  /** The longest phrase that starts at `start`; of equally long ones, this set's before the common one's. */
  at(words: readonly string[], start: number): Phrase | undefined {
    const own = longest(this.#root, words, start);
    const common = this.#common?.at(words, start);
    return common !== undefined && common.length > (own?.length ?? 0) ? common : own;
  }
}

function longest(root: Node, words: readonly string[], start: number): Phrase | undefined {
  let node = root;
  let found: Phrase | undefined;
  for (let index = start; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const next = node.next.get(word);
    found = next?.phrase ?? pluralOf(node, word) ?? found;
    if (next === undefined) break;
    node = next;
  }
  return found;
}

function pluralOf(node: Node, word: string): Phrase | undefined {
  if (!word.endsWith('s')) return undefined;
  const phrase = node.next.get(word.slice(0, -1))?.phrase;
  return phrase !== undefined && (phrase.length > 1 || !SINGULAR.has(phrase.kind)) ? phrase : undefined;
}
