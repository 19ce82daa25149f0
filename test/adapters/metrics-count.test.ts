import { Counter, Gauge, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { Count } from '../../src/adapters/metrics-count.js';

const NAMES = { name: 'things', help: 'Things.', labelNames: ['route', 'kind'] as const };

describe.each([
  ['counter', Counter],
  ['gauge', Gauge],
] as const)('a %s of plain numbers', (type, Own) => {
  it('prints as the one of prom-client does', async () => {
    const [ours, theirs] = [new Registry(), new Registry()];
    const count = new Count({ ...NAMES, type, registers: [ours] });
    const own = new Own({ ...NAMES, labelNames: [...NAMES.labelNames], registers: [theirs] });
    for (const [route, kind, by] of [
      ['a', 'x', 1],
      ['b"\n', 'x', 0],
      ['a', 'x', 41],
      ['a', 'y', 2.5],
    ] as const) {
      count.series({ route, kind }).value += by;
      own.inc({ route, kind }, by);
    }
    expect(await ours.metrics()).toBe(await theirs.metrics());
    count.remove({ route: 'a', kind: 'y' });
    own.remove({ route: 'a', kind: 'y' });
    expect(await ours.metrics()).toBe(await theirs.metrics());
  });

  it('starts anew when it is reset', async () => {
    const registry = new Registry();
    const count = new Count({ ...NAMES, type, registers: [registry] });
    const series = count.series({ route: 'a', kind: 'x' });
    series.value = 3;
    registry.resetMetrics();
    expect(count.series({ route: 'a', kind: 'x' })).toBe(series);
    expect(series.value).toBe(0);
  });
});
