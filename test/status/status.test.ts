import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../src/engine/exchange.js';
import type { Decision, Finding, RuleCard, Stage } from '../../src/engine/rule.js';
import { CLIENT_METHODS } from '../../src/protocol/constants.js';
import { ADMIT, INBOUND, OUTBOUND, PARSE } from '../../src/rules/index.js';
import { KEPT_DECISIONS, Status } from '../../src/status/status.js';
import { planOf, policyOf, summaryOf } from '../adapters/plans.js';
import { exchange } from '../rules/fixtures.js';

const RULES: readonly RuleCard[] = [...ADMIT, ...PARSE, ...INBOUND, ...OUTBOUND];
const PLAN = planOf('ze', { name: 'books', mode: 'report', rules: { 'url-https': 'off' } });
const ze = policyOf(PLAN, 'ze');
const NOON = Date.parse('2026-07-28T12:00:00Z');

function rule(id: string): RuleCard {
  const found = RULES.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no rule ${id}`);
  return found;
}

function finding(id: string, more: Partial<Finding> = {}): Finding {
  return { rule: rule(id), severity: 'enforce', violation: { at: '/params', message: 'no' }, ...more };
}

function refusing(found: Finding, dropped?: boolean): Decision {
  return { findings: [found], refusal: found, ...(dropped !== undefined && { dropped }) };
}

function call(method: string, params: Exchange['message']['params'] = {}): Exchange {
  return exchange({ policy: ze, method, params });
}

function start(now = { ms: NOON }) {
  const readiness = { ready: true, draining: false, upstreams: { ze: 'up', books: 'unknown' } } as const;
  const status = new Status({
    build: { version: '1.2.3', revision: 'abc' },
    readiness: () => readiness,
    now: () => now.ms,
  });
  status.applyPlan(PLAN);
  const decided = (
    stage: Stage,
    decision: Decision,
    message: Exchange | undefined = call('tools/call', { name: 'ze_execute' }),
  ) => status.observer.decided?.(ze, message, stage, decision);
  return { status, now, decided };
}

describe('a decision', () => {
  it('says when, what, where and why', () => {
    const { status, decided } = start();
    const violation = { at: '/params/requestState', message: 'invalid params: not accepted' };
    decided('inbound', refusing(finding('request-state-accepted', { violation })));
    expect(status.snapshot().decisions).toEqual([
      {
        seq: 1,
        at: '2026-07-28T12:00:00.000Z',
        what: 'refused',
        rule: 'request-state-accepted',
        stage: 'inbound',
        route: 'ze',
        method: 'tools/call',
        target: 'ze_execute',
        where: '/params/requestState',
        why: 'invalid params: not accepted',
        spec: 'https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#client-requirements-basic-workflow',
      },
    ]);
  });

  it.each([
    ['refused', refusing(finding('no-server-request'))],
    ['dropped', refusing(finding('log-level-requested'))],
    [
      'dropped',
      refusing(finding('no-removed-message', { violation: { at: '', message: 'm', remedy: 'drop' } })),
    ],
    ['dropped', refusing(finding('task-not-input-required'), true)],
    ['reported', { findings: [finding('no-server-request', { severity: 'report' })], refusal: undefined }],
    ['reported', { findings: [finding('log-level-requested', { severity: 'report' })], refusal: undefined }],
  ] as const)('is %s', (what, decision) => {
    const { status, decided } = start();
    decided('outbound', decision);
    expect(status.snapshot().decisions.map((row) => row.what)).toEqual([what]);
  });

  it('of several findings has a row for each, the last first', () => {
    const { status, decided } = start();
    const refusal = finding('form-schema-flat');
    decided('outbound', {
      findings: [finding('result-type-present', { severity: 'report' }), refusal],
      refusal,
    });
    expect(status.snapshot().decisions.map((row) => [row.seq, row.what, row.rule])).toEqual([
      [2, 'refused', 'form-schema-flat'],
      [1, 'reported', 'result-type-present'],
    ]);
  });

  it('without a message has neither method nor target', () => {
    const { status } = start();
    status.observer.decided?.(ze, undefined, 'parse', refusing(finding('json-unambiguous')));
    expect(status.snapshot().decisions[0]).toMatchObject({ method: '', target: '', stage: 'parse' });
  });

  it.each([
    ['tools/call', { name: '<script>alert(1)</script>' }, 'tools/call', '<script>alert(1)</script>'],
    ['tools/call', { name: '\u202eevil\u2066' }, 'tools/call', '\\u{202e}evil\\u{2066}'],
    ['tools/call', { name: 'a\nb' }, 'tools/call', 'a\\u{a}b'],
    ['tools/call', { name: 'x'.repeat(10_000) }, 'tools/call', `${'x'.repeat(64)}…`],
    ['tools/call', { name: 7 }, 'tools/call', ''],
    ['prompts/get', { name: 'greet' }, 'prompts/get', 'greet'],
    [
      'resources/read',
      { uri: 'https://me:pw@a.example/x?token=1#2' },
      'resources/read',
      'https://a.example/x',
    ],
    ['tasks/get', { taskId: 'secret' }, 'tasks/get', ''],
    ['invented/method', { name: 'x' }, 'other', ''],
    ['constructor', {}, 'other', ''],
  ])('shows of %s %j what may be shown', (method, params, shownMethod, target) => {
    const { status, decided } = start();
    decided('inbound', refusing(finding('headers-match-body')), call(method, params));
    expect(status.snapshot().decisions[0]).toMatchObject({ method: shownMethod, target });
  });

  it('bounds and escapes where it found something', () => {
    const { status, decided } = start();
    const at = `/result/\u202e</script>/${'x'.repeat(1000)}`;
    decided('outbound', refusing(finding('form-schema-flat', { violation: { at, message: 'm' } })));
    const where = status.snapshot().decisions[0]?.where ?? '';
    expect(where).toMatch(/^\/result\/\\u202e<\/script>\/x+$/);
    expect(where).toHaveLength(200);
  });

  it('is forgotten after so many others', () => {
    const { status, decided } = start();
    for (let n = 0; n < 3 * KEPT_DECISIONS; n += 1)
      decided('inbound', refusing(finding('headers-match-body')));
    const kept = status.snapshot().decisions.map(({ seq }) => seq);
    expect(kept).toHaveLength(KEPT_DECISIONS);
    expect(kept[0]).toBe(3 * KEPT_DECISIONS);
    expect(status.decisionsSince(3 * KEPT_DECISIONS - 2).map(({ seq }) => seq)).toEqual([600, 599]);
    expect(status.decisionsSince(status.seq)).toEqual([]);
    expect(status.snapshot().live.totals.refused).toBe(3 * KEPT_DECISIONS);
  });

  it('keeps nothing in memory of what it was cut from', () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const { status, decided } = start();
    const long = (n: number) => `${n}`.padStart(1_000_000, 'x');
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let n = 0; n < KEPT_DECISIONS; n += 1) {
      const found = finding('headers-match-body', { violation: { at: `/${long(n)}`, message: 'm' } });
      decided('inbound', refusing(found), call('tools/call', { name: long(n) }));
    }
    collectGarbage();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000);
    expect(status.snapshot().decisions).toHaveLength(KEPT_DECISIONS);
  });
});

describe('the facts', () => {
  it('name every rule with its clause, in order', () => {
    const { rules } = start().status.snapshot();
    expect(rules.map(({ id }) => id)).toEqual(RULES.map(({ id }) => id));
    expect(rules.find(({ id }) => id === 'no-server-request')?.clause).toMatchObject({
      source: 'basic/transports/streamable-http',
      keyword: 'MUST NOT',
      url: expect.stringMatching(/^https:\/\/modelcontextprotocol\.io\//),
    });
    expect(rules.find(({ id }) => id === 'body-within-limit')).toMatchObject({
      locked: true,
      clause: { source: 'gateway policy', url: undefined },
    });
  });

  it('say how severe a rule is on each route', () => {
    const { rules } = start().status.snapshot();
    const severities = (id: string) => rules.find((one) => one.id === id)?.severities;
    expect(severities('no-server-request')).toEqual([
      { route: 'ze', severity: 'enforce' },
      { route: 'books', severity: 'report' },
    ]);
    expect(severities('url-https')).toEqual([
      { route: 'ze', severity: 'report' },
      { route: 'books', severity: 'off' },
    ]);
  });

  it('name the routes, without what an upstream’s URL may keep secret', () => {
    const { status } = start();
    status.applyPlan(
      planOf({ name: 'a', path: '/a', upstream: 'https://mcp.example/x?key=secret', requestState: 'forbid' }),
    );
    expect(status.snapshot().routes).toEqual([
      {
        name: 'a',
        path: '/a',
        upstream: 'https://mcp.example/x',
        profile: 'spec',
        mode: 'enforce',
        requestState: 'forbid',
      },
    ]);
  });

  it('name the closed set of methods', () => {
    expect(start().status.snapshot().methods).toEqual([...CLIENT_METHODS, 'other']);
  });
});

describe('what changes with traffic', () => {
  it('is counted for all, for each route, rule and minute', () => {
    const { status, now, decided } = start();
    const books = policyOf(PLAN, 'books');
    for (const route of [ze, ze, books]) status.observer.began?.(route);
    status.observer.streamOpened?.(ze);
    decided('inbound', refusing(finding('headers-match-body')));
    status.observer.ended?.(summaryOf(ze, undefined, { outcome: 'refused_inbound' }));
    now.ms += 60_000;
    status.observer.upstreamFailed?.(books, 'connect');
    status.observer.ended?.(summaryOf(books, undefined, { outcome: 'upstream_failed' }));
    const { totals, routes, counts, minutes, at, state } = status.snapshot().live;
    expect([at, state]).toEqual(['2026-07-28T12:01:00.000Z', 'ready']);
    expect(totals).toEqual({ exchanges: 2, inFlight: 1, refused: 1, dropped: 0, reported: 0 });
    expect(counts).toEqual([{ rule: 'headers-match-body', refused: 1, dropped: 0, reported: 0 }]);
    expect(minutes.exchanges.slice(-3)).toEqual([0, 1, 1]);
    expect(minutes.refused.slice(-3)).toEqual([0, 1, 0]);
    expect(routes).toEqual([
      {
        ...{ name: 'ze', upstream: 'up', exchanges: 1, inFlight: 1, streams: 1, refused: 1 },
        ...{ failures: 0, lastFailure: undefined },
      },
      {
        ...{ name: 'books', upstream: 'unknown', exchanges: 1, inFlight: 0, streams: 0, refused: 0 },
        ...{ failures: 1, lastFailure: { reason: 'connect', at: '2026-07-28T12:01:00.000Z' } },
      },
    ]);
  });

  it('outlives a configuration where its route does', () => {
    const { status } = start();
    const books = policyOf(PLAN, 'books');
    for (const route of [ze, books]) status.observer.began?.(route);
    status.applyPlan(planOf('ze', 'news'));
    status.observer.ended?.(summaryOf(books, undefined));
    const { routes, totals } = status.live();
    expect(routes.map(({ name, inFlight }) => [name, inFlight])).toEqual([
      ['ze', 1],
      ['news', 0],
    ]);
    expect(totals).toMatchObject({ exchanges: 1, inFlight: 1 });
  });

  it('is told to whoever listens', () => {
    const { status, decided } = start();
    const told: boolean[] = [];
    status.changed = (plan) => told.push(plan);
    status.observer.began?.(ze);
    decided('inbound', refusing(finding('headers-match-body')));
    expect(told.length).toBeGreaterThanOrEqual(2);
    expect(told).not.toContain(true);
    status.applyPlan(PLAN);
    expect(told.at(-1)).toBe(true);
  });
});
