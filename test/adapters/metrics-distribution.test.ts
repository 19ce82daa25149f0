import fc from 'fast-check';
import { Histogram, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { Distribution } from '../../src/adapters/metrics-distribution.js';

const BUCKETS = [0.001, 0.0025, 0.5, 1, 900];
const SETTINGS = { name: 'wait_seconds', help: 'Time.', labelNames: ['route', 'method'] as const };

function both() {
  const [ours, theirs] = [new Registry(), new Registry()];
  return {
    ours,
    theirs,
    distribution: new Distribution({ ...SETTINGS, buckets: BUCKETS, registers: [ours] }),
    histogram: new Histogram({ ...SETTINGS, buckets: BUCKETS, registers: [theirs] }),
  };
}

const seconds = fc.oneof(fc.constantFrom(...BUCKETS, 0), fc.double({ min: 0, max: 2000, noNaN: true }));
const label = fc.constantFrom('a', 'b', 'quote"and\\', 'line\nbreak', '__proto__');

describe('a distribution', () => {
  it("prints what prom-client's histogram prints", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(label, label, seconds)), async (observations) => {
        const { ours, theirs, distribution, histogram } = both();
        for (const [route, method, value] of observations) {
          distribution.series({ route, method }).observe(value);
          histogram.labels(route, method).observe(value);
        }
        expect(await ours.metrics()).toBe(await theirs.metrics());
      }),
    );
  });

  it('is there at 0 from when it is named', async () => {
    const { ours, theirs, distribution, histogram } = both();
    distribution.series({ route: 'a', method: 'b' });
    histogram.zero({ route: 'a', method: 'b' });
    expect(await ours.metrics()).toBe(await theirs.metrics());
  });

  it('keeps label sets apart that read alike when joined', async () => {
    const { ours, distribution } = both();
    distribution.series({ route: 'a,b', method: 'c' }).observe(1);
    distribution.series({ route: 'a', method: 'b,c' }).observe(1);
    expect((await ours.metrics()).match(/wait_seconds_count\{.*\} 1/g)).toHaveLength(2);
  });

  it('takes the default labels of its registry', async () => {
    const { ours, distribution } = both();
    ours.setDefaultLabels({ pod: 'one' });
    distribution.series({ route: 'a', method: 'b' }).observe(2);
    expect(await ours.metrics()).toContain('wait_seconds_sum{route="a",method="b",pod="one"} 2');
    expect(await ours.getMetricsAsJSON()).toMatchObject([{ name: 'wait_seconds', type: 'histogram' }]);
  });

  it('goes back to 0 with its registry', async () => {
    const { ours, distribution } = both();
    distribution.series({ route: 'a', method: 'b' }).observe(2);
    ours.resetMetrics();
    expect(await ours.metrics()).toContain('wait_seconds_count{route="a",method="b"} 0');
  });

  it('refuses a name that is taken', () => {
    const { ours } = both();
    expect(() => new Distribution({ ...SETTINGS, buckets: BUCKETS, registers: [ours] })).toThrow(/already/);
  });
});
