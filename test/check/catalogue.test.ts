import { describe, expect, it } from 'vitest';
import { OWN_CARDS } from '../../src/check/cards.js';
import { CATALOGUE } from '../../src/check/catalogue.js';
import { changed } from '../../src/check/catalogue-rounds.js';
import { OCCASIONS } from '../../src/check/occasions.js';
import { SHAPES } from '../../src/check/shapes.js';
import { ADMIT, INBOUND, OUTBOUND } from '../../src/rules/index.js';

describe('the catalogue of exchanges', () => {
  it('names each exchange once, and says what it asks', () => {
    const ids = CATALOGUE.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, asks, shapes } of CATALOGUE) {
      expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(asks).toMatch(/^\S.+[^.]$/);
      expect(shapes.every((shape) => Object.hasOwn(SHAPES, shape))).toBe(true);
    }
  });

  it('judges by rules that there are', () => {
    const known = new Set([...ADMIT, ...INBOUND, ...OUTBOUND, ...OWN_CARDS].map(({ id }) => id));
    expect(CATALOGUE.flatMap(({ expects }) => expects?.rule ?? []).filter((id) => !known.has(id))).toEqual(
      [],
    );
  });

  it('knows when each outbound rule has something to judge', () => {
    expect([...OCCASIONS.keys()]).toEqual(OUTBOUND.map(({ id }) => id));
  });

  it('has cards of its own only for what the register lacks', () => {
    const registered = new Set([...ADMIT, ...INBOUND, ...OUTBOUND].map(({ id }) => id));
    for (const { id, guarantees, clause } of OWN_CARDS) {
      expect(registered.has(id)).toBe(false);
      expect(guarantees).toMatch(/^[A-Z].+\.$/);
      expect(clause.quote).toMatch(/^[`"A-Z].+[.:]$/);
    }
  });
});

describe('a changed state', () => {
  it.each(['a', 'Zz9', '{"step":1}', 'eyJhbGciOi.abc_-', '====', 'ü'])(
    'differs from %s in little',
    (state) => {
      for (const part of [0.2, 0.5, 0.8]) {
        const other = changed(state, part);
        expect(other).not.toBe(state);
        expect(Math.abs(other.length - state.length)).toBeLessThanOrEqual(1);
      }
    },
  );
});
