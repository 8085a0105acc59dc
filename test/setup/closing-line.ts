import type { Reporter, TestModule } from 'vitest/node';

/**
 * Ends the output with `N passed, N failed`. A skipped test counts as failed, unless a filter asked for it, or the test
 * needs to be root and this is somebody's own machine.
 */
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
    const mustRunAll = process.env['CI'] !== undefined || process.getuid?.() === 0;
    if (counts.skipped > 0 && !isFiltered && mustRunAll) {
      console.log(`${counts.skipped} tests were skipped: a test that cannot run here must fail.`);
      counts.failed += counts.skipped;
      counts.skipped = 0;
      process.exitCode = 1;
    }
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
    console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`);
  }
}

export default ClosingLine;
