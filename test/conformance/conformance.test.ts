import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Binary, startServe } from '../support/binary.js';
import type { FetchServer } from '../support/fetch-server.js';
import { startFixture } from './fixture.js';
import { complaints, failed, type Results, runSuite, scoredScenarios } from './run-suite.js';

/** Scenarios that profile ze refuses, and what of them Ze forbids. */
const ZE_REFUSES = JSON.parse(
  await readFile(new URL('./ze-refuses.json', import.meta.url), 'utf8'),
) as Record<string, string>;

const SUITE_MS = 120_000;

let fixture: FetchServer;
let direct: Results;
let scored: readonly string[];

beforeAll(async () => {
  fixture = await startFixture();
  scored = await scoredScenarios();
  direct = await runSuite(fixture.url);
}, SUITE_MS);

afterAll(async () => {
  await fixture?.close();
});

async function runThrough(...args: readonly string[]): Promise<Results> {
  const gateway: Binary = await startServe(fixture.url, ...args);
  try {
    return await runSuite(gateway.url);
  } finally {
    await gateway.stop();
  }
}

const failing = (results: Results) => scored.filter((scenario) => failed(results.get(scenario)));

describe('the official conformance suite', () => {
  it('passes every scored scenario against the fixture itself', () => {
    expect(failing(direct)).toEqual([]);
  });

  it(
    'finds nothing through the gateway in profile spec that it does not find directly',
    async () => {
      const through = await runThrough('--profile', 'spec');
      expect(failing(through)).toEqual([]);
      expect([...through.keys()]).toEqual([...direct.keys()]);
      const known = new Set(complaints(direct));
      expect(complaints(through).filter((complaint) => !known.has(complaint))).toEqual([]);
    },
    SUITE_MS,
  );

  it(
    'fails through the gateway in profile ze exactly where Ze forbids what the scenario needs',
    async () => {
      const through = await runThrough('--profile', 'ze');
      expect(failing(through).sort()).toEqual(Object.keys(ZE_REFUSES).sort());
    },
    SUITE_MS,
  );
});
