import { describe, expect, it } from 'vitest';
import { activeRules, compile, compileAdminOrigins } from '../../src/config/compile.js';
import { loadObject } from '../../src/config/load.js';
import type { ConfigInput } from '../../src/config/schema.js';
import type { GatewayPlan, RoutePlan } from '../../src/engine/plan.js';
import type { Rule, RuleCard, Severity } from '../../src/engine/rule.js';
import { ADMIT, INBOUND, OUTBOUND, PARSE } from '../../src/rules/index.js';

const UPSTREAM = 'http://ze.test:9718/up/mcp';

function planOf(keys: Partial<ConfigInput> = {}): GatewayPlan {
  return compile(loadObject({ routes: [{ upstream: UPSTREAM }], ...keys }).config);
}

function routeOf(keys: object = {}): RoutePlan {
  const [route] = planOf({ routes: [{ upstream: UPSTREAM, ...keys }] }).routes;
  if (route === undefined) throw new Error('no route');
  return route;
}

describe('a compiled route', () => {
  it.each([
    [
      'spec',
      {
        requestState: 'seal',
        formSubset: 'revision',
        max: 16,
        kinds: ['elicitation', 'sampling', 'roots'],
        modes: ['form', 'url'],
        modeStated: false,
      },
    ],
    [
      'ze',
      {
        requestState: 'forbid',
        formSubset: 'plain',
        max: 1,
        kinds: ['elicitation'],
        modes: ['form'],
        modeStated: true,
      },
    ],
  ])('of profile %s has its parameters', (profile, { requestState, formSubset, kinds, modes, ...bounds }) => {
    expect(routeOf({ profile }).policy).toMatchObject({
      profile,
      requestState,
      formSubset,
      versions: ['2026-07-28'],
      inputRequests: { ...bounds, kinds: new Set(kinds), modes: new Set(modes) },
    });
  });

  it('has the tools that are configured and no other', () => {
    const { tools } = routeOf({ tools: { book: { elicits: ['city'] } } }).policy;
    expect(tools.get('book')).toEqual({ elicits: ['city'], auditArguments: [], toolError: true });
    expect(tools.get('constructor')).toBeUndefined();
  });

  it.each([
    [
      '/mcp',
      UPSTREAM,
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-protected-resource/up/mcp',
    ],
    ['/', 'http://ze.test', '/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource'],
    [
      '/a/b',
      'http://ze.test/mcp/?x=1',
      '/.well-known/oauth-protected-resource/a/b',
      '/.well-known/oauth-protected-resource/mcp/',
    ],
  ])('at %s in front of %s has its metadata at %s', (path, upstream, own, upstreamPath) => {
    expect(routeOf({ path, upstream }).metadata).toEqual({ path: own, upstreamPath });
  });

  it('has the names of its upstream’s header fields in lower case', () => {
    const { upstream } = routeOf({ upstream: { url: UPSTREAM, headers: { Authorization: 'Bearer Abc' } } });
    expect([...upstream.headers]).toEqual([['authorization', 'Bearer Abc']]);
    expect([upstream.ca, upstream.cert, upstream.key]).toEqual([undefined, undefined, undefined]);
  });

  it.each([
    [{ requestState: 'relay' }, ['tools-list-required', 'list-scope-private', 'discover-versions']],
    [
      { profile: 'ze', rewrites: { 'list-scope-private': 'off' } },
      ['tools-list-required', 'discover-versions'],
    ],
    [
      { profile: 'ze', rewrites: { 'list-scope-private': false } },
      ['tools-list-required', 'discover-versions'],
    ],
    [{ mode: 'report' }, []],
    [{ mode: 'report', rewrites: { 'discover-versions': 'on' } }, ['discover-versions']],
  ])('with %j rewrites %j', (keys, rewrites) => {
    expect([...routeOf(keys).policy.rewrites]).toEqual(rewrites);
  });

  it('searches forms for the credentials of its profile and its own', () => {
    const asks = (keys: object) => {
      const { credentials } = routeOf(keys).policy;
      return ['max_tokens', 'shibboleth', 'password'].map((name) => credentials.nameAsks(name));
    };
    expect(asks({})).toEqual([false, false, true]);
    expect(asks({ profile: 'ze' })).toEqual([true, false, true]);
    expect(asks({ credentials: { words: ['shibboleth'] } })).toEqual([false, true, true]);
    expect(asks({ credentials: { except: ['password'] } })).toEqual([false, false, false]);
  });

  it('cannot be changed', () => {
    const { policy, upstream, metadata } = routeOf({ tools: { book: { elicits: ['city'] } } });
    for (const value of [
      policy,
      upstream,
      metadata,
      policy.inputRequests,
      policy.rules,
      policy.rules.outbound,
      policy.tools.get('book'),
    ])
      expect(Object.isFrozen(value)).toBe(true);
  });
});

