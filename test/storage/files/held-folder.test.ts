import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LocalUserFiles } from '../../../src/storage/files/local-user-files.ts';
import { runTool } from '../../oracles/run-program.ts';

const KEY = '0'.repeat(32);
const moved = { code: 'PATH_NOT_ALLOWED' };

let home: string;
let files: LocalUserFiles;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'held-')));
  for (const folder of ['own', 'out', 'other', 'root', 'root/inner', 'rooted']) mkdirSync(join(home, folder));
  for (const file of ['root/a', 'root/inner/b', 'rooted/c', 'other/d', 'own/e']) writeFileSync(join(home, file), file);
  files = new LocalUserFiles(join(home, 'own'));
});
afterEach(() => {
  rmSync(home, { recursive: true });
});

/** Puts a link to `target` in the place of the folder `out`. */
function replaceOut(target: string): void {
  renameSync(join(home, 'out'), join(home, 'before'));
  symlinkSync(join(home, target), join(home, 'out'));
}

/** Open files and folders of this test; other tests in the same process have theirs. */
const openFiles = (): number =>
  readdirSync('/proc/self/fd').filter((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith(home);
    } catch {
      return false;
    }
  }).length;

describe('the folder of a destination', () => {
  it('is answered with its links resolved, and a link changing later changes nothing', async () => {
    symlinkSync('out', join(home, 'way'));
    expect(await files.checkDestination(join(home, 'way', 'new'))).toBe(join(home, 'out', 'new'));
  });

  it.each(['own', 'other'])('is refused when turned into a link to %s after the check', async (target) => {
    const destination = await files.checkDestination(join(home, 'out', 'new'));
    replaceOut(target);
    await expect(files.prepareDraft(destination, KEY)).rejects.toMatchObject(moved);
    expect(readdirSync(join(home, target))).toHaveLength(1);
  });

  it.each(['own', 'other'])('is refused when turned into a link to %s while the result was made', async (target) => {
    const destination = await files.checkDestination(join(home, 'out', 'new'));
    const draft = await files.prepareDraft(destination, KEY);
    replaceOut(target);
    writeFileSync(draft, 'result');
    await expect(files.deliver(draft, destination)).rejects.toMatchObject(moved);
    expect(readdirSync(join(home, target))).toHaveLength(1);
  });

  it('takes the result when only its own folder is moved and put back', async () => {
    const destination = await files.checkDestination(join(home, 'out', 'new'));
    const draft = await files.prepareDraft(destination, KEY);
    renameSync(join(home, 'out'), join(home, 'away'));
    writeFileSync(draft, 'result');
    renameSync(join(home, 'away'), join(home, 'out'));
    await files.deliver(draft, destination);
    expect(readdirSync(join(home, 'out'))).toEqual(['new']);
  });

  it('is held open no longer than its draft', async () => {
    const before = openFiles();
    const destination = join(home, 'out', 'new');
    for (let attempt = 0; attempt < 3; attempt += 1) await files.prepareDraft(destination, KEY);
    await files.removeDraft(destination, KEY);
    writeFileSync(await files.prepareDraft(destination, KEY), 'result');
    await files.deliver(await files.prepareDraft(destination, KEY), destination).catch(() => undefined);
    await files.removeDraft(destination, KEY);
    replaceOut('other');
    await files.prepareDraft(destination, KEY).catch(() => undefined);
    expect(openFiles()).toBe(before);
  });

  it('is refused to a guest outside of the granted folder, in the same words for existing and missing files', async () => {
    symlinkSync(join(home, 'other'), join(home, 'root', 'way'));
    const refusals = await Promise.all(
      ['way/new', 'way/none/new', 'none/new'].map(async (path) =>
        files.checkDestination(join(home, 'root', path), join(home, 'root')).catch((error: unknown) => error),
      ),
    );
    for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'DESTINATION_NOT_ALLOWED' });
    expect(new Set(refusals.map(String)).size).toBe(1);
    expect(await files.checkDestination(join(home, 'root/inner/new'), join(home, 'root'))).toMatch(/inner\/new$/);
  });
});

describe('a file below a granted folder', () => {
  const read = async (path: string): Promise<string> => {
    const file = await files.openBelow(join(home, 'root'), join(home, 'root', path));
    try {
      const chunks: Uint8Array[] = [];
      for await (const chunk of file.content) chunks.push(chunk);
      return Buffer.concat(chunks).toString();
    } finally {
      await file.close();
    }
  };

  it.each([
    ['a', 'root/a'],
    ['inner/b', 'root/inner/b'],
  ])('is read: %s', async (path, content) => {
    const before = openFiles();
    expect(await read(path)).toBe(content);
    expect(openFiles()).toBe(before);
  });

  it('is read below a root chosen by the owner, even a link', async () => {
    symlinkSync('root', join(home, 'way'));
    const file = await files.openBelow(join(home, 'way'), join(home, 'way', 'a'));
    await file.close();
  });

  it.each([
    ['a link to a file outside', 'link', '../other/d'],
    ['a link to a file inside', 'link', 'a'],
    ['a file behind a link to a folder outside', 'link/d', '../other'],
    ['a file behind a link to a folder inside', 'link/b', 'inner'],
    ['a file of the application behind a link', 'link/e', '../own'],
  ])('is not opened: %s', async (_what, path, target) => {
    symlinkSync(target, join(home, 'root', 'link'));
    const before = openFiles();
    await expect(read(path)).rejects.toMatchObject({ code: 'DOCUMENT_UNREADABLE' });
    expect(openFiles()).toBe(before);
  });

  it.each(['inner', 'none', 'inner/none', 'a/b'])('is not %s', async (path) => {
    await expect(read(path)).rejects.toMatchObject({ code: 'DOCUMENT_UNREADABLE' });
  });

  it('is not a named pipe: a pipe would wait for its other end', async () => {
    await runTool('mkfifo', [join(home, 'root', 'pipe')]);
    await expect(read('pipe')).rejects.toMatchObject({ code: 'DOCUMENT_UNREADABLE' });
  });

  it('is not a file of the application, although the folder was granted', async () => {
    await expect(files.openBelow(home, join(home, 'own', 'e'))).rejects.toMatchObject({ code: 'PATH_NOT_ALLOWED' });
  });
});
