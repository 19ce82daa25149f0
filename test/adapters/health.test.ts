import { describe, expect, it } from 'vitest';
import { createHealth } from '../../src/adapters/health.js';
import { planOf, policyOf } from './plans.js';

describe('health', () => {
  it('is ready from its start to its drain', () => {
    const health = createHealth();
    expect(health.readiness()).toEqual({ ready: false, draining: false, upstreams: {} });
    health.started();
    expect(health.readiness()).toMatchObject({ ready: true, draining: false });
    health.drain();
    expect(health.readiness()).toMatchObject({ ready: false, draining: true });
  });

  it('knows nothing of an upstream before the first exchange, and stays ready when one is lost', () => {
    const plan = planOf('one', 'other', 'constructor');
    const health = createHealth();
    health.applyPlan(plan);
    health.started();
    expect(Object.entries(health.readiness().upstreams)).toEqual([
      ['one', 'unknown'],
      ['other', 'unknown'],
      ['constructor', 'unknown'],
    ]);
    health.observer.upstreamAnswered?.(policyOf(plan, 'one'));
    health.observer.upstreamFailed?.(policyOf(plan, 'other'), 'connect');
    expect(health.readiness()).toMatchObject({ ready: true, upstreams: { one: 'up', other: 'down' } });
  });

  it.each([
    ['connect', 'down'],
    ['timeout', 'down'],
    ['reset', 'down'],
    ['invalid', 'up'],
  ] as const)('after a failure of kind %s calls the upstream %s', (reason, state) => {
    const plan = planOf('ze');
    const health = createHealth();
    health.applyPlan(plan);
    health.observer.upstreamAnswered?.(policyOf(plan, 'ze'));
    health.observer.upstreamFailed?.(policyOf(plan, 'ze'), reason);
    expect(health.readiness().upstreams).toEqual({ ze: state });
  });

  it('forgets a route that a reload took away, and what came of its last exchanges', () => {
    const plan = planOf('kept', 'gone');
    const health = createHealth();
    health.applyPlan(plan);
    health.observer.upstreamAnswered?.(policyOf(plan, 'kept'));
    health.applyPlan(planOf('kept', 'new'));
    health.observer.upstreamAnswered?.(policyOf(plan, 'gone'));
    expect(health.readiness().upstreams).toEqual({ kept: 'up', new: 'unknown' });
  });
});
