import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { lockedFolders, readReport } from './audit.ts';
import { compareInstallScripts } from './install-scripts.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

describe('the answer of npm audit', () => {
  it.each([
    ['nothing', ''],
    ['a text', 'npm ERR!'],
    ['a list', '[]'],
    ['an error', '{"error":{"summary":"no network"}}'],
  ])('does not take %s for a report without findings', (_name, output) => {
    expect(readReport(output).answered).toBe(false);
  });
});

describe('packages running a program on installation', () => {
  it.each(lockedFolders())('are listed: %s', (folder) => {
    expect(compareInstallScripts(join(root, folder))).toEqual([]);
  });

  it.each([
    ['a script in the lock file', { hasInstallScript: true }, {}, false],
    ['a script of the installed package', {}, { postinstall: 'node x.js' }, false],
    ['a file for node-gyp', {}, {}, true],
  ] as const)('are found by %s', (_name, entry, scripts, hasGyp) => {
    const folder = mkdtempSync(join(tmpdir(), 'sinete-scripts-'));
    cleanUps.push(() => rmSync(folder, { recursive: true }));
    const place = join(folder, 'node_modules/@a/b');
    mkdirSync(place, { recursive: true });
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: { 'node_modules/@a/b': entry } }));
    writeFileSync(join(place, 'package.json'), JSON.stringify({ scripts }));
    if (hasGyp) writeFileSync(join(place, 'binding.gyp'), '{}');
    const compare = (allowScripts: object): readonly string[] => {
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ allowScripts }));
      return compareInstallScripts(folder);
    };
    expect(compare({})).toEqual([expect.stringContaining('@a/b runs a program')]);
    expect(compare({ '@a/b': false })).toEqual([]);
    expect(compare({ '@a/b': false, c: false })).toEqual([expect.stringContaining('c is listed')]);
  });
});
