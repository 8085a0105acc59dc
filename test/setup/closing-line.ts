import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, SerializedError, TestModule, TestSpecification, TestSuite } from 'vitest/node';
import { UNMET_NEEDS, type UnmetNeed } from './needs.ts';

/** The results of a run, as printed in its last line. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  /** Tests left out by a filter of the command line. */
  readonly skipped: number;
  /** Tests not registered, by the missing right. */
  readonly unmet: Readonly<Record<string, number>>;
}

/** `3 passed, 0 failed (12 need root)`. */
export function closingLine({ passed, failed, skipped, unmet }: Counts): string {
  const needs = Object.entries(unmet).map(([need, count]) => `${count} ${count === 1 ? 'needs' : 'need'} ${need}`);
  const left = skipped > 0 ? `, ${skipped} skipped` : '';
  return `${passed} passed, ${failed} failed${left}${needs.length > 0 ? ` (${needs.join(', ')})` : ''}`;
}

/**
 * The environment variable with the file for the record of a repeatable run. `run-tests.ts` sets it. The names of these
 * variables do not begin with `SINETE_`, because an instance refuses unknown variables with that prefix.
 */
export const RUN_RECORD = 'TESTS_RUN_RECORD';

/** Holds the counts of an earlier part of the run, as JSON. The closing line adds these counts. */
export const COUNTED_BEFORE = 'TESTS_COUNTED_BEFORE';

/**
 * The environment variable with a file for short descriptions of failures, to be appended there. `.ci/run` sets this
 * variable, and shows the failures at its end.
 */
const FAILURES = 'TESTS_FAILURES';

/** The facts of a run needed by `run-tests.ts` to repeat test files ended by V8. */
export interface RunRecord {
  /** Without the files cut off. */
  readonly counts: Counts;
  /** Paths of the test files whose process was ended by V8, relative to the repository. */
  readonly cutOff: readonly string[];
}

/** The counts of two parts of one run. */
function sum(one: Counts, other: Counts): Counts {
  const unmet: Record<string, number> = { ...one.unmet };
  for (const [need, count] of Object.entries(other.unmet)) unmet[need] = (unmet[need] ?? 0) + count;
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
    unmet,
  };
}

/**
 * The error of a test process ended by V8. V8 aborts with SIGTRAP when its table of code pages is inconsistent; sound
 * programs with threads coming and going meet this (nodejs/node issue 64500). A crash of a native library is another
 * signal.
 */
const isEndedByV8 = ({ cause }: SerializedError): boolean =>
  /^Worker exited unexpectedly with signal SIGTRAP /.test((cause as { message?: string } | undefined)?.message ?? '');

/** The first lines of an error, without colours. */
const inShort = ({ message, cause }: SerializedError): string =>
  stripVTControlCharacters([message, (cause as { message?: string } | undefined)?.message].filter(Boolean).join(': '))
    .split('\n')
    .slice(0, 6)
    .join('\n    ')
    .slice(0, 600);

/** Each failed test or file with the first lines of its errors. */
function failuresOf(modules: readonly TestModule[], errors: readonly SerializedError[]): readonly string[] {
  const failed = modules.flatMap((module) => [
    ...module.errors().map((error) => `${module.relativeModuleId}\n    ${inShort(error)}`),
    ...[...module.children.allTests('failed')].map(
      (test) =>
        `${module.relativeModuleId} > ${test.fullName}\n    ${(test.result().errors ?? []).map(inShort).join('\n    ')}`,
    ),
  ]);
  return [...failed, ...errors.map((error) => `Outside of the tests\n    ${inShort(error)}`)];
}

const isFiltered = (): boolean => process.argv.some((word) => word === '-t' || word.startsWith('--testNamePattern'));

/** Groups of a file holding no test. */
const emptySuites = (module: TestModule): readonly TestSuite[] =>
  [...module.children.allSuites()].filter((suite) => suite.children.allTests().next().done === true);

