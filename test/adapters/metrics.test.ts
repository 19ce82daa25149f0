import { register as globalRegistry, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { createHealth } from '../../src/adapters/health.js';
import { createMetrics } from '../../src/adapters/metrics.js';
import { METRICS, PREFIX } from '../../src/adapters/metrics-declarations.js';
import { fanOut } from '../../src/adapters/observers.js';
import type { GatewayPlan } from '../../src/engine/plan.js';
import type { Finding } from '../../src/engine/rule.js';
import { CLIENT_METHODS } from '../../src/protocol/constants.js';
import { INBOUND } from '../../src/rules/index.js';
import { exchange } from '../rules/fixtures.js';
import { planOf, policyOf, summaryOf } from './plans.js';

const BUILD = { version: '1.2.3', revision: 'abc' };
const LOADED = new Date('2026-08-01T10:00:00Z');

function started(plan: GatewayPlan, registry = new Registry()) {
  const health = createHealth();
  const metrics = createMetrics({ registry, health, build: BUILD });
  const apply = (next: GatewayPlan) => {
    health.applyPlan(next);
    metrics.applyPlan(next, LOADED);
  };
  apply(plan);
  const observer = fanOut([health.observer, metrics.observer], (error) => {
    throw error;
  });
  return { registry, health, metrics, observer, apply, read: () => read(registry) };
}

/** The gateway's own series, by name and labels as printed. */
async function read(registry: Registry): Promise<ReadonlyMap<string, number>> {
  const lines = (await registry.metrics()).split('\n').filter((line) => line.startsWith(PREFIX));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(PREFIX.length, end), Number(line.slice(end + 1))];
    }),
  );
}

function finding(severity: 'enforce' | 'report'): Finding {
  const rule = INBOUND.find(({ id }) => id === 'request-state-accepted');
  if (rule === undefined) throw new Error('the rule is gone');
  return { rule, severity, violation: { at: '/params/requestState', message: 'no' } };
}

describe('the metrics', () => {
  it('are exactly those that operators were promised', () => {
    const declared = Object.values(METRICS).map(({ name, type, labels }) =>
      [name, type, ...labels].join(' '),
    );
    expect(declared).toEqual([
      'exchanges_total counter route method outcome',
      'exchange_duration_seconds histogram route method',
      'upstream_duration_seconds histogram route method',
      'policy_duration_seconds histogram route',
      'findings_total counter route stage rule severity',
      'rewrites_total counter route rewrite',
      'input_requests_total counter route kind',
      'input_responses_total counter route action',
      'request_states_issued_total counter route',
      'request_states_received_total counter route verdict',
      'operation_rounds histogram route',
      'input_response_delay_seconds histogram route kind action',
      'callers_denied_total counter route denial',
      'seal_key_ephemeral gauge',
      'exchanges_in_flight gauge route',
      'streams_open gauge route',
      'buffered_bytes gauge',
      'limit gauge limit',
      'limit_rejections_total counter limit',
      'upstream_up gauge route',
      'upstream_errors_total counter route reason',
      'ready gauge',
      'config_last_reload_successful gauge',
      'config_last_reload_success_timestamp_seconds gauge',
      'build_info gauge version revision',
    ]);
  });

  it('are registered under their declared types and help texts', async () => {
    const text = await started(planOf('ze')).registry.metrics();
    for (const { name, type, help } of Object.values(METRICS)) {
      expect(text).toContain(`# HELP ${PREFIX}${name} ${help}\n# TYPE ${PREFIX}${name} ${type}\n`);
    }
  });

  it('stay out of the global registry', () => {
    started(planOf('ze'));
    expect(globalRegistry.getMetricsAsArray()).toEqual([]);
  });

  it('come with the process metrics, unless the registry has them', async () => {
    const { registry } = started(planOf('ze'));
    const text = await registry.metrics();
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
    const shared = new Registry();
    shared.registerMetric(registry.getSingleMetric('process_cpu_seconds_total') ?? expect.fail());
    const names = started(planOf('ze'), shared)
      .registry.getMetricsAsArray()
      .map(({ name }) => name);
    expect(names.filter((name) => !name.startsWith(PREFIX))).toEqual(['process_cpu_seconds_total']);
  });

  it('say which build, whether ready, and when the configuration was loaded', async () => {
    const { health, metrics, read } = started(planOf('ze'));
    expect([...(await read())]).toEqual(
      expect.arrayContaining([
        ['build_info{version="1.2.3",revision="abc"}', 1],
        ['ready', 0],
        ['config_last_reload_successful', 1],
        ['config_last_reload_success_timestamp_seconds', LOADED.getTime() / 1000],
        ['limit{limit="exchanges"}', 1024],
        ['limit{limit="streams"}', 10_000],
        ['limit{limit="bufferedBytes"}', 268_435_456],
      ]),
    );
    health.started();
    expect((await read()).get('ready')).toBe(1);
    health.drain();
    metrics.reloadFailed();
    const after = await read();
    expect(after.get('ready')).toBe(0);
    expect(after.get('config_last_reload_successful')).toBe(0);
    expect(after.get('config_last_reload_success_timestamp_seconds')).toBe(LOADED.getTime() / 1000);
  });
});

