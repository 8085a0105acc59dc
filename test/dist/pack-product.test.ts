import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refreshProductWindow } from '../setup/built-window.ts';
import { assemblePackage, toJavaScript } from './pack-product.ts';

let folder: string;
let files: readonly string[];

beforeAll(async () => {
  await refreshProductWindow();
  folder = await mkdtemp(join(tmpdir(), 'sinete-package-'));
  assemblePackage(folder);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
});
afterAll(async () => rm(folder, { recursive: true, force: true }));

describe('the packed product', () => {
  it('holds no source in TypeScript, no test, and nothing of the desktop', () => {
    const named = files.map((path) => path.slice(folder.length + 1));
    expect(named.filter((path) => /(?<!\.d)\.tsx?$/.test(path) || /^(test|src\/desktop)\//.test(path))).toEqual([]);
    const wanted = [
      'src/app/sinete.js',
      'src/app/cli.js',
      'src/signing/keys/pkcs11/host.js',
      'src/client/dist/client.js',
    ];
    expect(named).toEqual(expect.arrayContaining([...wanted, 'renderer/dist/index.html', 'LICENSE', 'package.json']));
  });

  it('names only modules and files that are in it', async () => {
    const missing: string[] = [];
    let checked = 0;
    for (const path of files.filter(
      (one) => one.startsWith(join(folder, 'src')) && !/example-page|client\/dist/.test(one),
    )) {
      const text = await readFile(path, 'utf8');
      for (const [, target] of text.matchAll(/(?:\bfrom |\bimport\(|^import |new URL\()['"](\.{1,2}\/[^'"]+)['"]/gm)) {
        checked++;
        if (!existsSync(resolve(dirname(path), target ?? '')))
          missing.push(`${path.slice(folder.length)}: ${target ?? ''}`);
      }
    }
    expect(missing).toEqual([]);
    expect(checked).toBeGreaterThan(1000);
  });

  it('has the command, and every package that the product needs and no other', async () => {
    const [packed, checkout] = await Promise.all(
      [join(folder, 'package.json'), join(import.meta.dirname, '../../package.json')].map(
        async (path) => JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>,
      ),
    );
    expect(packed).toMatchObject({
      name: 'sinete',
      bin: { sinete: 'src/app/sinete.js' },
      version: checkout?.['version'],
    });
    expect(packed?.['dependencies']).toEqual(checkout?.['dependencies']);
    expect(packed).not.toHaveProperty('scripts');
    expect(packed).not.toHaveProperty('devDependencies');
  });
});

describe('a module in JavaScript', () => {
  it('has no types, names modules by their new ending, and keeps every line where it was', () => {
    const source = `import type { A } from './a.ts';\nimport { b } from '../b.ts';\nconst c: A = b(new URL('./d.ts', 'x'));\n`;
    const made = toJavaScript(source);
    expect(made.split('\n')).toHaveLength(4);
    expect(made.split('\n')[1]).toBe("import { b } from '../b.js';");
    expect(made).toContain("new URL('./d.js', 'x')");
    expect(made).not.toContain('type');
    expect(made).not.toContain(': A');
  });
});
