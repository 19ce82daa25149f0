import { afterEach, describe, expect, it } from 'vitest';
import type { Row } from '../../src/check/report.js';
import { isMisbehaviour, MISBEHAVIOURS, type Misbehaviour } from '../../src/demo/misbehave.js';
import { startDemoUpstream } from '../../src/demo/upstream.js';
import { startFixture } from '../conformance/fixture.js';
import { foundIn, reportOn } from './audits.js';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function demo(...misbehave: Misbehaviour[]): Promise<string> {
  const ze = await startDemoUpstream({ host: '127.0.0.1', port: 0, misbehave: new Set(misbehave) });
  closing.push(ze.close);
  return ze.url;
}

async function fixture(credulous: boolean): Promise<string> {
  const served = await startFixture({ credulous });
  closing.push(served.close);
  return served.url;
}

/** By which rules each way of misbehaving is found, in profile ze; every way stands here. */
const FOUND: Record<Misbehaviour, readonly string[]> = {
  'credential-field': ['fail form-asks-no-credential'],
  'nested-form': ['fail form-schema-flat'],
  'url-mode': ['fail input-request-declared', 'fail elicitation-well-formed'],
  sampling: ['fail input-request-kind-allowed', 'fail input-request-declared'],
  'two-requests': ['fail input-requests-within-limit'],
  'request-state': ['fail request-state-issued-none'],
  'task-input-required': ['fail task-not-input-required'],
  'server-request': ['fail no-server-request'],
  'unasked-log': ['fail log-level-requested'],
  'wrong-id': ['fail response-answers-request'],
  'unknown-result-type': ['fail result-type-known'],
  'removed-code': ['fail no-removed-message'],
  'ignore-capabilities': ['fail input-request-declared'],
  'list-required-missing': ['fail tools-list-required'],
  'public-list': ['warn list-scope-private'],
  'old-version': ['fail discover-versions'],
};

/** Seen without calling the tool that asks. */
const LISTED: ReadonlySet<Misbehaviour> = new Set(['public-list', 'old-version'] as const);

describe('an audit of the stand-in', () => {
  it.each(Object.keys(MISBEHAVIOURS))('finds %s by the right rule', async (way) => {
    if (!isMisbehaviour(way)) throw new Error('no such way');
    const report = await reportOn(await demo(way), { profile: 'ze', callAll: true });
    expect(foundIn(report)).toEqual(FOUND[way]);
  });

  it.each(['ze', 'spec'] as const)('finds nothing when it behaves well, in profile %s', async (profile) => {
    const report = await reportOn(await demo(), { profile, callAll: true });
    expect(foundIn(report)).toEqual([]);
    expect(report.notes).toEqual([]);
    expect(report.server).toEqual({ name: 'ze-demo', version: '1.0.0' });
  });

  it('calls no tool that does not say that it only reads', async () => {
    const ways = Object.keys(MISBEHAVIOURS).filter((way) => isMisbehaviour(way) && !LISTED.has(way));
    const report = await reportOn(await demo(...(ways as Misbehaviour[])), { profile: 'ze' });
    expect(foundIn(report)).toEqual([]);
    expect([report.called, report.tools]).toEqual([2, 3]);
  });

  it('points to the exchange and to the place in its answer', async () => {
    const report = await reportOn(await demo('credential-field'), { profile: 'ze', callAll: true });
    const row = report.rows.find(({ rule }) => rule === 'form-asks-no-credential') as Row;
    expect(row.evidence).toEqual([
      {
        entry: 'call',
        about: 'ze_execute',
        shape: 'all',
        at: '/result/inputRequests/ze_execute_command/params/requestedSchema/properties/api_key',
        message: 'a form asks for a credential',
      },
    ]);
    expect(row.broken).toBeGreaterThan(1);
    expect(row.url).toMatch(/^https:.*\/client\/elicitation#/);
  });

  it('takes for a warning what the configuration softens, and leaves out what it turns off', async () => {
    const rules = { 'form-asks-no-credential': 'report', 'form-schema-flat': 'off' };
    const url = await demo('credential-field', 'nested-form');
    const report = await reportOn(url, { profile: 'ze', callAll: true, route: { rules } });
    expect(foundIn(report)).toEqual(['warn form-asks-no-credential']);
    expect(report.rows.map(({ rule }) => rule)).not.toContain('form-schema-flat');
  });

  it('says of rules without an occasion that they were not seen', async () => {
    const report = await reportOn(await demo(), { profile: 'ze' });
    const verdict = (id: string) => report.rows.find(({ rule }) => rule === id)?.verdict;
    expect([verdict('form-schema-flat'), verdict('response-readable')]).toEqual(['unseen', 'pass']);
  });

  it('ends when the time is up, and says so', async () => {
    const report = await reportOn(await demo(), { withinMs: 0 });
    expect(report.exchanges).toBe(1);
    expect(report.notes).toEqual(['the time was up; the rest was not asked']);
  });
});

describe('an audit of the conformance fixture', () => {
  it('finds nothing, whether tools are called or not', async () => {
    const url = await fixture(false);
    expect(foundIn(await reportOn(url))).toEqual([]);
    const report = await reportOn(url, { callAll: true });
    expect(foundIn(report)).toEqual([]);
    const unseen = report.rows.filter(({ verdict }) => verdict === 'unseen').map(({ rule }) => rule);
    expect(unseen).not.toContain('request-state-verified');
    expect(report.notes).toEqual([]);
  });

  it('finds that it believes every state, when it does', async () => {
    expect(foundIn(await reportOn(await fixture(true), { callAll: true }))).toEqual([
      'fail request-state-verified',
    ]);
  });
});
