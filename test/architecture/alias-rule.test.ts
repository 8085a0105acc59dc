import { join } from 'node:path';
import { ESLint, Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

const eslint = new ESLint({ cwd: root, overrideConfigFile: join(root, 'test/architecture/eslint.config.mjs') });

/** The findings of the rule on syntax for a file. */
async function findingsIn(path: string, code: string): Promise<readonly string[]> {
  const { rules } = (await eslint.calculateConfigForFile(join(root, path))) as { rules: Record<string, unknown> };
  const rule = rules['no-restricted-syntax'] as Linter.RuleEntry;
  const found = new Linter().verify(code, {
    languageOptions: { parser: tseslint.parser },
    rules: { 'no-restricted-syntax': rule },
  });
  return found.map(({ message }) => message);
}

const path = 'src/http/signing-service/signature-service.ts';

describe('the rule on aliases in answers', () => {
  it('refuses an alias without aliasFor', async () => {
    const found = await findingsIn(path, 'send({ certificate_alias: view.certificateAlias });');
    expect(found.join()).toContain('aliasFor');
  });

  it('takes an alias from aliasFor', async () => {
    expect(await findingsIn(path, 'send({ certificate_alias: aliasFor(sight, view.certificateAlias) });')).toEqual([]);
  });
});