describe('the rules of a route', () => {
  it('stand in the register’s order, without those that its profile turns off', () => {
    const { rules } = routeOf().policy;
    const expected = (register: readonly RuleCard[]) =>
      register.filter(({ severity }) => severity.spec !== 'off').map(({ id }) => id);
    for (const [active, register] of [
      [rules.admit, ADMIT],
      [rules.parse, PARSE],
      [rules.inbound, INBOUND],
      [rules.outbound, OUTBOUND],
    ] as const)
      expect(active.map(({ rule }) => rule.id)).toEqual(expected(register));
  });

  const rule = (id: string, spec: Severity, locked?: string): Rule<'outbound'> => ({
    id,
    stage: 'outbound',
    guarantees: '',
    clause: { source: 'gateway policy', keyword: 'MUST', quote: '' },
    severity: { spec, ze: 'enforce' },
    ...(locked !== undefined && { locked }),
    remedy: { refuse: 'serverViolation' },
    check: () => undefined,
  });
  const register = [
    rule('strict', 'enforce'),
    rule('watched', 'report'),
    rule('idle', 'off'),
    rule('fixed', 'enforce', 'because'),
  ];

  it.each([
    [
      'the profile’s severities',
      { profile: 'spec', mode: 'enforce', rules: {} },
      { strict: 'enforce', watched: 'report', fixed: 'enforce' },
    ],
    [
      'another profile’s severities',
      { profile: 'ze', mode: 'enforce', rules: {} },
      { strict: 'enforce', watched: 'enforce', idle: 'enforce', fixed: 'enforce' },
    ],
    [
      'single severities',
      { profile: 'spec', mode: 'enforce', rules: { strict: 'off', watched: 'enforce', idle: 'report' } },
      { watched: 'enforce', idle: 'report', fixed: 'enforce' },
    ],
    [
      'mode report',
      { profile: 'spec', mode: 'report', rules: {} },
      { strict: 'report', watched: 'report', fixed: 'enforce' },
    ],
    [
      'mode report and a single severity',
      { profile: 'spec', mode: 'report', rules: { strict: 'enforce', watched: 'off' } },
      { strict: 'enforce', fixed: 'enforce' },
    ],
    [
      'a lock over everything',
      { profile: 'spec', mode: 'report', rules: { fixed: 'off', strict: 'off', watched: 'off' } },
      { fixed: 'enforce' },
    ],
  ] as const)('follow %s', (_, route, expected) => {
    expect(
      Object.fromEntries(activeRules(register, route).map((one) => [one.rule.id, one.severity])),
    ).toEqual(expected);
  });
});

describe('who may call', () => {
  const origins = (keys: Partial<ConfigInput>) => planOf(keys).origins;

  it.each([
    [{}, { loopback: true, checkHost: true }],
    [{ listen: '[::1]:9719' }, { loopback: true, checkHost: true }],
    [{ listen: 'localhost:9719' }, { loopback: true, checkHost: true }],
    [{ listen: '0.0.0.0:9719' }, { loopback: false, checkHost: false }],
    [
      { listen: '0.0.0.0:9719', publicUrl: 'https://mcp.example.com' },
      { loopback: false, checkHost: true },
    ],
    [
      { listen: '[::]:9719', allowedHosts: ['mcp.example.com'] },
      { loopback: false, checkHost: true },
    ],
  ])('follows from %j', (keys, expected) => {
    expect(origins(keys)).toMatchObject(expected);
  });

  it('follows from the public URL and the lists', () => {
    const keys = {
      publicUrl: 'https://MCP.example.com:8443/gw',
      allowedOrigins: ['https://app.example.com'],
      allowedHosts: ['gw.internal:9719'],
    };
    expect(origins(keys)).toMatchObject({
      origins: new Set(['https://app.example.com', 'https://mcp.example.com:8443']),
      hosts: new Set(['gw.internal:9719', 'mcp.example.com']),
    });
  });

  it.each([
    ['127.0.0.1:9720', { loopback: true, checkHost: true }],
    ['0.0.0.0:9720', { loopback: false, checkHost: false }],
  ])('of the admin listener at %s is judged by Host on loopback alone', (admin, expected) => {
    const { config } = loadObject({
      admin,
      publicUrl: 'https://mcp.example.com',
      routes: [{ upstream: UPSTREAM }],
    });
    expect(compileAdminOrigins(config)).toMatchObject(expected);
  });

  it('by proxy is told by the peer’s address', () => {
    const { trustsProxy } = planOf({ trustedProxies: ['10.0.0.0/8'] });
    expect([
      trustsProxy('10.1.1.1'),
      trustsProxy('::ffff:10.1.1.1'),
      trustsProxy('11.0.0.1'),
      trustsProxy(undefined),
    ]).toEqual([true, true, false, false]);
  });
});

describe('a plan', () => {
  it('has limits, timeouts and log as configured', () => {
    const plan = planOf({ limits: { streams: 7 }, timeouts: { drainMs: 9 }, log: { level: 'warn' } });
    expect([plan.limits.streams, plan.timeouts.drainMs, plan.log]).toEqual([
      7,
      9,
      { level: 'warn', audit: true },
    ]);
    expect(
      [plan, plan.routes, plan.limits, plan.timeouts, plan.log, plan.origins].every(Object.isFrozen),
    ).toBe(true);
  });

  it('has a public URL when there is one', () => {
    expect(planOf().publicUrl).toBeUndefined();
    expect(planOf({ publicUrl: 'https://mcp.example.com' }).publicUrl?.href).toBe('https://mcp.example.com/');
  });
});