describe('series at the start', () => {
  it('stand at 0 for each rule of the route, at its severity in force', async () => {
    const plan = planOf({ name: 'a', rules: { 'url-https': 'enforce', 'progress-requested': 'report' } });
    const series = await started(plan).read();
    const { admit, parse, inbound, outbound } = policyOf(plan, 'a').rules;
    const active = [...admit, ...parse, ...inbound, ...outbound];
    const printed = [...series.keys()].filter((name) => name.startsWith('findings_total'));
    expect(printed).toHaveLength(active.length);
    for (const { rule, severity } of active) {
      const labels = `route="a",stage="${rule.stage}",rule="${rule.id}",severity="${severity}"`;
      expect(series.get(`findings_total{${labels}}`)).toBe(0);
    }
  });

  it.each([
    'exchanges_total{route="ze",method="tools/call",outcome="input_required"}',
    'exchanges_total{route="ze",method="tools/call",outcome="tool_error"}',
    'exchanges_total{route="ze",method="subscriptions/listen",outcome="stream_closed"}',
    'exchanges_total{route="ze",method="other",outcome="refused_inbound"}',
    'exchange_duration_seconds_count{route="ze",method="tools/call"}',
    'upstream_duration_seconds_bucket{le="+Inf",route="ze",method="other"}',
    'policy_duration_seconds_count{route="ze"}',
    'rewrites_total{route="ze",rewrite="tools-list-required"}',
    'input_requests_total{route="ze",kind="elicitation_url"}',
    'input_responses_total{route="ze",action="omitted"}',
    'request_states_issued_total{route="ze"}',
    'request_states_received_total{route="ze",verdict="forbidden"}',
    'upstream_errors_total{route="ze",reason="connect"}',
    'limit_rejections_total{limit="streams"}',
    'exchanges_in_flight{route="ze"}',
    'streams_open{route="ze"}',
    'buffered_bytes',
  ])('stand at 0: %s', async (name) => {
    expect((await started(planOf('ze')).read()).get(name)).toBe(0);
  });

  it('stay the same under a flood of invented names', async () => {
    const plan = planOf('ze');
    const { observer, read } = started(plan);
    const policy = policyOf(plan, 'ze');
    const before = await read();
    for (let n = 0; n < 500; n += 1) {
      const invented = exchange({ policy, method: `invented/${n}`, params: { name: `tool-${n}` } });
      const named = exchange({ policy, id: `id-${n}`, params: { name: `tool-${n}`, arguments: {} } });
      const odd = exchange({ policy, method: ['constructor', '__proto__', '', 'TOOLS/CALL'][n % 4] ?? '' });
      for (const one of [invented, named, odd, undefined]) {
        observer.began(policy);
        observer.ended(summaryOf(policy, one, { outcome: n % 2 === 0 ? 'refused_inbound' : 'ok' }));
      }
    }
    const after = await read();
    expect([...after.keys()]).toEqual([...before.keys()]);
    expect(after.get('exchanges_total{route="ze",method="other",outcome="ok"}')).toBe(750);
  });
});

