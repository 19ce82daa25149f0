import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateKey, parseKey } from '../../src/seal/key.js';
import { KeyRing } from '../../src/seal/ring.js';

const key = () => parseKey(generateKey()) as Uint8Array;
const [FIRST, SECOND] = [key(), key()];
const RING = new KeyRing([FIRST, SECOND]);
const text = fc.string({ unit: 'binary', maxLength: 400 });
/** Sealing at every run would make the property tests slow. */
const TOKENS = ['', 'a', 'state', 'x'.repeat(300), '€ and \ud83d\ude00'].map((content) => RING.seal(content));
const token = fc.constantFrom(...TOKENS);

describe('a token', () => {
  it('opens to what was sealed', () => {
    fc.assert(
      fc.property(text, (content) => {
        expect(RING.open(RING.seal(content))?.content).toBe(content);
      }),
    );
  });

  it('is compact base64url: 60 characters beside the content', () => {
    expect(TOKENS[0]).toMatch(/^[A-Za-z0-9_-]{60}$/);
    expect(TOKENS[3]).toHaveLength(460);
  });

  it('shows nothing of its content, and is another one each time', () => {
    const [one, other] = [RING.seal('secret'), RING.seal('secret')];
    expect(Buffer.from(one, 'base64url').toString('latin1')).not.toContain('secret');
    expect(one).not.toBe(other);
    expect(RING.open(one)?.serial).not.toBe(RING.open(other)?.serial);
  });

  it('carries 64 KiB', () => {
    const content = 'state'.repeat(13_108);
    expect(RING.open(RING.seal(content))?.content).toBe(content);
  });

  it('opens with any key of the ring, in any order', () => {
    const sealed = new KeyRing([SECOND]).seal('old');
    expect(RING.open(sealed)?.content).toBe('old');
    expect(new KeyRing([SECOND, FIRST]).open(RING.seal('new'))?.content).toBe('new');
  });

  it('does not open once its key is out of the ring', () => {
    expect(new KeyRing([SECOND]).open(RING.seal('x'))).toBeUndefined();
  });
});

describe('what is not a token', () => {
  it('is a token with any bit flipped', () => {
    fc.assert(
      fc.property(token, fc.nat(), fc.nat(7), (sealed, at, bit) => {
        const bytes = Buffer.from(sealed, 'base64url');
        const index = at % bytes.length;
        bytes.writeUInt8((bytes[index] as number) ^ (1 << bit), index);
        expect(RING.open(bytes.toString('base64url'))).toBeUndefined();
      }),
    );
  });

  it('is a token with any character changed, taken away or added', () => {
    const alphabet = fc.constantFrom(
      ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= .\n\0é',
    );
    fc.assert(
      fc.property(token, fc.nat(), alphabet, (sealed, at, character) => {
        const index = at % (sealed.length + 1);
        const [before, after] = [sealed.slice(0, index), sealed.slice(index)];
        for (const other of [
          before + character + after,
          before + after.slice(1),
          before + character + after.slice(1),
        ]) {
          if (other !== sealed) expect(RING.open(other)).toBeUndefined();
        }
      }),
    );
  });

  it('is any prefix or suffix of a token, or two tokens in one', () => {
    fc.assert(
      fc.property(token, token, fc.nat(), (one, other, at) => {
        const cut = at % one.length;
        expect(RING.open(one.slice(0, cut))).toBeUndefined();
        if (cut > 0) expect(RING.open(one.slice(cut))).toBeUndefined();
        expect(RING.open(one + other)).toBeUndefined();
      }),
    );
  });

  it('is made of parts of two tokens', () => {
    fc.assert(
      fc.property(fc.nat(), (at) => {
        const [one, other] = [RING.seal('pay 10'), RING.seal('pay 99')];
        const cut = 1 + (at % (one.length - 1));
        const swapped = one.slice(0, cut) + other.slice(cut);
        if (swapped !== one && swapped !== other) expect(RING.open(swapped)).toBeUndefined();
      }),
    );
  });

  it('is any other text', () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.base64String()), (other) => {
        expect(RING.open(other)).toBeUndefined();
      }),
    );
  });

  it.each([
    ['with padding', (sealed: string) => `${sealed}=`],
    ['in the other alphabet', (sealed: string) => Buffer.from(sealed, 'base64url').toString('base64')],
    ['with trailing bits set', (sealed: string) => sealed.slice(0, -1) + nextCharacter(sealed)],
    ['with a line break', (sealed: string) => `${sealed}\n`],
    ['with space before it', (sealed: string) => ` ${sealed}`],
    ['of another version', (sealed: string) => reversioned(sealed)],
  ])('is the same token written %s', (_, write) => {
    // 47 bytes: two characters hold four bits that say nothing.
    const sealed = RING.seal('ab');
    expect(sealed.length % 4).toBe(3);
    const written = write(sealed.replaceAll('A', 'A'));
    expect(written).not.toBe(sealed);
    expect(RING.open(written)).toBeUndefined();
  });
});

/** The next character of the alphabet differs in the lowest bit, which no byte holds. */
function nextCharacter(sealed: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(sealed.at(-1) as string);
  return alphabet[last ^ 1] as string;
}

function reversioned(sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  bytes[0] = 2;
  return bytes.toString('base64url');
}
