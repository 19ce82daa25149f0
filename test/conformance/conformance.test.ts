import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { startServe } from '../support/binary.js';
import { type FixtureOptions, startFixture } from './fixture.js';
import { complaints, failed, type Results, runSuite, scoredScenarios } from './run-suite.js';

const SUITE_MS = 180_000;

/** Scenarios that fail in profile ze, each with what it needs that Ze forbids. */
const refusals = await readFile(new URL('./ze-refuses.json', import.meta.url), 'utf8');
const ZE_REFUSES = JSON.parse(refusals) as Record<string, string>;

let scored: readonly string[];
let direct: Results;
let spec: Results;
let ze: Results;
let credulous: Results;
let guarded: Results;

/** Each run has a server of its own, since list changes reach every open stream. */
async function run(profile?: 'spec' | 'ze', options: FixtureOptions = {}): Promise<Results> {
  const fixture = await startFixture(options);
  try {
    if (profile === undefined) return await runSuite(fixture.url);
    const gateway = await startServe(fixture.url, '--profile', profile);
    try {
      return await runSuite(gateway.url);
    } finally {
      await gateway.stop();
    }
  } finally {
    await fixture.close();
  }
}

beforeAll(async () => {
  scored = await scoredScenarios();
  [direct, spec, ze] = await Promise.all([run(), run('spec'), run('ze')]);
  const options = { credulous: true };
  [credulous, guarded] = await Promise.all([run(undefined, options), run('spec', options)]);
}, SUITE_MS);

function failing(results: Results): string[] {
  return [...results].filter(([, checks]) => failed(checks)).map(([scenario]) => scenario);
}

/** Failures and warnings that a direct run does not have. */
function newComplaints(results: Results): string[] {
  const known = new Set(complaints(direct));
  return complaints(results).filter((complaint) => !known.has(complaint));
}

describe('the official conformance suite', () => {
  it('passes against the fixture itself', () => {
    expect(failing(direct)).toEqual([]);
    expect([...direct.keys()]).toEqual(expect.arrayContaining([...scored]));
  });

  it('finds nothing through the gateway in profile spec that it does not find directly', () => {
    expect(failing(spec)).toEqual([]);
    expect([...spec.keys()]).toEqual([...direct.keys()]);
    expect(newComplaints(spec)).toEqual([]);
  });

  it('passes through the gateway also where the server does not protect its states', () => {
    expect(failing(credulous)).toEqual(['input-required-result-tampered-state']);
    expect(failing(guarded)).toEqual([]);
    expect(newComplaints(guarded)).toEqual([]);
  });

  it('fails through the gateway in profile ze exactly where Ze forbids what the scenario needs', () => {
    expect([...ze.keys()]).toEqual([...direct.keys()]);
    expect(failing(ze).sort()).toEqual(Object.keys(ZE_REFUSES).sort());
    const others = new Map([...ze].filter(([scenario]) => !Object.hasOwn(ZE_REFUSES, scenario)));
    expect(newComplaints(others)).toEqual([]);
  });
});
