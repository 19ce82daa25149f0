/** What a gateway found is what an inspection finds in its capture, redacted or not. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CapturedExchange } from '../../src/capture/format.js';
import type { Misbehaviour } from '../../src/demo/misbehave.js';
import { startDemoUpstream } from '../../src/demo/upstream.js';
import { inspect } from '../../src/inspect/inspect.js';
import { auditOf, policyOf } from '../check/audits.js';
import { startServe } from '../support/binary.js';
import { temporaryFolder } from '../support/config-file.js';

/** Ways that show beside each other come together. */
const WAYS: readonly (readonly Misbehaviour[])[] = [
  ['credential-field', 'unasked-log', 'ignore-capabilities'],
  ['nested-form'],
  ['two-requests'],
  ['request-state'],
  ['server-request'],
  ['wrong-id'],
  ['url-mode'],
  ['sampling'],
  ['task-input-required'],
  ['unknown-result-type'],
  ['removed-code'],
];

async function captureOf(
  ways: readonly Misbehaviour[],
  ...flags: readonly string[]
): Promise<readonly string[]> {
  const ze = await startDemoUpstream({ host: '127.0.0.1', port: 0, misbehave: new Set(ways) });
  onTestFinished(ze.close);
  const file = join(await temporaryFolder(), 'traffic.jsonl');
  const gateway = await startServe(ze.url, '--profile', 'ze', '--capture', file, ...flags);
  const audited = await auditOf(gateway.url, { profile: 'ze', callAll: true });
  expect(audited.kind).toBe('audited');
  expect((await gateway.stop()).code).toBe(0);
  return readFileSync(file, 'utf8').trimEnd().split('\n');
}

async function* chunk(line: string): AsyncGenerator<Buffer> {
  yield Buffer.from(`${line}\n`);
}

async function findingsIn(line: string): Promise<readonly string[]> {
  const sides = [{ policies: [policyOf({ profile: 'ze' })] }];
  const found: string[] = [];
  for await (const one of inspect(chunk(line), sides)) {
    if (one.kind !== 'judged') return [one.kind];
    found.push(...(one.judgements[0]?.findings ?? []).map(({ stage, rule }) => `${stage} ${rule.id}`));
  }
  return found;
}

/** Judges each line anew; the rules that had found something. */
async function expectSameFindings(lines: readonly string[]): Promise<readonly string[]> {
  const rules: string[] = [];
  for (const line of lines) {
    const { findings, request } = JSON.parse(line) as CapturedExchange;
    const expected = findings.map(({ stage, rule }) => `${stage} ${rule}`);
    rules.push(...findings.map(({ rule }) => rule));
    // What is refused by its head alone has no body to be judged.
    if (request.body !== undefined) expect(await findingsIn(line), line).toEqual(expected);
    else expect(expected).toEqual(['admit origin-allowed']);
  }
  return rules;
}

describe('a capture', () => {
  it('that is redacted is judged as the gateway judged', async () => {
    const rules = new Set<string>();
    for (const ways of WAYS)
      for (const rule of await expectSameFindings(await captureOf(ways))) rules.add(rule);
    expect([...rules].sort()).toEqual([
      ...['elicitation-well-formed', 'form-asks-no-credential', 'form-schema-flat', 'headers-match-body'],
      ...['input-request-declared', 'input-request-kind-allowed', 'input-requests-within-limit'],
      ...['input-responses-shape', 'log-level-requested', 'no-removed-message', 'no-server-request'],
      ...['origin-allowed', 'protocol-version-supported', 'request-meta-present', 'request-state-accepted'],
      ...['request-state-issued-none', 'response-answers-request', 'result-type-known'],
      ...['task-not-input-required', 'tasks-request-declared'],
    ]);
  }, 120_000);

  it('that is whole is judged as the gateway judged', async () => {
    const rules = await expectSameFindings(await captureOf(WAYS[0] ?? [], '--capture-full'));
    expect(rules).toContain('form-asks-no-credential');
  });
});
