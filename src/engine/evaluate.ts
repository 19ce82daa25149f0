import type { ActiveRule, Decision, Finding, InputOf, Stage } from './rule.js';

const NOTHING: Decision = Object.freeze({ findings: Object.freeze([]), refusal: undefined });

/**
 * Runs a stage's rules in order over one input. The first enforced violation ends the evaluation and is the decision's
 * refusal; reported ones are collected on the way. Pure: severities come compiled with the rules.
 */
export function evaluate<S extends Stage>(rules: readonly ActiveRule<S>[], input: InputOf[S]): Decision {
  let findings: Finding[] | undefined;
  // By index: over an array that may be frozen, for-of makes an object for each rule.
  for (let at = 0; at < rules.length; at += 1) {
    const { rule, severity } = rules[at] as ActiveRule<S>;
    const violation = rule.check(input);
    if (violation === undefined) continue;
    const finding: Finding = { rule, severity, violation };
    findings = findings ?? [];
    findings.push(finding);
    if (severity === 'enforce') return { findings, refusal: finding };
  }
  return findings === undefined ? NOTHING : { findings, refusal: undefined };
}
