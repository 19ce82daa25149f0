/** Whole exchanges against the oracle: nothing that it refuses gets through, and nothing that it allows is refused. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agree, Disagreement, type Observed, type Verdict } from '../oracle/oracle.js';
import { fuzz, Seen } from '../support/fuzz.js';
import { type Case, exchanges } from './exchanges.js';
import { runInProcess } from './in-process.js';
import { startExchanges } from './over-http.js';

const OUTCOMES = ['passed', 'refused', 'dropped', 'open'];
const RULES = [
  ...['content-type-json', 'json-unambiguous', 'single-message', 'headers-match-body'],
  ...[
    'protocol-version-supported',
    'request-meta-present',
    'request-state-accepted',
    'input-responses-shape',
    'tasks-request-declared',
  ],
  ...['response-readable', 'response-answers-request', 'no-server-request', 'no-removed-message'],
  ...['result-type-known', 'task-result-method-allowed', 'task-result-declared'],
  ...['input-required-method-allowed', 'input-required-content-present', 'request-state-issued-none'],
  ...['input-requests-within-limit', 'input-request-kind-allowed', 'input-request-declared'],
  ...['elicitation-well-formed', 'form-asks-no-credential', 'form-schema-flat'],
];
const DROPPING = ['no-removed-message', 'log-level-requested', 'progress-requested'];
const LOCKED = [
  ...['content-type-json', 'json-unambiguous', 'single-message'],
  ...['response-readable', 'response-answers-request'],
];

/** The rule that the last message names. */
function ruleOf(messages: readonly string[]): string {
  return /"rule":"([a-z-]+)"/.exec(messages.at(-1) ?? '')?.[1] ?? '';
}

describe('generated exchanges', () => {
  it('end as the oracle says, in process', async () => {
    const seen = new Seen([...OUTCOMES, ...RULES], 2);
    const property = fc.asyncProperty(exchanges, async (one) => {
      const observed = await runInProcess(one);
      seen.add(agree(one.asked, one.answered, observed));
      const rule = ruleOf(observed.messages);
      if (RULES.includes(rule)) seen.add(rule);
    });
    await fuzz(property, { cases: 1_000, seen });
  });

  it('end as the oracle says over HTTP, and what is let in arrives byte for byte', async () => {
    const run = await startExchanges();
    const seen = new Seen(OUTCOMES, 2);
    const property = fc.asyncProperty(exchanges, async (one) => {
      const observed = await run(one);
      seen.add(agree(one.asked, one.answered, observed));
      if (observed.body !== undefined) expect(observed.body.equals(one.asked.body)).toBe(true);
    });
    await fuzz(property, { cases: 200, seen });
  });
});

describe('the oracle', () => {
  it('notices of every rule of an exchange that it is not enforced', async () => {
    const kinds = [...RULES, ...DROPPING].filter((rule) => !LOCKED.includes(rule));
    const noticed = new Seen(kinds, 1);
    const property = fc.asyncProperty(exchanges, async (one) => {
      const observed = await runInProcess(one);
      const dropped = verdictOn(one, observed) === 'dropped';
      const rules = [ruleOf(observed.messages), ...(dropped ? DROPPING : [])];
      for (const rule of rules.filter((own) => kinds.includes(own))) {
        const unenforced = await runInProcess(one, rule);
        if (verdictOn(one, unenforced) === undefined) noticed.add(rule);
      }
    });
    await fuzz(property, { cases: 1_000, seen: noticed });
  });
});

/** Undefined: they disagree. */
function verdictOn({ asked, answered }: Case, observed: Observed): Verdict | undefined {
  try {
    return agree(asked, answered, observed);
  } catch (error) {
    if (error instanceof Disagreement) return undefined;
    throw error;
  }
}
