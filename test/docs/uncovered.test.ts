import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { RuleCard } from '../../src/engine/rule.js';
import { ADMIT, INBOUND, OUTBOUND, PARSE } from '../../src/rules/index.js';

const RULES: readonly RuleCard[] = [...ADMIT, ...PARSE, ...INBOUND, ...OUTBOUND];
const IDS = new Set(RULES.map(({ id }) => id));
const TEXT = readFileSync('docs/uncovered.md', 'utf8');
/** Anything in code type that is spelt as ids of rules are. */
const NAMED = /`([a-z]+(?:-[a-z]+)+)`/g;
const KEYWORD = /\*\*(?:MUST|SHOULD|MAY)(?: NOT)?\*\*/;

interface Section {
  readonly page: string;
  readonly enforced: boolean;
  readonly rows: readonly (readonly string[])[];
}

function sections(): readonly Section[] {
  return TEXT.split(/^## /m)
    .slice(1)
    .flatMap((chapter) => {
      const page = /The page \[([a-z/]+)\]/.exec(chapter)?.[1] ?? '';
      return chapter
        .split(/^### /m)
        .slice(1)
        .map((text) => ({ page, enforced: text.startsWith('Enforced'), rows: rowsOf(text) }));
    });
}

function rowsOf(text: string): readonly (readonly string[])[] {
  const lines = text.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(1).map((line) =>
    line
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cell.trim()),
  );
}

function namedIn(text: string): string[] {
  return [...text.matchAll(NAMED)].map((match) => match[1] ?? '');
}

describe('the list of what no rule enforces', () => {
  it('has for each page a table of what is not enforced and one of what is', () => {
    expect(sections().map(({ page, enforced, rows }) => [page, enforced, rows.length > 0])).toEqual([
      ['basic/patterns/mrtr', false, true],
      ['basic/patterns/mrtr', true, true],
      ['client/elicitation', false, true],
      ['client/elicitation', true, true],
    ]);
  });

  it('names only rules that exist', () => {
    expect(namedIn(TEXT).filter((name) => !IDS.has(name))).toEqual([]);
  });

  it('gives a reason for every sentence that is not enforced', () => {
    for (const { rows } of sections().filter(({ enforced }) => !enforced)) {
      for (const row of rows) {
        expect(row).toHaveLength(3);
        expect(row[0]).toMatch(KEYWORD);
        expect(row[1]).toMatch(/^(client|server)$/);
        expect(row[2]).toMatch(/^[A-Z].{10,}\.$/);
      }
    }
  });

  it('says how far for every sentence that is', () => {
    for (const { rows } of sections().filter(({ enforced }) => enforced)) {
      for (const row of rows) {
        expect(row).toHaveLength(4);
        expect(row[2]).toMatch(/`|every rule/);
        expect(row[3]).toMatch(/^[A-Z`].*\.$/);
      }
    }
  });

  const quoting = RULES.filter(({ clause }) =>
    sections().some(({ page }) => 'page' in clause && clause.page === page),
  );

  it.each(quoting.map((rule) => [rule.id, rule] as const))(
    'lists %s among those that enforce its page',
    (id, { clause }) => {
      const own = sections().filter(
        ({ page, enforced }) => enforced && 'page' in clause && clause.page === page,
      );
      expect(own.flatMap(({ rows }) => rows.flatMap((row) => namedIn(row[2] ?? '')))).toContain(id);
    },
  );
});
