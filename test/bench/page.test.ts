import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pageOf } from '../../bench/report/page.js';
import { type Result, type Results, readResults, withResult } from '../../bench/report/results.js';
import { limitText, type Measured, TARGETS, type Target, verdictOf } from '../../bench/report/targets.js';

const machine = { cpu: '2 × CPU', memory: '8 GiB', system: 'Linux', versions: { Node: '20' } };
const at = (median: number) => ({ median, low: median - 1, high: median + 1 });

function target(id: string): Target {
  const found = TARGETS.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no target ${id}`);
  return found;
}

function result(workload: string, measured: readonly Measured[], minutes = 1): Result {
  const ran = {
    command: 'npm run bench',
    rounds: 5,
    finished: '2026-07-28T00:00:00Z',
    minutes,
    loadAverage: 0,
  };
  return { workload, title: workload, says: 'What was done.', ...ran, measured, tables: [], notes: [] };
}

const results = (...measured: readonly Measured[]): Results => ({
  machine,
  results: [result('small', measured)],
});

describe('a target', () => {
  it('is met on its bound, and missed beyond it', () => {
    const [atMost, atLeast] = [target('small-cpu'), target('small-throughput')];
    expect([0.99, 1, 1.01].map((median) => verdictOf(atMost, at(median)))).toEqual(['met', 'met', 'missed']);
    expect([0.99, 1, 1.01].map((median) => verdictOf(atLeast, at(median)))).toEqual(['missed', 'met', 'met']);
  });

  it('is not measured without a figure', () => {
    expect(verdictOf(target('copies'), undefined)).toBe('not measured');
    expect(verdictOf(target('copies'), at(Number.NaN))).toBe('not measured');
  });

  it('says its bound', () => {
    expect(['small-cpu', 'stream-memory', 'copies', 'restart'].map((id) => limitText(target(id)))).toEqual([
      ...['≤ 1 ×', '≤ 24 KiB', '≥ 1.8 ×', '≤ 0'],
    ]);
  });
});

describe('the page', () => {
  it('has a row for every target, and one for each that a target is about', () => {
    const page = pageOf(
      results(
        { target: 'small-cpu', of: 'ze', value: at(2) },
        { target: 'small-cpu', of: 'spec', value: at(0.5) },
      ),
      '',
    );
    for (const { what } of TARGETS) expect(page).toContain(`| ${what}`);
    expect(page).toContain('(ze) | ≤ 1 × | 2.00 (1.00–3.00) × | missed |');
    expect(page).toContain('(spec) | ≤ 1 × | 0.50 (-0.50–1.50) × | met |');
  });

  it('leads from what is missed to the text that explains it', () => {
    const missed = results({ target: 'heap', value: at(9) });
    expect(pageOf(missed, '### heap\n\nBecause.')).toContain('| missed: [why](#heap) |');
    expect(pageOf(missed, '### copies\n\nBecause.')).toContain('| not measured: [why](#copies) |');
  });

  it('takes the place of what the same workload found before, and of all that another machine found', () => {
    const order = ['small', 'large'];
    const first = withResult(undefined, machine, result('large', []), order);
    const second = withResult(first, machine, result('small', []), order);
    const third = withResult(second, machine, result('large', [], 2), order);
    expect(third.results.map(({ workload, minutes }) => [workload, minutes])).toEqual([
      ['small', 1],
      ['large', 2],
    ]);
    expect(withResult(third, { ...machine, cpu: 'other' }, result('small', []), order).results).toHaveLength(
      1,
    );
  });

  it('is what the kept results and the text on profiles make', () => {
    const kept = readResults();
    expect(existsSync('docs/benchmarks.md')).toBe(kept !== undefined);
    if (kept === undefined) return;
    const profiles = readFileSync('bench/profiles.md', 'utf8');
    expect(readFileSync('docs/benchmarks.md', 'utf8')).toBe(pageOf(kept, profiles));
  });
});
