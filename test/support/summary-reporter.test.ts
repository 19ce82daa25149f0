import { describe, expect, it } from 'vitest';
import type { TestModule } from 'vitest/node';
import { summaryLine } from './summary-reporter.js';

function moduleOf(states: readonly string[], errors: readonly unknown[] = []): TestModule {
  const tests = states.map((state) => ({ result: () => ({ state }) }));
  const children = { allTests: () => tests, allSuites: () => [] };
  return { children, errors: () => errors } as unknown as TestModule;
}

describe('the last line of a test run', () => {
  it.each([
    {
      name: 'counts passed tests over all files',
      modules: [['passed'], ['passed']],
      line: '2 passed, 0 failed',
    },
    { name: 'counts failed ones', modules: [['passed', 'failed']], line: '1 passed, 1 failed' },
    {
      name: 'names skipped ones only when there are any',
      modules: [['passed', 'skipped']],
      line: '1 passed, 0 failed, 1 skipped',
    },
    { name: 'takes a test that never ended for failed', modules: [['pending']], line: '0 passed, 1 failed' },
  ])('$name', ({ modules, line }) => {
    expect(
      summaryLine(
        modules.map((states) => moduleOf(states)),
        0,
      ),
    ).toBe(line);
  });

  it('counts a file that does not load and an unhandled error as failed', () => {
    expect(summaryLine([moduleOf([], [new Error('no such file')]), moduleOf(['passed'])], 1)).toBe(
      '1 passed, 2 failed',
    );
  });
});
