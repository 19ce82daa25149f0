/** docs/security.md promises what is there: its rules are registered, its tests exist, its limits are those of the configuration. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load.js';
import { ADMIT, INBOUND, OUTBOUND, PARSE } from '../../src/rules/index.js';

const PAGE = readFileSync('docs/security.md', 'utf8');
const NAMED = [...PAGE.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');
const RULES = [...ADMIT, ...PARSE, ...INBOUND, ...OUTBOUND].map(({ id }) => id as string);
const { config } = loadConfig({ flags: { upstream: 'http://127.0.0.1:9718/mcp' }, env: {} });

function rows(heading: string): readonly (readonly string[])[] {
  const section = PAGE.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| (?!---)(.+) \|$/gm)].slice(1).map(([, row = '']) => row.split(' | '));
}

describe('docs/security.md', () => {
  it('names tests that there are, beside each promise and each threat', () => {
    const tests = NAMED.filter((name) => name.startsWith('test/'));
    expect(tests.filter((file) => !existsSync(file))).toEqual([]);
    for (const row of [...rows('What is promised'), ...rows('Threat by threat')])
      if (row[0] !== 'Threat' && !row[0]?.startsWith('---')) expect(row.at(-1)).toMatch(/^`test\//);
  });

  it('names rules that there are', () => {
    const ids = NAMED.filter(
      (name) => /^[a-z]+(-[a-z]+)+$/.test(name) && !/^(no-store|keep-alive)$/.test(name),
    );
    expect(ids.length).toBeGreaterThan(20);
    expect(ids.filter((id) => !RULES.includes(id))).toEqual([]);
  });

  it('has every limit with its default', () => {
    const told = new Map(rows('Limits').map(([key = '', value]) => [key.replaceAll('`', ''), value]));
    for (const [name, value] of Object.entries(config.limits))
      expect([name, told.get(`limits.${name}`)]).toEqual([name, String(value)]);
    const { requestMs, headersMs, bodyIdleMs } = config.timeouts;
    for (const [name, value] of Object.entries({ requestMs, headersMs, bodyIdleMs }))
      expect([name, told.get(`timeouts.${name}`)]).toEqual([name, String(value)]);
    const { maxRounds, maxBytes } = config.seal;
    expect([told.get('seal.maxRounds'), told.get('seal.maxBytes')]).toEqual([
      String(maxRounds),
      String(maxBytes),
    ]);
  });
});
