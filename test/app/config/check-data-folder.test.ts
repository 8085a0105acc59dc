import { chmod, chown, lstat, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findRunningInstance } from '../../../src/app/cli/channel-client.ts';
import { checkDataFolder, checkFolderAbove, protectOnWindows } from '../../../src/app/config/check-data-folder.ts';
import { readConfiguration } from '../../../src/app/config/config.ts';
import { finishRestore } from '../../../src/storage/index.ts';
import { itNeeding } from '../../setup/needs.ts';

let place = '';
let folder = '';

beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'sinete-folder-'));
  folder = join(place, 'data');
  await mkdir(folder, { mode: 0o700 });
});
afterEach(async () => rm(place, { recursive: true, force: true }));

const refused = (message: string) => ({ exitCode: 3, message: expect.stringContaining(message) as string });

describe('the folder above a data folder', () => {
  const user = { uid: 1000, gid: 1000 };
  it.each([
    ['of root', { uid: 0, gid: 0, mode: 0o755 }, undefined],
    ['of the user', { uid: 1000, gid: 1000, mode: 0o755 }, undefined],
    ['of the user, open to the private group of the user', { uid: 1000, gid: 1000, mode: 0o775 }, undefined],
    ['of root, open to the group of root', { uid: 0, gid: 0, mode: 0o775 }, undefined],
    ['of root, open to everybody but sticky, as /tmp is', { uid: 0, gid: 0, mode: 0o1777 }, undefined],
    ['of another user', { uid: 1001, gid: 1001, mode: 0o755 }, 'belongs to another user (1001)'],
    ['of another user, and sticky', { uid: 1001, gid: 1001, mode: 0o1777 }, 'belongs to another user (1001)'],
    ['open to everybody', { uid: 1000, gid: 1000, mode: 0o777 }, 'Other users may write'],
    ['open to a group with other users', { uid: 1000, gid: 100, mode: 0o775 }, 'Other users may write'],
  ])('%s', (_name, stats, message) => {
    const check = (): void => {
      checkFolderAbove('/srv', stats, user);
    };
    if (message === undefined) expect(check).not.toThrow();
    else expect(check).toThrow(message);
  });
});

// Windows has access control lists instead of these rights.
itNeeding('Linux').each([0o720, 0o702, 0o777])(
  'a data folder with the rights %o is refused before its configuration is read',
  async (mode) => {
    await writeFile(join(folder, 'sinete.toml'), 'unknown = 1\n');
    await chmod(folder, mode);
    await expect(readConfiguration({ dataFolder: folder, environment: {} })).rejects.toMatchObject(
      refused('chmod 700'),
    );
    await expect(findRunningInstance(folder)).rejects.toMatchObject(refused('chmod 700'));
  },
);

describe('a data folder', () => {
  it('only readable for others becomes private', async () => {
    await chmod(folder, 0o755);
    await checkDataFolder(folder);
    if (process.platform !== 'win32') expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it('not existing yet is accepted below folders of the user', async () => {
    await expect(checkDataFolder(join(place, 'not', 'yet'))).resolves.toBeUndefined();
  });

  it('is refused as a file', async () => {
    await writeFile(join(place, 'file'), '');
    await expect(checkDataFolder(join(place, 'file'))).rejects.toMatchObject(refused('is not a folder'));
  });

  // Rights of POSIX.
  itNeeding('Linux')('behind a link is refused when everybody may change the folder above the target', async () => {
    const open = join(place, 'open');
    await mkdir(join(open, 'data'), { recursive: true, mode: 0o700 });
    await chmod(open, 0o777);
    await symlink(join(open, 'data'), join(place, 'link'));
    await expect(checkDataFolder(join(place, 'link'))).rejects.toMatchObject(refused(open));
  });

  // Rights of POSIX.
  itNeeding('Linux')('holds a lock file for the owner alone', async () => {
    const { lockDataFolder } = await import('../../../src/storage/lock-data-folder.ts');
    lockDataFolder(folder).release();
    expect((await stat(join(folder, 'in-use.lock'))).mode & 0o777).toBe(0o600);
  });

  // Only root can give a folder away.
  itNeeding('root')('of another user is refused', async () => {
    await chown(folder, 65534, 65534);
    await expect(checkDataFolder(folder)).rejects.toMatchObject(refused('belongs to another user (65534)'));
  });

  // Only root can give a file away.
  itNeeding('root')('is not replaced by a restored folder put beside by another user', async () => {
    const staging = join(place, 'data.restoring-1-aaaa');
    await mkdir(staging, { mode: 0o700 });
    await rm(folder, { recursive: true });
    await writeFile(join(place, 'data.restore.json'), JSON.stringify({ staging: 'data.restoring-1-aaaa' }));
    await chown(join(place, 'data.restore.json'), 65534, 65534);
    await finishRestore(folder);
    expect(existsSync(folder)).toBe(false);
    await chown(join(place, 'data.restore.json'), 0, 0);
    await chown(staging, 65534, 65534);
    await finishRestore(folder);
    expect(existsSync(folder)).toBe(false);
    expect((await lstat(staging)).uid).toBe(65534);
  });
});

describe('on Windows', () => {
  const profile = 'C:\\Users\\maria';
  const calls: string[][] = [];
  const run = async (program: string, words: readonly string[]): Promise<void> => {
    calls.push([program, ...words]);
    return Promise.resolve();
  };

  it.each([`${profile}\\AppData\\Roaming\\sinete`, profile])(
    'a folder in the profile needs nothing: %s',
    async (path) => {
      await protectOnWindows(path, { profile, run });
      expect(calls).toEqual([]);
    },
  );

  it('a folder elsewhere gets rights for the user, the system and administrators alone', async () => {
    const path = join(place, 'D:\\sinete');
    await protectOnWindows(path, { profile, run });
    const [[program = '', ...words] = []] = calls.splice(0);
    expect(program).toMatch(/icacls\.exe$/);
    expect(words.slice(0, 3)).toEqual([path, '/inheritance:r', '/grant:r']);
    expect(words.slice(4)).toEqual(['*S-1-5-18:(OI)(CI)F', '*S-1-5-32-544:(OI)(CI)F']);
  });

  it('a folder elsewhere without settable rights is refused', async () => {
    const failing = async (): Promise<never> => Promise.reject(new Error('Access is denied.'));
    const outcome = protectOnWindows(join(place, 'x'), { profile, run: failing });
    await expect(outcome).rejects.toMatchObject(refused('outside of your profile'));
  });
});
