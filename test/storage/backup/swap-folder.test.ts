import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  finishRestore,
  removeAbandoned,
  stagingFolderOf,
  swapFolder,
} from '../../../src/storage/backup/swap-folder.ts';

let root: string;
let data: string;
let staging: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sinete-swap-'));
  data = join(root, 'data');
  staging = stagingFolderOf(data);
  for (const [folder, text] of [
    [data, 'old'],
    [staging, 'new'],
  ] as const) {
    mkdirSync(folder);
    writeFileSync(join(folder, 'sinete.db'), text);
  }
});
afterEach(() => rmSync(root, { recursive: true }));

const present = (): string => readFileSync(join(data, 'sinete.db'), 'utf8');
const journal = (): string => `${data}.restore.json`;
const writeJournal = (name = basename(staging)): void => writeFileSync(journal(), JSON.stringify({ staging: name }));

describe('a restored folder', () => {
  it('takes the place of the old folder, and the old folder is set aside', async () => {
    await swapFolder(data, staging, join(root, 'aside'));
    expect([present(), readFileSync(join(root, 'aside', 'sinete.db'), 'utf8')]).toEqual(['new', 'old']);
    expect([existsSync(staging), existsSync(journal())]).toEqual([false, false]);
  });

  it('leaves the old folder in its place when the restored folder cannot be moved there', async () => {
    rmSync(staging, { recursive: true });
    await expect(swapFolder(data, staging, join(root, 'aside'))).rejects.toThrow('ENOENT');
    expect([present(), existsSync(join(root, 'aside')), existsSync(journal())]).toEqual(['old', false, false]);
  });

  it('leaves the old folder when the swap was killed before any name changed', async () => {
    writeJournal();
    await finishRestore(data);
    expect([present(), existsSync(staging), existsSync(journal())]).toEqual(['old', false, false]);
  });

  it('is put in place by the next start when the swap was killed between the two names', async () => {
    writeJournal();
    renameSync(data, join(root, 'aside'));
    await finishRestore(data);
    expect([present(), existsSync(staging), existsSync(journal())]).toEqual(['new', false, false]);
  });

  it('stays when the swap was killed before the journal was removed', async () => {
    writeJournal();
    renameSync(data, join(root, 'aside'));
    renameSync(staging, data);
    await finishRestore(data);
    expect([present(), existsSync(journal())]).toEqual(['new', false]);
  });

  it.each(['{"stag', '{"staging":"../elsewhere"}', '{"staging":"other"}'])(
    'is not looked for where the journal says %s',
    async (text) => {
      writeFileSync(journal(), text);
      await finishRestore(data);
      expect([present(), existsSync(staging), existsSync(journal())]).toEqual(['old', true, false]);
    },
  );

  it('is removed when its process has ended, and not during its life', async () => {
    const dead = `${data}.restoring-999999999-00000000`;
    mkdirSync(dead);
    await removeAbandoned(data);
    expect([existsSync(dead), existsSync(staging)]).toEqual([false, true]);
  });
});
