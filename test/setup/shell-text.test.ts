import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './runs.ts';
import { checkWords, knownWords, shellProgram } from './shell-text.ts';

const strangers =
  (text: string): (() => unknown) =>
  () =>
    knownWords(['-c', text]);

describe('the text of a shell', () => {
  it.each([
    'qpdf --check a.pdf',
    'cat a.pdf | qpdf -',
    'true && qpdf a',
    'true\nqpdf a',
    'true & qpdf a',
    '(qpdf a)',
    'x=$(qpdf a)',
    'echo "$(cat "$(qpdf a)")"',
    'if qpdf a; then :; fi',
    'while ! qpdf a; do :; done',
    'PAGER= LC_ALL=C qpdf a',
    '> out qpdf a',
    '2>&1 qpdf a',
    'exec qpdf a',
    '"qpdf" a',
    "'qpdf' a",
    'true \\\n && qpdf a',
    'f() { qpdf a; }; f',
    'case $1 in a) qpdf a ;; esac',
    "sh -c 'qpdf a'",
    'sh -c "bash -c qpdf"',
    '[[ a == b ]] || qpdf a',
  ])('may not start a program by its name: %j', (text) => {
    expect(strangers(text)).toThrow('A shell of the tests starts qpdf.');
  });

  it.each([
    ['the programs of every machine', 'cat a | grep -q b > out 2>&1 || { echo "$?"; exit 99; }'],
    ['a program in a variable', '"$0" "$1" && $NODE "$2"'],
    ['a program by the path that systemTool has answered', '"/opt/curl" --fail'],
    ['a function of its own', 'sign() { "$NODE" "$@"; }; sign a'],
    ['names that are no commands', `echo qpdf 'a; qpdf' "b; qpdf" # qpdf`],
    ['the patterns of a case', 'case "$last" in\n  qpdf) : ;;\nesac'],
    ['the name of a file', 'echo a > qpdf'],
    ['sums', 'tries=$((tries + 1)); [ "$tries" -lt 100 ]'],
  ])('may have %s', (_what, text) => {
    expect(strangers(text)).not.toThrow();
  });

  it('may start programs by paths handed in', () => {
    expect(knownWords(['-c', 'qpdf a'], ['/opt/qpdf'])).toEqual(['-c', 'qpdf a']);
  });

  it('is read as a file', () => {
    const script = join(root, 'test/fresh/enter-root.sh');
    expect(readFileSync(script, 'utf8')).toContain('mount');
    expect(() => knownWords(['sh', script])).toThrow('starts mount.');
  });

  it('starts only allowed programs in each script of the tests', () => {
    const ofRoots = ['/opt/ip', '/opt/mount', '/opt/umount'];
    for (const [script, programs] of [
      ['.ci/run', []],
      ['test/storage/secrets/keyring-session.sh', []],
      ['test/fresh/enter-root.sh', ofRoots],
    ] as const) {
      expect(existsSync(script), script).toBe(true);
      expect(() => knownWords([script], programs), script).not.toThrow();
    }
  });

  it('is read in the place of another program', () => {
    expect(shellProgram('echo a', 'exit 5')).toMatch(/^#!.*sh\necho a\nexit 5\n$/);
    expect(() => shellProgram('qpdf a')).toThrow('starts qpdf.');
  });
});

describe('the parameters of a program', () => {
  it.each([
    ['bash', ['-c', 'qpdf a']],
    ['bash', ['-e', '-c', 'qpdf a']],
    ['bash', ['-ec', 'qpdf a']],
    ['dbus-run-session', ['--', 'sh', '-c', 'qpdf a']],
    ['dbus-run-session', ['--', 'qpdf', 'a']],
    ['chroot', ['/folder', 'qpdf', 'a']],
  ] as const)('of %s may not name a program: %j', (program, words) => {
    expect(() => checkWords(program, words)).toThrow('starts qpdf');
  });

  it.each([
    ['openssl', ['-c', 'qpdf a']],
    ['bash', ['-c', 'echo a', 'qpdf']],
    ['dbus-run-session', ['--', '/opt/qpdf', 'a']],
  ] as const)('of %s may be %j', (program, words) => {
    expect(() => checkWords(program, words)).not.toThrow();
  });
});
