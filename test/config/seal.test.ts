import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { compile } from '../../src/config/compile.js';
import { loadConfig, loadObject } from '../../src/config/load.js';
import { showConfig } from '../../src/config/show.js';
import { sealsEphemerally } from '../../src/engine/plan.js';
import { generateKey, keyId, parseKey } from '../../src/seal/key.js';
import { load, problems } from './sources.js';

const UPSTREAM = 'http://ze.test/mcp';
const [KEY, OLD] = [generateKey(), generateKey()];
const ref = (name: string) => `\${${name}}`;
const idOf = (key: string) => keyId(parseKey(key) as Uint8Array);

function yamlOf(route: object, more: object = {}): string {
  return JSON.stringify({ ...more, routes: [{ upstream: UPSTREAM, ...route }] });
}

const SEALS = { requestState: 'seal' };
const sealing = (seal: object, route: object = {}) => yamlOf({ ...SEALS, ...route }, { seal });
const policyOf = (yaml: string) => compile(load({ yaml }).config).routes[0]?.policy;

describe('a file that seals without a key', () => {
  it('is refused, and says what to do', () => {
    const env = { MRTR_GATEWAY_SEAL_EPHEMERAL: '' };
    expect(problems({ yaml: yamlOf(SEALS), env })).toEqual([
      'seal.keys: is required, since routes[0] seals states: name a key (mrtr-gateway keygen), or set seal.ephemeral: true for one process that may forget, or another requestState for the route',
    ]);
  });

  it.each([
    ['with a key', sealing({ keys: [KEY] })],
    ['with a key that may be lost', sealing({ ephemeral: true })],
    ['where no route seals', yamlOf({ requestState: 'relay' })],
  ])('is fine %s', (_, yaml) => {
    expect(problems({ yaml })).toEqual([]);
  });

  it('is fine with a key from a variable or a file', () => {
    expect(problems({ yaml: yamlOf(SEALS), env: { MRTR_GATEWAY_SEAL_KEYS: `${KEY}, ${OLD}` } })).toEqual([]);
    const yaml = sealing({ keys: [ref('KEY'), { file: '/key' }] });
    const { config, files } = load({ yaml, env: { KEY }, files: { '/key': `${OLD}\n` } });
    expect(compile(config).seal.sealer?.keyIds).toEqual([idOf(KEY), idOf(OLD)]);
    expect(files).toContain('/key');
  });
});

describe('an object, for the library', () => {
  it('stands for a key of the process’s own', () => {
    const { config } = loadObject({ routes: [{ upstream: UPSTREAM }] });
    expect(compile(config).seal.sealer).toBeUndefined();
    expect(sealsEphemerally(compile(config))).toBe(true);
  });

  it('is checked for what it does say', () => {
    const input = { seal: { keys: ['x'] }, routes: [{ upstream: UPSTREAM }] };
    expect(() => loadObject(input)).toThrow('seal.keys[0]');
  });
});

describe('flags alone', () => {
  it('stand for a key of the process’s own', () => {
    const { config } = loadConfig({
      flags: { upstream: UPSTREAM },
      env: { MRTR_GATEWAY_ROUTES_0_REQUEST_STATE: 'seal' },
    });
    const plan = compile(config);
    expect(plan.routes[0]?.policy.requestState).toBe('seal');
    expect(plan.seal).toEqual({ sealer: undefined, redis: undefined });
  });
});

