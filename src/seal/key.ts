/** A key that seals states. It never leaves its object in a form that can be printed. */
import { createHmac, randomBytes } from 'node:crypto';

export const KEY_BYTES = 32;
/** A random key of this length has fewer different bytes once in more keys than will ever be made. */
const LEAST_DIFFERENT_BYTES = 12;
const ID_LABEL = 'mrtr-gateway key id';

/** A fresh 256-bit key as text: base64url without padding. */
export function generateKey(): string {
  return randomBytes(KEY_BYTES).toString('base64url');
}

/** Reads base64url, base64 or hex text of exactly 256 bits; undefined for anything else, and for what is plainly not random. */
export function parseKey(text: string): Uint8Array | undefined {
  const bytes = decode(text);
  if (bytes?.length !== KEY_BYTES || new Set(bytes).size < LEAST_DIFFERENT_BYTES) return undefined;
  return bytes;
}

function decode(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  return /^[A-Za-z0-9_-]{43}$|^[A-Za-z0-9+/]{43}=$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}

/** Names a key without telling anything of it: eight hexadecimal digits, the same wherever the key is. */
export function keyId(key: Uint8Array): string {
  return createHmac('sha256', key).update(ID_LABEL).digest('hex').slice(0, 8);
}

/** One key of a ring. */
export class SealKey {
  readonly id: string;
  readonly #key: Uint8Array;

  constructor(key: Uint8Array) {
    if (key.length !== KEY_BYTES) throw new RangeError('a sealing key has 256 bits');
    this.id = keyId(key);
    this.#key = Uint8Array.from(key);
  }

  /** 64 bytes that only holders of the key can derive from the label and data. */
  derive(label: string, data: Uint8Array | string): Buffer {
    return createHmac('sha512', this.#key).update(label).update('\0').update(data).digest();
  }
}
