import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ESLint, Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { describe, expect, it } from 'vitest';
import { sourceFiles } from './source-files.ts';

const root = join(import.meta.dirname, '../..');
const RULE = 'max-lines-per-function';
const eslint = new ESLint({ cwd: root, overrideConfigFile: join(root, 'test/architecture/eslint.config.mjs') });
const linter = new Linter({ cwd: root });

/** The problems of a text with the rule as configured for this file. */
async function problemsOf(path: string, text: string): Promise<readonly string[]> {
  const { rules } = (await eslint.calculateConfigForFile(join(root, path))) as {
    readonly rules: Readonly<Record<string, Linter.RuleEntry>>;
  };
  const entry = rules[RULE];
  const parserOptions = { ecmaFeatures: { jsx: true } };
  const found = linter.verify(
    text,
    {
      files: ['**/*.{ts,tsx}'],
      languageOptions: { parser: tseslint.parser, parserOptions },
      rules: entry === undefined ? {} : { [RULE]: entry },
    },
    path,
  );
  return found.map(({ ruleId, message }) => ruleId ?? message);
}

/** A function of this many lines, its first and its last included. */
const functionOf = (lines: number, line: string): string =>
  ['export function shown() {', ...Array.from({ length: lines - 2 }, () => line), '}'].join('\n');

/** A component of this many lines, including four without an element. */
const componentOf = (lines: number): string =>
  [
    'export const Shown = () => (',
    '  <>',
    ...Array.from({ length: lines - 4 }, () => '    <span>text</span>'),
    '  </>',
    ');',
  ].join('\n');

describe('functions', () => {
  it.each(['src/service/a.ts', 'src/signing/pdf/a.ts', 'renderer/src/data/a.ts', 'renderer/src/pages/sign/a.tsx'])(
    'are held to 60 lines in %s, comments and empty lines included',
    async (path) => {
      for (const line of ['  work();', '  // A comment.', '']) {
        expect(await problemsOf(path, functionOf(60, line))).toEqual([]);
        expect(await problemsOf(path, functionOf(61, line))).toEqual([RULE]);
      }
    },
  );

  it('are held to 60 lines as components', async () => {
    expect(await problemsOf('renderer/src/pages/sign/a.tsx', componentOf(60))).toEqual([]);
    expect(await problemsOf('renderer/src/pages/sign/a.tsx', componentOf(61))).toEqual([RULE]);
  });

  it('are nowhere exempt by a comment', () => {
    const files = [...sourceFiles('src'), ...sourceFiles('renderer/src')];
    expect(files.length).toBeGreaterThan(400);
    expect(files.filter((path) => readFileSync(join(root, path), 'utf8').includes(RULE))).toEqual([]);
  });
});
