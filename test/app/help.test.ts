import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProgram } from '../../src/app/cli.ts';
import { examples, nameOfCommand } from '../../src/app/cli/examples.ts';
import { runTool } from '../oracles/run-program.ts';
import { makeWorkplace, runSinete, type Workplace } from './run-sinete.ts';

let place: Workplace;
let folder: string;
beforeAll(async () => {
  place = await makeWorkplace();
  folder = mkdtempSync(join(tmpdir(), 'sinete-help-'));
  mkdirSync(join(folder, 'subfolder'));
  writeFileSync(join(folder, 'subject.pdf'), '');
});
afterAll(async () => {
  await place.remove();
  rmSync(folder, { recursive: true });
});

/** The commands with work of their own. */
function working(command: Command): readonly Command[] {
  const own = command.commands.length === 0 || command.registeredArguments.length > 0 || command.options.length > 1;
  return [...(own && command.parent !== null ? [command] : []), ...command.commands.flatMap(working)];
}

/** Words of an example, split like in a shell. */
const split = (words: string): readonly string[] =>
  [...words.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);

describe('the examples', () => {
  it('are in the help of every command, and can be run as written', async () => {
    const commands = working(await createProgram());
    expect(commands.length).toBeGreaterThan(60);
    for (const command of commands) {
      const name = nameOfCommand(command);
      const own = examples[name] ?? [];
      expect(own.length, name).toBeGreaterThan(0);
      for (const [line] of own) {
        const words = split(line).slice(name.split(' ').length);
        const { operands, unknown } = command.parseOptions([...words]);
        expect([line, unknown]).toEqual([line, []]);
        const needed = command.registeredArguments.filter(({ required }) => required).length;
        expect([line, operands.length >= needed]).toEqual([line, true]);
      }
    }
  });

  it('belong to existing commands', async () => {
    const names = working(await createProgram()).map(nameOfCommand);
    expect(Object.keys(examples).filter((name) => !names.includes(name))).toEqual([]);
  });

  it('stand behind the options', async () => {
    const { code, stdout } = await runSinete(place, ['sign', '--help']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/--force[^]+Examples:\n {2}sinete sign contract\.pdf\n/)]);
  });
});

/** The completions of a line, by the shell itself or by functions in the place of its line editor. */
const shells = {
  bash: async (script: string, words: readonly string[]) =>
    runTool(
      'bash',
      [
        '-c',
        'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sinete; printf "%s\\n" "${COMPREPLY[@]}"',
        'bash',
        script,
        ...words,
      ],
      { folder },
    ),
  zsh: async (script: string, words: readonly string[]) =>
    runTool(
      'zsh',
      [
        '-f',
        '-c',
        `compdef() { :; }; compset() { :; }; compadd() { shift; print -l -- "$@"; }; _files() { print -l -- *; };
       _describe() { local one; for one in "\${(@P)2}"; do print -r -- "\${one%%:*}"; done; }
       script=$1; shift; source $script; words=("$@"); CURRENT=$#; _sinete`,
        'zsh',
        script,
        ...words,
      ],
      { folder },
    ),
  fish: async (script: string, words: readonly string[]) =>
    runTool(
      'fish',
      [
        '--no-config',
        '-c',
        'source $argv[1]; complete -C (string join " " -- $argv[2..]) | string replace -r "\\t.*" ""; or true',
        script,
        ...words,
      ],
      { folder, environment: { HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder } },
    ),
} as const;

describe.each(Object.keys(shells) as (keyof typeof shells)[])('completions for %s', (shell) => {
  let script: string;
  beforeAll(async () => {
    const printed = await runSinete(place, ['completion', shell]);
    expect([printed.code, printed.stderr]).toEqual([0, '']);
    script = join(folder, `sinete.${shell}`);
    writeFileSync(script, printed.stdout);
  });

  it.each([
    [['cert'], 'certificates'],
    [['certificates', ''], 'test-identity'],
    [['certificates', 'list', '--js'], '--json'],
    [['stores', 'add', ''], 'gcs'],
    [['sign', '--certify', ''], 'form-filling'],
    [['sign', '--type', ''], 'CAdES-detached'],
    [['sign', '-t', 'PAd'], 'PAdES'],
    [['sign', '--policy', 'AD-'], 'AD-RB'],
    [['tsa', 'add', '--hash', ''], 'SHA3-256'],
    [['sites', 'allow', '--scope', ''], 'certificates:read'],
    [['sites', 'allow-folder', '--access', ''], 'read'],
    [['sign', '--for'], '--force'],
    [['sign', 'sub'], 'subject.pdf'],
    [['completion', ''], 'fish'],
  ] as const)('offer for %j the word %s', async (words, offered) => {
    expect((await shells[shell](script, ['sinete', ...words])).split('\n')).toContain(offered);
  });

  it('offer values behind an equals sign', async () => {
    // Bash splits the word before asking for completions.
    const words = shell === 'bash' ? ['--type', '=', 'PA'] : ['--type=PA'];
    const found = (await shells[shell](script, ['sinete', 'sign', ...words])).split('\n');
    expect(found.map((word) => word.replace('--type=', ''))).toContain('PAdES');
  });

  it('offer no options of other commands', async () => {
    const found = (await shells[shell](script, ['sinete', 'certificates', 'list', '--'])).split('\n');
    expect(found).toContain('--data');
    expect(found).not.toContain('--force');
  });
});
