import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { systemTool } from './system-packages.ts';
import { closingLine } from './closing-line.ts';
import { root } from './runs.ts';

const counts = { passed: 3, failed: 0, skipped: 0, unmet: {} };

describe('the closing line', () => {
  it.each([
    ['passed and failed tests', counts, '3 passed, 0 failed'],
    ['tests that need a right', { ...counts, unmet: { root: 12 } }, '3 passed, 0 failed (12 need root)'],
    [
      'tests that need several rights',
      { ...counts, unmet: { root: 1, Linux: 2 } },
      '3 passed, 0 failed (1 needs root, 2 need Linux)',
    ],
    ['tests that a filter left out', { ...counts, skipped: 7 }, '3 passed, 0 failed, 7 skipped'],
  ])('tells %s', (_what, given, line) => {
    expect(closingLine(given)).toBe(line);
  });
});

describe('.ci/run --here', () => {
  /** Runs it with another `npm`, whose scripts print and end as given. */
  function runWith(scripts: Readonly<Record<'ci' | 'test' | 'test:all', string>>): { code: number; last: string } {
    const folder = mkdtempSync(join(tmpdir(), 'sinete-ci-'));
    try {
      const cases = Object.entries(scripts).map(([name, script]) => `  ${name}) ${script} ;;`);
      const npm = ['#!/bin/sh', 'for last; do :; done', 'case "$last" in', ...cases, 'esac', ''].join('\n');
      writeFileSync(join(folder, 'npm'), npm, { mode: 0o755 });
      const environment = { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` };
      const output = join(folder, 'output');
      const script = `bash "${join(root, '.ci/run')}" --here > "${output}" 2>&1; echo $?`;
      const code = execFileSync(systemTool('bash'), ['-c', script], { env: environment, encoding: 'utf8' });
      return { code: Number(code), last: readFileSync(output, 'utf8').trimEnd().split('\n').at(-1) ?? '' };
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  const good = { ci: ':', test: 'echo "40 passed, 0 failed"', 'test:all': 'echo "2 passed, 0 failed"' };

  it.each([
    ['both pass', good, 0, '42 passed, 0 failed'],
    [
      'a test of the first run failed',
      { ...good, test: 'echo "39 passed, 1 failed"; exit 1' },
      1,
      '41 passed, 1 failed',
    ],
    [
      'a test of the second run failed',
      { ...good, 'test:all': 'echo "1 passed, 1 failed"; exit 1' },
      1,
      '41 passed, 1 failed',
    ],
    [
      'a run fails although no test did',
      { ...good, test: 'echo "40 passed, 0 failed"; exit 1' },
      1,
      '42 passed, 1 failed',
    ],
    ['a run ends without a closing line', { ...good, 'test:all': 'echo "crashed"' }, 1, '40 passed, 1 failed'],
    [
      'tests need rights',
      { ...good, test: 'echo "40 passed, 0 failed (12 need root)"' },
      0,
      '42 passed, 0 failed (12 need root)',
    ],
    [
      'tests of the second run need rights',
      { ...good, 'test:all': 'echo "2 passed, 0 failed (1 needs root)"' },
      0,
      '42 passed, 0 failed (1 needs root)',
    ],
  ])('adds up both runs when %s', (_what, scripts, code, last) => {
    expect(runWith(scripts)).toEqual({ code, last });
  });

  it('runs no test where the packages cannot be installed', () => {
    expect(runWith({ ...good, ci: 'echo broken; exit 7' })).toEqual({ code: 75, last: 'broken' });
  });
});
