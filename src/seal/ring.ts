/** The keys that seal states: the first seals, every one opens. */
import { randomBytes } from 'node:crypto';
import type { OpenedToken, StateSealer } from '../engine/state.js';
import { KEY_BYTES, SealKey } from './key.js';
import { openToken, sealToken } from './token.js';

const PSEUDONYM_LABEL = 'mrtr-gateway pseudonym';
const PSEUDONYM_LENGTH = 16;
const MAX_PSEUDONYMS = 4_096;

export class KeyRing implements StateSealer {
  readonly #first: SealKey;
  readonly #keys: ReadonlyMap<string, SealKey>;
  readonly #pseudonyms = new Map<string, string>();

  /** At least one key; a key that is there twice counts once. */
  constructor(keys: readonly Uint8Array[]) {
    const all = keys.map((key) => new SealKey(key));
    const [first] = all;
    if (first === undefined) throw new RangeError('a key ring needs a key');
    this.#first = first;
    this.#keys = new Map(all.map((key) => [key.id, key]));
  }

  /** A ring of one key that nobody else has. */
  static ephemeral(): KeyRing {
    return new KeyRing([randomBytes(KEY_BYTES)]);
  }

  get keyIds(): readonly string[] {
    return [...this.#keys.keys()];
  }

  seal(content: string): string {
    return sealToken(this.#first, content);
  }

  open(token: string): OpenedToken | undefined {
    return openToken((id) => this.#keys.get(id), token);
  }

  /** Callers come again and again, and to derive one costs more than all else that the audit log needs. */
  pseudonym(name: string): string {
    const known = this.#pseudonyms.get(name);
    if (known !== undefined) return known;
    const derived = this.#first.derive(PSEUDONYM_LABEL, name).toString('base64url');
    const pseudonym = derived.slice(0, PSEUDONYM_LENGTH);
    if (this.#pseudonyms.size >= MAX_PSEUDONYMS) this.#pseudonyms.clear();
    this.#pseudonyms.set(name, pseudonym);
    return pseudonym;
  }
}
