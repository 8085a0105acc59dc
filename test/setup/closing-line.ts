import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Reporter, TestModule, TestSuite } from 'vitest/node';
import { UNMET_NEEDS, type UnmetNeed } from './needs.ts';

/** The results of a run, as its last line tells them. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  /** Tests that a filter of the command line left out. */
  readonly skipped: number;
  /** Tests that were not registered, by the right that they need. */
  readonly unmet: Readonly<Record<string, number>>;
}

/** `3 passed, 0 failed (12 need root)`. */
export function closingLine({ passed, failed, skipped, unmet }: Counts): string {
  const needs = Object.entries(unmet).map(([need, count]) => `${count} ${count === 1 ? 'needs' : 'need'} ${need}`);
  const left = skipped > 0 ? `, ${skipped} skipped` : '';
  return `${passed} passed, ${failed} failed${left}${needs.length > 0 ? ` (${needs.join(', ')})` : ''}`;
}

const isFiltered = (): boolean => process.argv.some((word) => word === '-t' || word.startsWith('--testNamePattern'));

/** Groups of a file that hold no test. */
const emptySuites = (module: TestModule): readonly TestSuite[] =>
  [...module.children.allSuites()].filter((suite) => suite.children.allTests().next().done === true);

/**
 * Ends the output with `N passed, N failed`. A skipped test counts as failed, unless a filter asked for it, and so does
 * a file or a group without tests, unless its tests need rights that the run has not.
 */
class ClosingLine implements Reporter {
  #folder = '';

  /** The workers inherit the name of the file in which `itNeeding` writes. */
  onInit(): void {
    this.#folder = mkdtempSync(join(tmpdir(), 'sinete-needs-'));
    const file = join(this.#folder, 'unmet');
    writeFileSync(file, '');
    process.env[UNMET_NEEDS] = file;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const needs = this.#needs();
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
    const count = (state: string): number => states.filter((one) => one === state).length;
    const broken = modules.filter((module) => module.state() === 'failed' && module.errors().length > 0).length;
    const faults = [...this.#emptyFiles(modules, needs)];
    if (modules.length === 0) faults.push('There are no such test files.');
    const skipped = isFiltered() ? count('skipped') : 0;
    const forbidden = count('skipped') - skipped;
    if (forbidden > 0) faults.push(`Tests must not be skipped: ${forbidden} were.`);
    for (const fault of faults) console.log(fault);
    if (faults.length > 0) process.exitCode = 1;
    const failed = count('failed') + count('pending') + broken + errors.length + Math.max(faults.length, forbidden);
    const unmet: Record<string, number> = {};
    for (const { need } of needs) unmet[need] = (unmet[need] ?? 0) + 1;
    console.log(closingLine({ passed: count('passed'), failed, skipped, unmet }));
  }

  #needs(): readonly UnmetNeed[] {
    const lines = readFileSync(join(this.#folder, 'unmet'), 'utf8').split('\n');
    rmSync(this.#folder, { recursive: true });
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as UnmetNeed);
  }

  #emptyFiles(modules: readonly TestModule[], needs: readonly UnmetNeed[]): readonly string[] {
    const excused = new Set(needs.map(({ file }) => file));
    return modules
      .filter((module) => module.errors().length === 0 && !excused.has(module.moduleId))
      .flatMap((module) => {
        const isEmpty = module.children.allTests().next().done === true;
        if (isEmpty) return [`${module.moduleId} has no tests.`];
        return emptySuites(module).map((suite) => `${module.moduleId}: "${suite.fullName}" has no tests.`);
      });
  }
}

export default ClosingLine;
