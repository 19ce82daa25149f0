/**
 * The token: base64url of version, key id, salt, ciphertext and tag. Each token is encrypted by AES-256-GCM under a key
 * and nonce of its own, derived from the ring's key and the salt, so that no number of tokens wears a key out
 * (docs/decisions, on the token). What stands before the ciphertext is authenticated along with it.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { OpenedToken } from '../engine/state.js';
import type { SealKey } from './key.js';

const CIPHER = 'aes-256-gcm';
const LABEL = 'mrtr-gateway requestState';
const VERSION = 1;
const SALT_START = 5;
const SALT_BYTES = 24;
const HEADER_BYTES = SALT_START + SALT_BYTES;
const TAG_BYTES = 16;
const CANONICAL = /^[A-Za-z0-9_-]+$/;

export function sealToken(sealKey: SealKey, content: string): string {
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  header.writeUInt8(VERSION, 0);
  header.write(sealKey.id, 1, 'hex');
  randomBytes(SALT_BYTES).copy(header, SALT_START);
  const { key, nonce } = secretsOf(sealKey, header);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(header);
  const parts = [header, cipher.update(content, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(parts).toString('base64url');
}

/** Undefined for everything that was not sealed by one of the keys that `find` knows by id, whatever the reason. */
export function openToken(
  find: (keyId: string) => SealKey | undefined,
  text: string,
): OpenedToken | undefined {
  const bytes = decode(text);
  if (bytes === undefined || bytes[0] !== VERSION) return undefined;
  const key = find(bytes.toString('hex', 1, SALT_START));
  const content = key && decrypt(key, bytes);
  if (content === undefined) return undefined;
  return { content, serial: bytes.toString('base64url', SALT_START, HEADER_BYTES) };
}

/** Of the texts that decode to the same bytes only one is a token. */
function decode(text: string): Buffer | undefined {
  if (!CANONICAL.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length >= HEADER_BYTES + TAG_BYTES && bytes.toString('base64url') === text ? bytes : undefined;
}

function decrypt(sealKey: SealKey, bytes: Buffer): string | undefined {
  const header = bytes.subarray(0, HEADER_BYTES);
  const { key, nonce } = secretsOf(sealKey, header);
  const cipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(header)
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const content = cipher.update(bytes.subarray(HEADER_BYTES, -TAG_BYTES));
    return Buffer.concat([content, cipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

function secretsOf(key: SealKey, header: Buffer): { key: Buffer; nonce: Buffer } {
  const derived = key.derive(LABEL, header);
  return { key: derived.subarray(0, 32), nonce: derived.subarray(32, 44) };
}
