import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { knownWords, shellProgram } from './shell-text.ts';
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

describe('npm test', () => {
  /** Runs the given test files as `npm test` does, in a folder below `test/.work`. */
  function runTests(
    files: Readonly<Record<string, string>>,
    words: readonly string[] = [],
  ): { code: number | null; output: string; last: string | undefined } {
    const work = join(root, 'test/.work');
    mkdirSync(work, { recursive: true });
    const folder = mkdtempSync(join(work, 'crash-'));
    const configuration = `import { testConfig } from '../../setup/test-config.ts';
export default { ...testConfig({ files: [] }), test: {
  include: ['${folder}/*.test.ts'], pool: 'forks', isolate: false, maxWorkers: 1,
  reporters: ['${join(root, 'test/setup/closing-line.ts')}'], passWithNoTests: true } };`;
    try {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
      writeFileSync(join(folder, 'vitest.config.ts'), configuration);
      const script = `import { runAndRepeat } from ${JSON.stringify(join(root, 'test/setup/run-tests.ts'))};
process.exitCode = await runAndRepeat(${JSON.stringify(join(folder, 'vitest.config.ts'))}, ${JSON.stringify(words)});`;
      writeFileSync(join(folder, 'run.ts'), script);
      const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'run.ts')], { encoding: 'utf8' });
      return { code: status, output: `${stdout}${stderr}`, last: stdout.trimEnd().split('\n').at(-1) };
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  const sound = `import { it } from 'vitest'; it('passes', () => undefined); it('passes too', () => undefined);`;
  /** Ends its process by a signal, each time or once. */
  const ends = (signal: string, isOnce: boolean): string => `import { existsSync, writeFileSync } from 'node:fs';
import { it } from 'vitest';
const mark = import.meta.dirname + '/ended';
it('ends the process', () => {
  if (${isOnce ? 'existsSync(mark)' : 'false'}) return;
  writeFileSync(mark, '');
  process.kill(process.pid, '${signal}');
});`;

  it('repeats the file of a process ended by V8, and counts each test once', () => {
    const { code, output } = runTests({ 'a.test.ts': sound, 'b.test.ts': ends('SIGTRAP', true) });
    expect(output).toContain('What it was running runs once more:');
    expect(output.trimEnd().split('\n').at(-1)).toBe('3 passed, 0 failed');
    expect(code).toBe(0);
  });

  it.each([
    ['in one word', ['--reporter=verbose']],
    ['in two words', ['--reporter', 'verbose']],
  ])('keeps its closing line beside a reporter named by a parameter %s', (_how, words) => {
    const { code, output, last } = runTests({ 'a.test.ts': sound, 'b.test.ts': ends('SIGTRAP', true) }, words);
    // Only the verbose reporter tells passed tests, in both parts of the run.
    expect(output).toContain('passes too');
    expect(output).toMatch(/runs once more:[^]*ends the process/);
    expect(last).toBe('3 passed, 0 failed');
    expect(code).toBe(0);
  });

  it('gives its tests no variable refused by an instance of Sinete', () => {
    const clean = `import { expect, it } from 'vitest';
it('sees the environment', () => expect(Object.keys(process.env).filter((name) => name.startsWith('SINETE_'))).toEqual([]));`;
    expect(runTests({ 'a.test.ts': clean }, ['--reporter=verbose']).output).toContain('1 passed, 0 failed');
  });

  it.each([
    ['that V8 ends again', 'SIGTRAP', false, '0 passed, 4 failed'],
    ['that a native library ended', 'SIGSEGV', true, '0 passed, 4 failed'],
  ])('fails with a file %s', (_what, signal, isOnce, line) => {
    const { code, output } = runTests({ 'a.test.ts': sound, 'b.test.ts': ends(signal, isOnce) });
    expect(output.trimEnd().split('\n').at(-1)).toBe(line);
    expect(code).toBe(1);
  });
});

describe('.ci/run --here', () => {
  /** Runs the script with another `npm`; its scripts print and end as given. */
  function runWith(scripts: Readonly<Record<'ci' | 'test' | 'test:all', string>>): {
    code: number;
    last: string;
    lines: readonly string[];
  } {
    const folder = mkdtempSync(join(tmpdir(), 'sinete-ci-'));
    try {
      const cases = Object.entries(scripts).map(([name, script]) => `  ${name}) ${script} ;;`);
      const npm = shellProgram('for last; do :; done', 'case "$last" in', ...cases, 'esac');
      writeFileSync(join(folder, 'npm'), npm, { mode: 0o755 });
      const environment = { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` };
      const output = join(folder, 'output');
      const script = `"$0" "${join(root, '.ci/run')}" --here > "${output}" 2>&1; echo $?`;
      const code = execFileSync(systemTool('bash'), knownWords(['-c', script, systemTool('bash')]), {
        env: environment,
        encoding: 'utf8',
      });
      const lines = readFileSync(output, 'utf8').trimEnd().split('\n');
      return { code: Number(code), last: lines.at(-1) ?? '', lines };
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
    [
      'a run prints bytes that are no text',
      { ...good, test: "printf 'a\\000\\377b\\n'; echo '40 passed, 0 failed'" },
      0,
      '42 passed, 0 failed',
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
    expect(runWith(scripts)).toMatchObject({ code, last });
  });

  it('shows at the end the failures, and the end of a run without a closing line', () => {
    const test = 'echo "a.test.ts > adds" >> "$TESTS_FAILURES"; echo "39 passed, 1 failed"; exit 1';
    const { lines } = runWith({ ...good, test, 'test:all': 'echo "Fatal error in V8"' });
    expect(lines.slice(lines.indexOf('What failed:'))).toEqual([
      'What failed:',
      'a.test.ts > adds',
      'npm run test:all ended with 0 and without a closing line. Its last lines:',
      'Fatal error in V8',
      '',
      '39 passed, 2 failed',
    ]);
  });

  it('runs no test where the packages cannot be installed', () => {
    expect(runWith({ ...good, ci: 'echo broken; exit 7' })).toMatchObject({ code: 75, last: 'broken' });
  });
});
