import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { INBOUND_REWRITES, OUTBOUND_REWRITES, rewriteAnswer } from '../../src/rewrites/index.js';
import { answer, elicits, FORM, rewritten, route } from './fixtures.js';

const IDS = OUTBOUND_REWRITES.map(({ id }) => id);
const POLICY = route(IDS, { tools: elicits({ ze_execute: ['command'] }), listTtlMs: 1_000 });

describe('the register of rewrites', () => {
  it('has a file and a test for each', () => {
    const files = readdirSync(new URL('../../src/rewrites/', import.meta.url));
    const tests = readdirSync(new URL('./', import.meta.url));
    for (const { id } of [...INBOUND_REWRITES, ...OUTBOUND_REWRITES]) {
      expect(files).toContain(`${id}.ts`);
      expect(tests).toContain(`${id}.test.ts`);
    }
    expect(INBOUND_REWRITES.every(({ stage }) => stage === 'inbound')).toBe(true);
    expect(OUTBOUND_REWRITES.every(({ stage }) => stage === 'outbound')).toBe(true);
    expect(new Set(IDS).size).toBe(IDS.length);
  });
});

describe('rewriteAnswer', () => {
  it('makes the changes of several rewrites in one text', () => {
    const text =
      '{"id":1, "result":{ "ttlMs":5000, "tools":[{"name":"ze_execute","inputSchema":{"properties":{"command":{}},"required":["command"]}}] } }';
    expect(rewritten(text, { method: 'tools/list', capabilities: FORM, policy: POLICY })).toEqual({
      text: '{"id":1, "result":{ "ttlMs":1000, "tools":[{"name":"ze_execute","inputSchema":{"properties":{"command":{}}}}],"cacheScope":"private" } }',
      told: ['tools-list-required', 'list-scope-private'],
    });
  });

  it('has nothing to say of an answer that already is as it should be', () => {
    const input = answer('{"id":1,"result":{"tools":[],"cacheScope":"private"}}', {
      method: 'tools/list',
      policy: POLICY,
    });
    const account = { route: POLICY, observer: { rewrote: () => expect.unreachable() } };
    expect(rewriteAnswer(input, account)).toBeUndefined();
    expect(rewriteAnswer({ ...input, message: undefined }, account)).toBeUndefined();
  });
});