describe('an exchange', () => {
  it('is counted and timed in seconds', async () => {
    const plan = planOf('ze');
    const { observer, read } = started(plan);
    const policy = policyOf(plan, 'ze');
    observer.began(policy);
    observer.began(policy);
    observer.ended(summaryOf(policy, exchange({ policy }), { outcome: 'tool_error' }));
    const series = await read();
    expect(series.get('exchanges_in_flight{route="ze"}')).toBe(1);
    expect(series.get('exchanges_total{route="ze",method="tools/call",outcome="tool_error"}')).toBe(1);
    expect(series.get('exchange_duration_seconds_sum{route="ze",method="tools/call"}')).toBeCloseTo(0.04);
    expect(series.get('upstream_duration_seconds_sum{route="ze",method="tools/call"}')).toBeCloseTo(0.03);
    expect(series.get('policy_duration_seconds_bucket{le="0.0001",route="ze"}')).toBe(0);
    expect(series.get('policy_duration_seconds_bucket{le="0.00025",route="ze"}')).toBe(1);
  });

  it('that did not reach the upstream has no upstream time', async () => {
    const plan = planOf('ze');
    const { observer, read } = started(plan);
    const policy = policyOf(plan, 'ze');
    observer.ended(summaryOf(policy, exchange({ policy }), { upstreamMs: undefined }));
    const series = await read();
    expect(series.get('exchange_duration_seconds_count{route="ze",method="tools/call"}')).toBe(1);
    expect(series.get('upstream_duration_seconds_count{route="ze",method="tools/call"}')).toBe(0);
  });

  it('is counted under each method of the revision and the Tasks extension', async () => {
    const plan = planOf('ze');
    const { observer, read } = started(plan);
    const policy = policyOf(plan, 'ze');
    for (const method of CLIENT_METHODS)
      observer.ended(summaryOf(policy, exchange({ policy, method, params: {} })));
    const series = await read();
    for (const method of CLIENT_METHODS) {
      expect(series.get(`exchanges_total{route="ze",method="${method}",outcome="ok"}`)).toBe(1);
      const timed = series.get(`exchange_duration_seconds_count{route="ze",method="${method}"}`);
      expect(timed).toBe(method === 'subscriptions/listen' ? undefined : 1);
    }
    expect(series.get('policy_duration_seconds_count{route="ze"}')).toBe(CLIENT_METHODS.size);
  });

  it('leaves its findings, rewrites, questions, answers and states', async () => {
    const plan = planOf('ze');
    const { observer, read } = started(plan);
    const policy = policyOf(plan, 'ze');
    const refused = finding('enforce');
    observer.decided(policy, undefined, 'inbound', {
      findings: [finding('report'), refused],
      refusal: refused,
    });
    observer.rewrote(policy, 'list-scope-private');
    observer.inputRequested(policy, 'elicitation_form');
    observer.inputAnswered(policy, 'decline');
    observer.stateIssued(policy);
    observer.stateReceived(policy, 'forbidden');
    observer.callerDenied(policy, 'invalid');
    observer.streamOpened(policy);
    observer.streamOpened(policy);
    observer.streamClosed(policy);
    observer.upstreamFailed(policy, 'timeout');
    observer.limitRejected('exchanges');
    observer.buffered(300);
    observer.buffered(-100);
    const changed = [...(await read())].filter(([name, value]) => value !== 0 && name.includes('route='));
    const of = 'route="ze",stage="inbound",rule="request-state-accepted"';
    expect(Object.fromEntries(changed)).toEqual({
      [`findings_total{${of},severity="enforce"}`]: 1,
      [`findings_total{${of},severity="report"}`]: 1,
      'rewrites_total{route="ze",rewrite="list-scope-private"}': 1,
      'input_requests_total{route="ze",kind="elicitation_form"}': 1,
      'input_responses_total{route="ze",action="decline"}': 1,
      'request_states_issued_total{route="ze"}': 1,
      'request_states_received_total{route="ze",verdict="forbidden"}': 1,
      'callers_denied_total{route="ze",denial="invalid"}': 1,
      'streams_open{route="ze"}': 1,
      'upstream_errors_total{route="ze",reason="timeout"}': 1,
    });
    const series = await read();
    expect(series.get('limit_rejections_total{limit="exchanges"}')).toBe(1);
    expect(series.get('buffered_bytes')).toBe(200);
  });
});

