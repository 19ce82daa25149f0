import { describe, expect, it } from 'vitest';
import { KINDS, type Kind, measure, readCorpus } from '../../scripts/credential-corpus.js';
import { compileCredentialReader } from '../../src/protocol/credentials.js';

const rows = readCorpus();
const spec = compileCredentialReader({ broadNames: false, words: [], except: [] });
const ze = compileCredentialReader({ broadNames: true, words: [], except: [] });

/** What was measured, less a margin: the vocabulary may be traded, not lost. */
const FLOORS: Readonly<Record<Kind, { readonly recall: number; readonly precision: number }>> = {
  name: { recall: 0.99, precision: 0.99 },
  title: { recall: 0.99, precision: 0.99 },
  description: { recall: 0.96, precision: 0.98 },
  message: { recall: 0.98, precision: 0.98 },
  schema: { recall: 1, precision: 1 },
};

describe('the corpus of credentials in forms', () => {
  it('has no row twice, and none with two labels', () => {
    expect(new Set(rows.map(({ kind, text }) => `${kind} ${text}`)).size).toBe(rows.length);
  });

  it.each(KINDS)('is told apart for every %s, but for a few', (kind) => {
    const { recall, precision, asks, harmless } = measure(
      rows.filter((row) => row.kind === kind),
      spec,
    );
    expect(recall).toBeGreaterThanOrEqual(FLOORS[kind].recall);
    expect(precision).toBeGreaterThanOrEqual(FLOORS[kind].precision);
    expect(Math.min(asks, harmless)).toBeGreaterThan(20);
  });

  it("costs precision with Ze's reading of names, and no recall", () => {
    const narrow = measure(rows, spec);
    const broad = measure(rows, ze);
    expect(broad.recall).toBeGreaterThanOrEqual(narrow.recall);
    expect(broad.precision).toBeGreaterThanOrEqual(0.88);
  });
});