/**
 * Ends the output with `N passed, N failed`. A skipped test counts as failed, unless a filter asked for it, and so does
 * a file or a group without tests, unless its tests need rights missing in the run.
 */
class ClosingLine implements Reporter {
  #folder = '';
  #started: readonly TestSpecification[] = [];

  readonly #recordFile = process.env[RUN_RECORD];
  readonly #failuresFile = process.env[FAILURES];
  readonly #countedBefore = process.env[COUNTED_BEFORE];

  /** The workers inherit the name of the file written by `itNeeding`, and nothing else of this reporter. */
  onInit(): void {
    for (const name of [RUN_RECORD, FAILURES, COUNTED_BEFORE]) Reflect.deleteProperty(process.env, name);
    this.#folder = mkdtempSync(join(tmpdir(), 'sinete-needs-'));
    const file = join(this.#folder, 'unmet');
    writeFileSync(file, '');
    process.env[UNMET_NEEDS] = file;
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#started = specifications;
  }

  onTestRunEnd(all: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const needs = this.#needs();
    const ended = all.filter((module) => module.state() !== 'pending' && module.state() !== 'queued');
    const missing = this.#missing(ended);
    const crashes = unhandled.filter(isEndedByV8);
    const mayRepeat = this.#recordFile !== undefined && crashes.length > 0 && missing.length > 0;
    const modules = mayRepeat ? ended : all;
    const errors = mayRepeat ? unhandled.filter((error) => !crashes.includes(error)) : unhandled;
    const faults = [...this.#emptyFiles(modules, needs)];
    if (this.#started.length === 0) faults.push('There are no such test files.');
    if (!mayRepeat) faults.push(...missing.map((file) => `${file} did not run to its end.`));
    const counts = this.#count(modules, errors, faults, needs);
    for (const fault of faults) console.log(fault);
    if (faults.length > 0) process.exitCode = 1;
    const failures = [...faults, ...failuresOf(modules, errors)];
    if (this.#failuresFile !== undefined && failures.length > 0) {
      appendFileSync(this.#failuresFile, `${failures.join('\n')}\n`);
    }
    const total = this.#countedBefore === undefined ? counts : sum(JSON.parse(this.#countedBefore) as Counts, counts);
    const record: RunRecord = { counts: total, cutOff: mayRepeat ? missing : [] };
    if (this.#recordFile !== undefined) writeFileSync(this.#recordFile, JSON.stringify(record));
    // Written in a single piece and on its own line, because child processes write to the same output.
    if (!mayRepeat) process.stdout.write(`\n${closingLine(total)}\n`);
  }

  /** Unfinished files of the run, relative to the repository. */
  #missing(ended: readonly TestModule[]): readonly string[] {
    const names = new Set(ended.map(({ moduleId }) => moduleId));
    return this.#started
      .filter(({ moduleId }) => !names.has(moduleId))
      .map(({ moduleId, project }) => relative(project.vitest.config.root, moduleId));
  }

  /** Adds the faults of the run as a whole to `faults`. */
  #count(
    modules: readonly TestModule[],
    errors: readonly SerializedError[],
    faults: string[],
    needs: readonly UnmetNeed[],
  ): Counts {
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
    const count = (state: string): number => states.filter((one) => one === state).length;
    const broken = modules.filter((module) => module.state() === 'failed' && module.errors().length > 0).length;
    const skipped = isFiltered() ? count('skipped') : 0;
    const forbidden = count('skipped') - skipped;
    if (forbidden > 0) faults.push(`Tests must not be skipped: ${forbidden} were.`);
    const failed = count('failed') + count('pending') + broken + errors.length + Math.max(faults.length, forbidden);
    const unmet: Record<string, number> = {};
    for (const { need } of needs) unmet[need] = (unmet[need] ?? 0) + 1;
    return { passed: count('passed'), failed, skipped, unmet };
  }

  #needs(): readonly UnmetNeed[] {
    const lines = readFileSync(join(this.#folder, 'unmet'), 'utf8').split('\n');
    rmSync(this.#folder, { recursive: true, force: true });
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
