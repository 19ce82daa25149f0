/** A rule's test as two tables: what it finds a violation in, and where; what it lets through. */
import { describe, expect, it } from 'vitest';
import type { InputOf, Rule, Stage } from '../../src/engine/rule.js';

/** What a peer sent: tests use it as a value, and no message may repeat it. */
export const PEER_VALUE = 'zz-peer-value-77';

export interface Cases<S extends Stage> {
  /** Title, input, and the violation's exact `at`. */
  readonly refuses: readonly (readonly [title: string, input: InputOf[S], at: string])[];
  readonly passes: readonly (readonly [title: string, input: InputOf[S]])[];
}

export function judges<S extends Stage>(rule: Rule<S>, { refuses, passes }: Cases<S>): void {
  describe(rule.id, () => {
    it.each(refuses)('refuses %s', (_title, input, at) => {
      const violation = rule.check(input);
      expect(violation?.at).toBe(at);
      expect(violation?.message).not.toContain(PEER_VALUE);
    });

    it.each(passes)('lets %s through', (_title, input) => {
      expect(rule.check(input)).toBeUndefined();
    });
  });
}