describe('sealed states', () => {
  it('leave how many rounds an operation took, and how long its answers', async () => {
    const plan = planOf({ name: 'a' });
    const { observer, read } = started(plan);
    const policy = policyOf(plan, 'a');
    expect((await read()).get('operation_rounds_count{route="a"}')).toBe(0);
    observer.operationEnded(policy, 2);
    observer.answeredAfter(policy, 'elicitation_form', 'accept', 42);
    const series = await read();
    expect(series.get('operation_rounds_bucket{le="1",route="a"}')).toBe(0);
    expect(series.get('operation_rounds_bucket{le="2",route="a"}')).toBe(1);
    const labels = 'route="a",kind="elicitation_form",action="accept"';
    expect(series.get(`input_response_delay_seconds_bucket{le="30",${labels}}`)).toBe(0);
    expect(series.get(`input_response_delay_seconds_bucket{le="60",${labels}}`)).toBe(1);
    expect(series.get(`input_response_delay_seconds_sum{${labels}}`)).toBe(42);
  });

  it.each([
    ['of a key that nobody else has', { name: 'a' }, 1],
    ['that no route seals', { name: 'a', requestState: 'relay' }, 0],
  ])('are told by a gauge to be %s', async (_, route, value) => {
    expect((await started(planOf(route)).read()).get('seal_key_ephemeral')).toBe(value);
  });
});

describe('the gauge of an upstream', () => {
  it('is absent before the first exchange, then follows the last one', async () => {
    const plan = planOf('ze');
    const { observer, read } = started(plan);
    const policy = policyOf(plan, 'ze');
    const up = async () => (await read()).get('upstream_up{route="ze"}');
    expect(await up()).toBeUndefined();
    observer.upstreamAnswered(policy);
    expect(await up()).toBe(1);
    observer.upstreamFailed(policy, 'invalid');
    expect(await up()).toBe(1);
    observer.upstreamFailed(policy, 'connect');
    expect(await up()).toBe(0);
    observer.upstreamAnswered(policy);
    expect(await up()).toBe(1);
  });
});

describe('a reload', () => {
  it('takes the gauges of a removed route away, once they are back at 0', async () => {
    const plan = planOf('kept', 'gone');
    const { observer, apply, read } = started(plan);
    const gone = policyOf(plan, 'gone');
    observer.began(gone);
    observer.streamOpened(gone);
    observer.upstreamAnswered(gone);
    apply(planOf('kept'));
    const gauges = async () =>
      [...(await read())].filter(([name]) => /^[a-z_]+(in_flight|open|up)\{route="gone"/.test(name));
    expect(await gauges()).toEqual([
      ['exchanges_in_flight{route="gone"}', 1],
      ['streams_open{route="gone"}', 1],
    ]);
    observer.streamClosed(gone);
    observer.upstreamAnswered(gone);
    observer.ended(summaryOf(gone, exchange({ policy: gone })));
    expect(await gauges()).toEqual([]);
    expect((await read()).get('exchanges_total{route="gone",method="tools/call",outcome="ok"}')).toBe(1);
    apply(plan);
    expect(await gauges()).toEqual([
      ['exchanges_in_flight{route="gone"}', 0],
      ['streams_open{route="gone"}', 0],
    ]);
  });

  it('keeps what was counted, and brings new routes and severities in at 0', async () => {
    const plan = planOf('ze');
    const { observer, apply, read } = started(plan);
    const policy = policyOf(plan, 'ze');
    observer.ended(summaryOf(policy, exchange({ policy })));
    observer.upstreamAnswered(policy);
    apply(planOf({ name: 'ze', mode: 'report' }, 'new'));
    const series = await read();
    expect(series.get('exchanges_total{route="ze",method="tools/call",outcome="ok"}')).toBe(1);
    expect(series.get('exchange_duration_seconds_count{route="ze",method="tools/call"}')).toBe(1);
    expect(series.get('upstream_up{route="ze"}')).toBe(1);
    expect(series.get('exchanges_total{route="new",method="tools/call",outcome="ok"}')).toBe(0);
    const of = 'route="ze",stage="outbound",rule="no-server-request"';
    expect(series.get(`findings_total{${of},severity="report"}`)).toBe(0);
  });
});
