import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadObject } from '../../src/config/load.js';
import type { RuleCard } from '../../src/engine/rule.js';
import type { Explanation } from '../../src/explain/example.js';
import { EXPLANATIONS } from '../../src/explain/explanations.js';
import { judge, planFor } from '../../src/explain/judge.js';
import { ADMIT, INBOUND, OUTBOUND, PARSE } from '../../src/rules/index.js';

const RULES: readonly RuleCard[] = [...ADMIT, ...PARSE, ...INBOUND, ...OUTBOUND];

describe('the explanations', () => {
  it('are there for every rule, and for nothing else', () => {
    expect([...EXPLANATIONS.keys()].sort()).toEqual(RULES.map(({ id }) => id).sort());
  });

  it.each([...EXPLANATIONS])('%s says why in sentences', (_, { why, bad, good }) => {
    expect(why).toMatch(/^[A-Z].{40,}\.$/);
    for (const { says } of [bad, good]) expect(says).toMatch(/^[a-z].*[^.]$/);
  });
});

describe('tuning', () => {
  const lines = [...EXPLANATIONS].flatMap(([id, { tune = [] }]) => tune.map(([yaml]) => [id, yaml] as const));
  it.each(lines)('of %s is configuration: %s', (_, yaml) => {
    const { routes = [{}], ...keys } = parse(yaml);
    const upstream = 'http://127.0.0.1:9718/mcp';
    const whole = { ...keys, routes: routes.map((route: object) => ({ upstream, ...route })) };
    expect(() => loadObject(whole)).not.toThrow();
  });
});

describe.each(ADMIT)('what $id refuses', ({ id }) => {
  it('is refused without an id, since nobody has read the body', () => {
    const explanation = EXPLANATIONS.get(id) as Explanation;
    const { refusal } = judge(explanation.bad, planFor(id, true, explanation));
    expect(JSON.parse(refusal?.body ?? '')).not.toHaveProperty('id');
  });
});

describe.each(RULES)('$id', ({ id, locked, remedy }) => {
  const explanation = EXPLANATIONS.get(id) as Explanation;
  const plan = planFor(id, locked !== undefined, explanation);

  it('is broken by its bad example, and no other rule is', () => {
    // A body that is not read to its end is no message either.
    const others = id === 'body-within-limit' ? ['single-message'] : [];
    expect(judge(explanation.bad, plan).broken).toEqual([id, ...others]);
  });

  it('refuses or drops its bad example', () => {
    const { finding, refusal } = judge(explanation.bad, plan);
    expect(finding?.rule.id).toBe(id);
    if (remedy === 'drop') expect(refusal).toBeUndefined();
    else expect(JSON.parse(refusal?.body ?? '').error.data.rule).toBe(id);
  });

  it('is kept by its good example, as every other rule is', () => {
    expect(judge(explanation.good, plan)).toEqual({ broken: [], finding: undefined, refusal: undefined });
  });
});
