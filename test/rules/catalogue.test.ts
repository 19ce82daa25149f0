import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RuleCard, Stage } from '../../src/engine/rule.js';
import { REFUSALS } from '../../src/protocol/errors.js';
import * as register from '../../src/rules/index.js';

const STAGES: readonly (readonly [Stage, readonly RuleCard[]])[] = [
  ['admit', register.ADMIT],
  ['parse', register.PARSE],
  ['inbound', register.INBOUND],
  ['outbound', register.OUTBOUND],
];
const RULES = STAGES.flatMap(([, rules]) => rules);

function namesIn(folder: string, ending: string): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .map((file) => basename(file, ending))
    .sort();
}

function idsOf(rules: readonly RuleCard[]): string[] {
  return rules.map(({ id }) => id).sort();
}

describe.each(STAGES)('the catalogue of %s rules', (stage, rules) => {
  it('registers every rule file under its own name, and nothing else', () => {
    expect(idsOf(rules)).toEqual(namesIn(`src/rules/${stage}`, '.ts'));
  });

  it('has one test file a rule, and no other', () => {
    expect(namesIn(`test/rules/${stage}`, '.test.ts')).toEqual(idsOf(rules));
  });

  it('holds only rules of its stage', () => {
    expect(rules.filter((rule) => rule.stage !== stage)).toEqual([]);
  });
});

describe('the register', () => {
  it('uses an id once', () => {
    expect(new Set(idsOf(RULES)).size).toBe(RULES.length);
  });

  it('has a section in docs/rules.md for every rule, in order', () => {
    const headings = [...readFileSync('docs/rules.md', 'utf8').matchAll(/^## (.+)$/gm)].map(
      (match) => match[1],
    );
    expect(headings).toEqual(RULES.map(({ id }) => id));
  });

  it('says which fields the design locks', () => {
    const locked = RULES.filter((rule) => rule.locked !== undefined).map(({ id }) => id);
    expect(locked).toEqual([
      ...idsInOrder(register.ADMIT),
      ...idsInOrder(register.PARSE),
      'response-readable',
      'response-answers-request',
    ]);
  });
});

/** The specification says these in a sentence without a keyword; its schema makes the first binding. */
const WITHOUT_KEYWORD: ReadonlySet<string> = new Set(['form-schema-flat', 'answer-matches-mode']);

function idsInOrder(rules: readonly RuleCard[]): string[] {
  return rules.map(({ id }) => id);
}

describe.each(RULES.map((rule) => [rule.id, rule] as const))('rule %s', (id, rule) => {
  it('is named in kebab case and exported in camel case from a file of at most 60 lines', () => {
    expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
    const source = readFileSync(`src/rules/${rule.stage}/${id}.ts`, 'utf8');
    const exported = id.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    expect(source).toContain(`export const ${exported}: Rule<'${rule.stage}'>`);
    expect(source.split('\n').length - 1).toBeLessThanOrEqual(60);
  });

  it('has a whole sentence for what it guarantees and for its clause', () => {
    expect(rule.guarantees).toMatch(/^[A-Z`].*\.$/);
    expect(rule.clause.quote.length).toBeGreaterThan(20);
    if ('page' in rule.clause && !WITHOUT_KEYWORD.has(id)) {
      expect(rule.clause.quote).toContain(rule.clause.keyword);
    }
  });

  it('has a refusal of the table', () => {
    if (rule.remedy !== 'drop') expect(REFUSALS).toHaveProperty(rule.remedy.refuse);
  });
});
