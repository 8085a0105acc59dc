import { join } from 'node:path';
import { ESLint, Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { describe, expect, it } from 'vitest';
import testRules from './test-rules.mjs';

const root = join(import.meta.dirname, '../..');
const names = Object.keys(testRules.rules).map((name) => `tests/${name}`);
const linter = new Linter({ cwd: root });

/** The names of our own rules that report a text as if it were a test file, each once. */
function reported(text: string): readonly string[] {
  const rules = Object.fromEntries(names.map((name) => [name, 'error' as const]));
  const language = { parser: tseslint.parser as Linter.Parser };
  const config = { files: ['**/*.ts'], plugins: { tests: testRules }, languageOptions: language, rules };
  const found = linter.verify(text, config, 'test/some.test.ts');
  return [...new Set(found.map(({ ruleId, message }) => ruleId ?? message))];
}

const CHILD = `import { execFile, execFileSync, spawn } from 'node:child_process';\n`;

const IMPORT_TIMERS = `import { setTimeout as sleep } from 'node:timers/promises';\n`;

describe('the rules for tests', () => {
  it('are errors in every file of the tests', async () => {
    const eslint = new ESLint({ cwd: root, overrideConfigFile: join(root, 'test/architecture/eslint.config.mjs') });
    for (const path of ['test/service/a.test.ts', 'test/service/a-world.ts', 'test/oracles/a.ts']) {
      const { rules } = (await eslint.calculateConfigForFile(join(root, path))) as { rules: Record<string, unknown[]> };
      expect(Object.fromEntries(names.map((name) => [name, rules[name]?.[0]]))).toEqual(
        Object.fromEntries(names.map((name) => [name, 2])),
      );
    }
  });

  it.each([
    ['a program by its name', `${CHILD}spawn('qpdf', []);`],
    ['a program by its path', `${CHILD}execFileSync('/opt/qpdf', []);`],
    ['a program in a variable', `${CHILD}const program = 'qpdf';\nspawn(program, []);`],
    ['a function that is handed on', `${CHILD}const run = promisify(execFile);`],
    ['a function that is renamed', `import { spawn as start } from 'node:child_process';\nstart('qpdf');`],
    ['a shell', `import { execSync } from 'node:child_process';\nexecSync('qpdf --check a.pdf');`],
    ['all functions under one name', `import * as child from 'node:child_process';\nchild.spawn('qpdf');`],
    ['an import that is hidden', `const { spawn } = await import('node:child_process');\nspawn('qpdf');`],
    ['the path of a Java library', `const path = '/usr/share/java/pdfbox2.jar';`],
    ['a path in a template', 'const path = `/usr/bin/${name}`;'],
    ['the path of a library behind other text', 'const path = `${one}:/usr/share/java/${two}.jar`;'],
    ['the path of a shell', "writeFile('qpdf', '#!/bin/sh\\necho');"],
    ['the words of a shell', `${CHILD}spawn(systemTool('bash'), ['-c', 'qpdf a.pdf']);`],
    ['the words of a program that starts others', `${CHILD}spawn(systemTool('unshare'), ['qpdf']);`],
    ['an option that asks for a shell', `${CHILD}spawn('npm', ['start; qpdf'], { shell: true });`],
    ['a name of the table in a variable', `const name = 'qpdf';\nspawnChild(systemTool(name));`],
    ['functions that are passed on', `export { spawn } from 'node:child_process';`],
    ['all functions that are passed on', `export * from 'node:child_process';`],
    ['the driver of SoftHSM', `const path = '/usr/lib/softhsm/libsofthsm2.so';`],
  ])('programs-of-the-table reports %s', (_what, text) => {
    expect(reported(text)).toEqual(['tests/programs-of-the-table']);
  });

  it.each([
    ['a program of the table', `${CHILD}spawn(systemTool('qpdf'), []);`],
    ['a shell whose words are read', `${CHILD}spawn(systemTool('bash'), knownWords(['-c', 'echo']));`],
    ['this Node', `${CHILD}spawn(process.execPath, [script]);`],
    [
      'a name of the table that a function with its name passes on',
      'function runTool(name) { return systemTool(name); }',
    ],
    ['npm by the shell of Windows', `${CHILD}spawn('npm', ['ci'], { shell: process.platform === 'win32' });`],
    ['npm, which comes with Node', `${CHILD}spawn('npm', ['start']);`],
    ['a driver that a test makes up', `const path = '/usr/lib/libeToken.so';`],
  ])('programs-of-the-table allows %s', (_what, text) => {
    expect(reported(text)).toEqual([]);
  });

  it.each([
    ['elapsed time', 'const begun = performance.now();'],
    ['elapsed time by the date', 'expect(Date.now() - begun).toBeLessThan(50);'],
    ['elapsed time of two dates', 'expect(new Date().getTime() - begun.getTime()).toBeLessThan(50);'],
    ['the clock of the processor', 'const begun = process.hrtime.bigint();'],
    ['the time of the processor', 'const begun = process.cpuUsage();'],
    [
      'elapsed time between two constants',
      'const a = Date.now();\nconst b = new Date();\nexpect(b.getTime() - a).toBe(0);',
    ],
    ['an end by the clock', 'expect(Date.now()).toBeLessThan(begun + 50);'],
    ['the module of clocks', `import { performance as clock } from 'node:perf_hooks';\nclock;`],
  ])('no-clock reports %s', (_what, text) => {
    expect(reported(text)).toEqual(['tests/no-clock']);
  });

  it.each([
    ['a moment of the past', 'const notBefore = new Date(Date.now() - 2 * HOUR);'],
    ['a moment of the past as a constant', 'const now = Date.now();\nconst then = now - day;'],
    ['a lifetime that is left', 'expect(expiresAt - Date.now()).toBeLessThan(600_000);'],
  ])('no-clock allows %s', (_what, text) => {
    expect(reported(text)).toEqual([]);
  });

  it.each([
    ['a sleep', 'await new Promise((resolve) => setTimeout(resolve, 50));'],
    ['a sleep in braces', 'await new Promise<void>((done) => { setTimeout(() => done(), 50); });'],
    ['the timers of Node', `${IMPORT_TIMERS}await sleep(50);`],
    ['the sleep of Playwright', 'await page.waitForTimeout(50);'],
  ])('no-sleep reports %s', (_what, text) => {
    expect(reported(text)).toEqual(['tests/no-sleep']);
  });

  it.each([
    ['a turn of the loop', `import { setImmediate as turn } from 'node:timers/promises';\nawait turn();`],
    ['an event after some time', 'setTimeout(() => controller.abort(), 50);'],
    ['a state', `await until(() => requests.length > 0, 'a request');`],
  ])('no-sleep allows %s', (_what, text) => {
    expect(reported(text)).toEqual([]);
  });

  it.each([
    ['a skipped test', `it.skip('x', () => undefined);`],
    ['a skipped group', `describe.skip('x', () => undefined);`],
    ['a test for some machines', `it.runIf(process.platform === 'linux')('x', () => undefined);`],
    ['a row for some machines', `test.skipIf(isSlow).each([1])('x', () => undefined);`],
    ['a test that is still to be written', `it.todo('x');`],
    ['the only test', `it.only('x', () => undefined);`],
    ['a test that may fail', `it.fails('x', () => undefined);`],
    ['a test that skips itself', `it('x', ({ skip }) => skip());`],
    ['a test that skips itself by its context', `it('x', (context) => context.skip());`],
    ['an option', `it('x', { skip: true }, () => undefined);`],
  ])('no-skipping reports %s', (_what, text) => {
    expect(reported(text)).toEqual(['tests/no-skipping']);
  });

  it('no-skipping allows a test needing a right', () => {
    expect(reported(`itNeeding('root')('x', () => undefined);`)).toEqual([]);
  });

  it('own-environment reports another object in the place of process.env', () => {
    expect(reported('process.env = before;')).toEqual(['tests/own-environment']);
    expect(reported(`vi.stubEnv('TZ', 'UTC');\nprocess.env['TZ'] = 'UTC';`)).toEqual([]);
  });
});