describe('keys', () => {
  it.each([
    ['too short', KEY.slice(1)],
    ['a word', 'changeme'],
    ['not random', '0'.repeat(64)],
    ['empty', ''],
  ])('are refused when they are %s, without being quoted', (_, key) => {
    const found = problems({ yaml: sealing({ keys: [OLD, key] }) });
    expect(found).toEqual(['seal.keys[1]: expected a 256-bit key as `mrtr-gateway keygen` prints it']);
  });

  it('are refused when they are the same', () => {
    const hex = Buffer.from(parseKey(KEY) as Uint8Array).toString('hex');
    expect(problems({ yaml: sealing({ keys: [KEY, OLD, hex] }) })).toEqual([
      'seal.keys[2]: is the key of seal.keys[0] too',
    ]);
  });

  it('do not show in the plan, nor in the effective configuration', () => {
    const redis = 'redis://:s3cr3t@redis.test:6379/1';
    const loaded = load({
      yaml: sealing({ keys: [KEY, ref('OLD'), { file: '/key' }], redis }),
      env: { OLD },
      files: { '/key': generateKey() },
    });
    const shown = showConfig(loaded);
    expect(shown).toContain(`keys: ["***", "${ref('OLD')}", {file: /key}] # file`);
    expect(shown).toContain('redis: "***" # file');
    for (const text of [shown, inspect(compile(loaded.config).seal.sealer, { depth: 9, showHidden: true })]) {
      for (const secret of [KEY, OLD, 's3cr3t']) expect(text).not.toContain(secret);
    }
  });

  it('show no more from a variable', () => {
    const loaded = load({ yaml: yamlOf(SEALS), env: { MRTR_GATEWAY_SEAL_KEYS: KEY } });
    expect(showConfig(loaded)).toContain('keys: ["***"] # env');
  });
});

describe('a route that seals', () => {
  it('seals as the configuration says, and otherwise where it says so itself', () => {
    const seal = { keys: [KEY], ttlSeconds: 60, maxRounds: 5, always: true };
    expect(
      policyOf(sealing(seal, { seal: { maxRounds: 9, singleUse: true, storeFailure: 'allow' } }))?.seal,
    ).toEqual({
      ttlMs: 60_000,
      operationMs: 3_600_000,
      maxRounds: 9,
      maxBytes: 131_072,
      always: true,
      singleUse: true,
      storeFailure: 'allow',
    });
  });

  it('has the two rewrites, which others have not', () => {
    const seals = policyOf(sealing({ keys: [KEY] }));
    expect([...(seals?.rewrites ?? [])]).toEqual(
      expect.arrayContaining(['open-request-state', 'seal-request-state']),
    );
    const relays = policyOf(yamlOf({ requestState: 'relay' }));
    expect(relays?.rewrites.has('seal-request-state')).toBe(false);
    expect(relays?.seal).toBeUndefined();
  });

  it('never softens the rule that keeps tokens from the upstream', () => {
    for (const severity of ['off', 'report']) {
      const yaml = sealing({ keys: [KEY] }, { rules: { 'request-state-accepted': severity } });
      expect(problems({ yaml })).toEqual([
        'routes[0].rules.request-state-accepted: cannot be softened where requestState is seal: the upstream would get a token that it never sent',
      ]);
    }
    const policy = policyOf(sealing({ keys: [KEY] }, { rules: { 'request-state-accepted': 'enforce' } }));
    const active = policy?.rules.inbound.find(({ rule }) => rule.id === 'request-state-accepted');
    expect(active?.severity).toBe('enforce');
  });

  it('can soften the rules on answers', () => {
    expect(
      problems({ yaml: sealing({ keys: [KEY] }, { rules: { 'answer-matches-schema': 'report' } }) }),
    ).toEqual([]);
  });

  it('cannot be in mode report, which changes nothing', () => {
    expect(problems({ yaml: sealing({ keys: [KEY] }, { mode: 'report' }) })).toEqual([
      'routes[0].requestState: seal changes messages, which mode report never does: use relay',
    ]);
  });
});

describe('what follows from profile and mode', () => {
  it.each([
    ['spec', 'enforce', 'seal'],
    ['spec', 'report', 'relay'],
    ['ze', 'enforce', 'forbid'],
    ['ze', 'report', 'forbid'],
  ])('is for %s in mode %s: %s', (profile, mode, requestState) => {
    expect(policyOf(yamlOf({ profile, mode }, { seal: { keys: [KEY] } }))?.requestState).toBe(requestState);
  });
});

describe('the store of used states', () => {
  it.each(['redis://127.0.0.1:6379', 'rediss://user:pass@redis.test:6380/2'])('is at %s', (redis) => {
    expect(compile(load({ yaml: sealing({ keys: [KEY], redis }) }).config).seal.redis).toBe(redis);
  });

  it.each(['127.0.0.1:6379', 'http://redis.test', 'redis:'])('is not at %s', (redis) => {
    expect(problems({ yaml: sealing({ keys: [KEY], redis }) })).toEqual([
      'seal.redis: expected a redis:// or rediss:// URL, for example redis://127.0.0.1:6379/0',
    ]);
  });
});
