import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { generated } from '../../scripts/docs-config.js';
import { CONFIG_KEYS } from '../../src/config/keys.js';
import { INBOUND, OUTBOUND } from '../../src/rules/index.js';

describe('the configuration’s docs', () => {
  it.each(generated())('%s is current (npm run docs writes it)', (file, text) => {
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('describe every key', () => {
    expect(
      CONFIG_KEYS.filter(({ shape }) => (shape.description ?? '') === '').map(({ path }) => path.join('.')),
    ).toEqual([]);
  });

  it('know a default for every key that is not required', () => {
    const without = CONFIG_KEYS.filter(({ kind, required, shape, path }) => {
      const known =
        required || kind === 'section' || shape.default !== undefined || shape.derived !== undefined;
      return !known && path[2] !== 'rules' && path[2] !== 'rewrites';
    });
    expect(without).toEqual([]);
  });

  it('have a key for every rule of inbound and outbound', () => {
    const keys = CONFIG_KEYS.filter(({ path }) => path[2] === 'rules' && path.length === 4).map(
      ({ path }) => path[3],
    );
    expect(keys).toEqual([...INBOUND, ...OUTBOUND].map(({ id }) => id));
  });
});

describe('the schema for editors', () => {
  const text = generated().find(([file]) => file.endsWith('.json'))?.[1] ?? '';
  const accepts = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(JSON.parse(text));
  const route = { upstream: 'http://127.0.0.1:9718/mcp' };

  it.each([
    { routes: [route] },
    {
      routes: [
        {
          ...route,
          upstream: {
            url: 'https://ze.test/',
            key: { file: 'key.pem' },
            headers: { a: 'b', c: { file: 'd' } },
          },
        },
      ],
    },
    {
      routes: [
        {
          ...route,
          profile: 'ze',
          tools: { ze_execute: { elicits: ['command'] } },
          rules: { 'result-type-known': 'off' },
        },
      ],
    },
    {
      listen: '127.0.0.1:0',
      publicUrl: null,
      limits: { streams: 1 },
      log: { level: 'debug' },
      routes: [route],
    },
  ])('accepts %j', (config) => {
    expect(accepts(config)).toBe(true);
  });

  it.each([
    {},
    { routes: [] },
    { routes: [{}] },
    { routes: [{ ...route, profil: 'ze' }] },
    { routes: [{ ...route, requestState: 'sealed' }] },
    { routes: [{ ...route, auth: { mode: 'basic' } }] },
    { routes: [route], seal: { key: 'x' } },
    { routes: [{ ...route, rules: { 'response-readable': 'off' } }] },
    { routes: [{ ...route, rules: { 'no-such-rule': 'off' } }] },
    { routes: [{ ...route, upstream: { uri: 'x' } }] },
    { routes: [route], limits: { streams: 0 } },
    { routes: [route], listn: 'x' },
  ])('refuses %j', (config) => {
    expect(accepts(config)).toBe(false);
  });
});
