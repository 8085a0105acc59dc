import { globSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mutantGroups } from './groups.ts';
import {
  countMutants,
  livingMutants,
  scoreOf,
  staleSurvivors,
  sumCounts,
  unexplained,
  vanishedSurvivors,
} from './judge.ts';
import type { MutantStatus, TestedMutant } from './result-reporter.ts';
import { survivors } from './survivors.ts';

const source = ['if (a) {', '  b();', '}', 'c();'].join('\n');

/** A mutant of `source` from line and column to line and column, counted from 1. */
const mutant = (
  status: MutantStatus,
  [line, column, endLine, endColumn]: readonly number[] = [1, 5, 1, 6],
): TestedMutant => ({
  id: '0',
  fileName: '/x/a.ts',
  mutatorName: 'BlockStatement',
  replacement: '{\n}',
  status,
  location: { start: { line: line ?? 0, column: column ?? 0 }, end: { line: endLine ?? 0, column: endColumn ?? 0 } },
});

describe('the score of a file', () => {
  it('counts timeouts as noticed, and mutants cut off or not reached as missed', () => {
    const statuses: MutantStatus[] = [
      'Killed',
      'Killed',
      'Timeout',
      'Survived',
      'NoCoverage',
      'Ignored',
      'CompileError',
    ];
    const counts = countMutants({ mutants: statuses.map((status) => mutant(status)), cutOff: 1 });
    expect(counts).toEqual({ killed: 2, timeouts: 1, survived: 1, noCoverage: 1, cutOff: 1 });
    expect(scoreOf(counts)).toBe(50);
    expect(scoreOf(sumCounts([counts, { killed: 6, timeouts: 0, survived: 0, noCoverage: 0, cutOff: 0 }]))).toBe(75);
  });

  it('is 100 for a file without mutants', () => {
    expect(scoreOf(sumCounts([]))).toBe(100);
  });
});

describe('a mutant living on', () => {
  const living = livingMutants(
    { file: 'src/a.ts', mutants: [mutant('Survived', [1, 8, 3, 2]), mutant('NoCoverage'), mutant('Killed')] },
    source,
  );

  it('is named by its line and by the replaced source, with single blanks', () => {
    expect(
      living.map(({ line, original, replacement, isCovered }) => [line, original, replacement, isCovered]),
    ).toEqual([
      [1, '{ b(); }', '{ }', true],
      [1, 'a', '{ }', false],
    ]);
  });

  const row = { file: 'src/a.ts', original: '{ b(); }', replacement: '{ }', why: 'b does nothing' };

  it('is told of unless a row gives the reason of its harmlessness', () => {
    expect(unexplained([row], living).map(({ original }) => original)).toEqual(['a']);
    expect(unexplained([{ ...row, file: 'src/b.ts' }], living)).toHaveLength(2);
  });

  it('makes its row out of date when its source is gone, wherever the lines are broken', () => {
    expect(vanishedSurvivors([row], () => source)).toEqual([]);
    expect(vanishedSurvivors([row], () => source.replace('b();', 'd();'))).toEqual([row]);
  });

  it('makes its row out of date when killed, where its file was measured', () => {
    expect(staleSurvivors([row], ['src/a.ts'], living)).toEqual([]);
    expect(staleSurvivors([row], ['src/a.ts'], living.slice(1))).toEqual([row]);
    expect(staleSurvivors([row], ['src/b.ts'], [])).toEqual([]);
  });
});

describe('the tables of mutants', () => {
  it.each(mutantGroups)('name existing files of $name, and tests for each', ({ files, tests }) => {
    const found = globSync([...files]);
    expect(found.length).toBeGreaterThan(0);
    for (const file of found) {
      const row = tests.find((one) => matchesGlob(file, one.file));
      expect(
        row?.run.flatMap((glob) => globSync(glob)),
        file,
      ).not.toEqual([]);
    }
  });

  it('explain survivors of existing files, in a sentence each', () => {
    for (const { file, why } of survivors) {
      expect(globSync(file), file).toHaveLength(1);
      expect(why).toMatch(/^[A-Z].{20,}\.$/);
    }
  });

  it('explain survivors with their source still there, each once', () => {
    expect(vanishedSurvivors(survivors)).toEqual([]);
    const names = survivors.map(({ file, original, replacement }) => [file, original, replacement].join(' → '));
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  });
});
