import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { generateKey, keyId, parseKey, SealKey } from '../../src/seal/key.js';
import { KeyRing } from '../../src/seal/ring.js';

const TEXT = generateKey();
const KEY = parseKey(TEXT) as Uint8Array;

describe('a key', () => {
  it('is 256 random bits, written as base64url', () => {
    expect(TEXT).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(generateKey()).not.toBe(TEXT);
    expect(KEY).toHaveLength(32);
  });

  it.each([
    ['base64url', TEXT],
    ['base64', Buffer.from(KEY).toString('base64')],
    ['hexadecimal digits', Buffer.from(KEY).toString('hex')],
    ['capital hexadecimal digits', Buffer.from(KEY).toString('hex').toUpperCase()],
  ])('is read from %s', (_, text) => {
    expect(Buffer.from(parseKey(text) as Uint8Array)).toEqual(Buffer.from(KEY));
  });

  it.each([
    ['nothing', ''],
    ['128 bits', Buffer.from(KEY).subarray(16).toString('hex')],
    ['264 bits', Buffer.concat([KEY, Buffer.of(1)]).toString('base64url')],
    ['surrounding space', ` ${TEXT}`],
    ['a pass phrase', 'correct horse battery staple'],
    ['zeros', '0'.repeat(64)],
    ['a repeated word', Buffer.from('changeme'.repeat(4)).toString('base64url')],
  ])('is not read from %s', (_, text) => {
    expect(parseKey(text)).toBeUndefined();
  });

  it('has an id that is the same everywhere and differs from key to key', () => {
    expect(keyId(KEY)).toMatch(/^[0-9a-f]{8}$/);
    expect(keyId(parseKey(TEXT) as Uint8Array)).toBe(keyId(KEY));
    expect(keyId(parseKey(generateKey()) as Uint8Array)).not.toBe(keyId(KEY));
  });

  it('derives other bytes for another label and other data', () => {
    const key = new SealKey(KEY);
    const derived = [key.derive('a', 'x'), key.derive('b', 'x'), key.derive('a', 'y'), key.derive('ax', '')];
    expect(new Set(derived.map((bytes) => bytes.toString('hex'))).size).toBe(4);
    expect(derived[0]).toHaveLength(64);
  });
});

describe('a key ring', () => {
  const other = parseKey(generateKey()) as Uint8Array;

  it('opens with every key, and seals with the first', () => {
    const ring = new KeyRing([KEY, other, KEY]);
    expect(ring.keyIds).toEqual([keyId(KEY), keyId(other)]);
    expect(ring.open(new KeyRing([other]).seal('x'))?.content).toBe('x');
    expect(new KeyRing([KEY]).open(ring.seal('y'))?.content).toBe('y');
    expect(new KeyRing([other]).open(ring.seal('z'))).toBeUndefined();
  });

  it('gives a name the same pseudonym each time, and another one under another key', () => {
    const ring = new KeyRing([KEY]);
    expect(ring.pseudonym('ada')).toMatch(/^[\w-]{16}$/);
    expect(new KeyRing([KEY, other]).pseudonym('ada')).toBe(ring.pseudonym('ada'));
    expect(ring.pseudonym('bob')).not.toBe(ring.pseudonym('ada'));
    expect(new KeyRing([other]).pseudonym('ada')).not.toBe(ring.pseudonym('ada'));
  });

  it('is never empty, and holds nothing but 256-bit keys', () => {
    expect(() => new KeyRing([])).toThrow(RangeError);
    expect(() => new KeyRing([KEY.subarray(1)])).toThrow(RangeError);
  });

  it('can be of a key that nobody else has', () => {
    expect(KeyRing.ephemeral().keyIds).not.toEqual(KeyRing.ephemeral().keyIds);
  });

  it('is not changed by what becomes of the bytes it was made from', () => {
    const bytes = Uint8Array.from(KEY);
    const ring = new KeyRing([bytes]);
    const before = ring.pseudonym('x');
    bytes.fill(0);
    expect(ring.pseudonym('x')).toBe(before);
  });

  it.each([
    [
      'printed',
      (ring: KeyRing) => inspect([ring, new SealKey(KEY)], { depth: 9, showHidden: true, getters: true }),
    ],
    ['made JSON', (ring: KeyRing) => JSON.stringify({ ring, key: new SealKey(KEY) })],
    ['made text', (ring: KeyRing) => `${ring} ${new SealKey(KEY)}`],
    ['copied', (ring: KeyRing) => inspect({ ...ring, ...new SealKey(KEY) }, { depth: 9, getters: true })],
    ['cloned', (ring: KeyRing) => inspect(structuredClone({ ring: { ...ring } }), { depth: 9 })],
  ])('shows no key when it is %s', (_, show) => {
    const shown = show(new KeyRing([KEY, other]));
    for (const bytes of [KEY, other].map((key) => Buffer.from(key))) {
      expect(shown).not.toContain(bytes.toString('base64url'));
      expect(shown).not.toContain(bytes.toString('hex').slice(0, 12));
      expect(shown).not.toContain([...bytes.subarray(0, 4)].join(', '));
    }
  });
});
