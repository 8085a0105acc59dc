import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Measure } from '../../../src/storage/files/measure.ts';
import { LocalUserFiles } from '../../../src/storage/files/local-user-files.ts';

const KEY = '0'.repeat(32);
const refused = { code: 'PATH_NOT_ALLOWED' };

let home: string;
let files: LocalUserFiles;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'roots-')));
  for (const folder of ['own', 'open', 'openly', 'open/inner', 'closed']) mkdirSync(join(home, folder));
  for (const file of ['open/a', 'open/inner/b', 'openly/c', 'closed/d']) writeFileSync(join(home, file), 'content');
  symlinkSync(join(home, 'open'), join(home, 'way'));
  files = new LocalUserFiles(join(home, 'own'), [join(home, 'way'), join(home, 'not-there')]);
});

afterEach(() => {
  rmSync(home, { recursive: true });
});

describe('paths, where the configuration names folders for documents', () => {
  it.each(['open/a', 'open/inner/b', 'way/a', 'closed/../open/a'])('%s is read', async (path) => {
    expect(await files.inspect(`${home}/${path}`, 100)).toMatchObject({ size: 7 });
  });

  it.each(['closed/d', 'openly/c', 'open/../closed/d', 'way/../closed/d'])('%s is not read', async (path) => {
    await expect(files.inspect(`${home}/${path}`, 100)).rejects.toMatchObject(refused);
  });

  it('links out of the folders are not followed', async () => {
    symlinkSync('../closed/d', join(home, 'open', 'file-link'));
    symlinkSync('../closed', join(home, 'open', 'folder-link'));
    await expect(files.inspect(join(home, 'open/file-link'), 100)).rejects.toMatchObject(refused);
    await expect(files.inspect(join(home, 'open/folder-link/d'), 100)).rejects.toMatchObject(refused);
    await expect(files.checkDestination(join(home, 'open/folder-link/new'))).rejects.toMatchObject(refused);
  });

  it.each(['closed/none', 'closed/none/d', 'closed/d/e', 'none', 'open/../closed/none', 'open/folder-link/none'])(
    'the existence of %s is not told',
    async (path) => {
      symlinkSync('../closed', join(home, 'open', 'folder-link'));
      await expect(files.inspect(`${home}/${path}`, 100)).rejects.toMatchObject(refused);
      const message = expect.stringContaining('files.roots') as string;
      await expect(files.checkDestination(`${home}/${path}/new`)).rejects.toMatchObject({ ...refused, message });
    },
  );

  it('a missing file in an open folder is called missing', async () => {
    await expect(files.inspect(join(home, 'open/none/e'), 100)).rejects.toMatchObject({ code: 'DOCUMENT_UNREADABLE' });
    const message = expect.stringContaining('make it first') as string;
    await expect(files.checkDestination(join(home, 'open/none/e'))).rejects.toMatchObject({
      code: 'FOLDER_NOT_FOUND',
      message,
    });
  });

  it('results go nowhere else', async () => {
    await files.checkDestination(join(home, 'open', 'inner', 'new'));
    await expect(files.checkDestination(join(home, 'closed', 'new'))).rejects.toMatchObject(refused);
  });

  it('a name too long for the disk is refused before anything is signed', async () => {
    const code = 'REQUEST_INVALID';
    await expect(files.checkDestination(join(home, 'open', 'x'.repeat(300)))).rejects.toMatchObject({ code });
    await expect(files.checkDestination(join(home, 'open', 'x'.repeat(200)))).resolves.toContain('xxx');
  });

  it('a folder turned into a link after the check gets no result', async () => {
    const destination = join(home, 'open', 'inner', 'new');
    await files.checkDestination(destination);
    renameSync(join(home, 'open', 'inner'), join(home, 'open', 'before'));
    symlinkSync('../closed', join(home, 'open', 'inner'));
    await expect(files.prepareDraft(destination, KEY)).rejects.toMatchObject(refused);
  });

  it('the folder of the application stays closed, also inside of an open folder', async () => {
    const wide = new LocalUserFiles(join(home, 'own'), [home]);
    writeFileSync(join(home, 'own', 'secret'), 'x');
    await expect(wide.inspect(join(home, 'own', 'secret'), 100)).rejects.toMatchObject(refused);
    expect(await wide.inspect(join(home, 'closed', 'd'), 100)).toMatchObject({ size: 7 });
  });
});

describe('a file longer than a document may be', () => {
  it('is refused by its length, and not read', async () => {
    writeFileSync(join(home, 'open', 'sparse'), '');
    truncateSync(join(home, 'open', 'sparse'), 2 ** 40);
    const reads = vi.spyOn(Measure.prototype, 'add');
    const refusal = files.inspect(join(home, 'open', 'sparse'), 2 ** 31);
    await expect(refusal).rejects.toMatchObject({ code: 'DOCUMENT_TOO_LARGE' });
    expect(reads).not.toHaveBeenCalled();
    reads.mockRestore();
  });
});
