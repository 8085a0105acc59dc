import type { Reporter, TestModule } from 'vitest/node';

/** Ends the output with `N passed, N failed`; a skipped test counts as failed unless a filter asked for it. */
class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      if (module.state() === 'failed' && module.errors().length > 0) counts.failed++;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'pending') counts.failed++;
        else counts[state]++;
      }
    }
    const isFiltered = process.argv.some(
      (parameter) => parameter === '-t' || parameter.startsWith('--testNamePattern'),
    );
    if (counts.skipped > 0 && !isFiltered) {
      counts.failed += counts.skipped;
      process.exitCode = 1;
      console.log(`${counts.skipped} tests were skipped: a test that cannot run here must fail.`);
    }
    console.log(`${counts.passed} passed, ${counts.failed} failed`);
  }
}

export default ClosingLine;
