/** Ends a run with one line that counts tests: `N passed, N failed`, and `, N skipped` where there are any. */
import type { Reporter, SerializedError, TestModule, TestSuite } from 'vitest/node';

export class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    process.stdout.write(`\n${summaryLine(modules, unhandled.length)}\n`);
  }
}

/** What failed outside of any test (a file that does not load, a hook, an unhandled rejection) counts as failed. */
export function summaryLine(modules: readonly TestModule[], unhandled: number): string {
  const counts = { passed: 0, failed: unhandled, skipped: 0 };
  for (const module of modules) {
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      counts[state === 'pending' ? 'failed' : state] += 1;
    }
    const suites: readonly (TestModule | TestSuite)[] = [module, ...module.children.allSuites()];
    counts.failed += suites.filter((suite) => suite.errors().length > 0).length;
  }
  const skipped = counts.skipped === 0 ? '' : `, ${counts.skipped} skipped`;
  return `${counts.passed} passed, ${counts.failed} failed${skipped}`;
}
