import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itNeeding } from '../../setup/needs.ts';
import { isHandedOver } from '../../../src/storage/secrets/private-file.ts';
import { openSecretStore, type SecretStoreOptions } from '../../../src/storage/secrets/index.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinete-secrets-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const digitsOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

describe('the key file', () => {
  const options = (): SecretStoreOptions => ({ mode: 'key-file', keyFile: join(folder, 'secrets', 'master.key') });

  itNeeding('Linux')(
    'is made at the first use of the key, for its owner only, and gives the same key afterwards',
    async () => {
      const { keyFile = '' } = options();
      const store = await openSecretStore(options());
      await expect(readdir(join(folder, 'secrets'))).rejects.toMatchObject({ code: 'ENOENT' });
      const key = await store.getMasterKey();
      expect(key).toHaveLength(32);
      expect(await digitsOf(keyFile)).toBe('600');
      expect(await digitsOf(join(folder, 'secrets'))).toBe('700');
      expect(await readdir(join(folder, 'secrets'))).toEqual(['master.key']);
      const again = await openSecretStore({ ...options(), expectedKind: 'key-file' });
      expect(await again.getMasterKey()).toEqual(key);
      expect(
        await (await openSecretStore({ ...options(), mode: 'auto', expectedKind: 'key-file' })).getMasterKey(),
      ).toEqual(key);
    },
  );

  it('is one file also made by several processes at once', async () => {
    const stores = await Promise.all(Array.from({ length: 8 }, () => openSecretStore(options())));
    const keys = await Promise.all(stores.map((store) => store.getMasterKey()));
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1);
    expect(await readdir(join(folder, 'secrets'))).toEqual(['master.key']);
  });

  it("survives the wiping of the caller's copy of the key", async () => {
    const store = await openSecretStore(options());
    const key = await store.getMasterKey();
    const copy = Buffer.from(key);
    key.fill(0);
    expect(await store.getMasterKey()).toEqual(copy);
  });

  itNeeding('Linux').each([0o640, 0o604, 0o666, 0o660])('is refused with mode %o, and left unchanged', async (mode) => {
    const { keyFile = '' } = options();
    await (await openSecretStore(options())).getMasterKey();
    const before = await readFile(keyFile);
    await chmod(keyFile, mode);
    await expect(openSecretStore(options())).rejects.toMatchObject({
      code: 'SECRET_STORE_UNAVAILABLE',
      message: expect.stringContaining('Other users') as string,
      remedy: expect.stringContaining('chmod 600') as string,
    });
    expect(await readFile(keyFile)).toEqual(before);
  });

  it.each([
    ['of root, that only its group may read', 0, 0o100440, 1000, true],
    ['of root, that nobody else may read', 0, 0o100400, 1000, true],
    ['of root, that everybody may read', 0, 0o100444, 1000, false],
    ['of root, that its group may change', 0, 0o100460, 1000, false],
    ['of another user', 1001, 0o100440, 1000, false],
    ['of root itself, which runs the program', 0, 0o100640, 0, false],
  ])('%s counts as handed over by an administrator or not', (_which, uid, mode, ownUid, isAccepted) => {
    expect(isHandedOver({ uid, mode }, ownUid)).toBe(isAccepted);
  });

  itNeeding('Linux')('is refused as a symbolic link, also to a proper key file', async () => {
    await (await openSecretStore(options())).getMasterKey();
    const link = join(folder, 'link.key');
    await symlink(options().keyFile ?? '', link);
    await expect(openSecretStore({ mode: 'key-file', keyFile: link })).rejects.toMatchObject({
      code: 'SECRET_STORE_UNAVAILABLE',
      message: expect.stringContaining('symbolic link') as string,
    });
  });

  itNeeding('Linux')('is not written through a dangling symbolic link', async () => {
    const link = join(folder, 'link.key');
    await symlink(join(folder, 'elsewhere'), link);
    await expect(openSecretStore({ mode: 'key-file', keyFile: link })).rejects.toMatchObject({
      code: 'SECRET_STORE_UNAVAILABLE',
    });
    expect(await readdir(folder)).toEqual(['link.key']);
  });

  it('is refused as a folder', async () => {
    await mkdir(options().keyFile ?? '', { recursive: true });
    await expect(openSecretStore(options())).rejects.toMatchObject({ code: 'SECRET_STORE_UNAVAILABLE' });
  });

  it.each([
    ['empty', ''],
    ['cut off', 'sinete-master-key-1:AAAA\n'],
    ['something else', 'x'.repeat(100_000)],
  ])('is never replaced when %s', async (_state, content) => {
    const keyFile = join(folder, 'master.key');
    await writeFile(keyFile, content, { mode: 0o600 });
    await expect(openSecretStore({ mode: 'key-file', keyFile })).rejects.toMatchObject({
      code: 'SECRET_STORE_DAMAGED',
    });
    expect(await readFile(keyFile, 'latin1')).toBe(content);
  });

  it('is not made again once something was sealed with the key', async () => {
    const opened = openSecretStore({ ...options(), expectedKind: 'key-file' });
    await expect(opened).rejects.toMatchObject({ code: 'SECRET_STORE_UNAVAILABLE' });
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('the passphrase store', () => {
  const options = (passphrase: string): SecretStoreOptions => ({
    mode: 'passphrase',
    passphraseFile: join(folder, 'passphrase.json'),
    askPassphrase: () => Promise.resolve(passphrase),
  });

  itNeeding('Linux')('gives the same key for the same passphrase, however its accents were typed', async () => {
    const key = await (await openSecretStore(options('senha é segredo'.normalize('NFC')))).getMasterKey();
    const again = await openSecretStore({ ...options('senha é segredo'.normalize('NFD')), expectedKind: 'passphrase' });
    expect(await again.getMasterKey()).toEqual(key);
    expect(await digitsOf(join(folder, 'passphrase.json'))).toBe('600');
    expect(await readFile(join(folder, 'passphrase.json'), 'latin1')).not.toContain(key.toString('base64url'));
  });

  it('tells a wrong passphrase, and takes the right passphrase the next time', async () => {
    await (await openSecretStore(options('certa'))).getMasterKey();
    let passphrase = 'errada';
    const store = await openSecretStore({ ...options(''), askPassphrase: () => Promise.resolve(passphrase) });
    const error = await store.getMasterKey().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'PASSPHRASE_INCORRECT' });
    expect(inspect(error, { depth: 10 })).not.toContain('errada');
    passphrase = 'certa';
    expect(await store.getMasterKey()).toHaveLength(32);
  });

  it('asks once for overlapping calls', async () => {
    let asked = 0;
    const askPassphrase = (): Promise<string> => Promise.resolve(`senha ${(asked += 1)}`);
    const store = await openSecretStore({ ...options(''), askPassphrase });
    const [first, second] = await Promise.all([store.getMasterKey(), store.getMasterKey()]);
    expect(first).toEqual(second);
    expect(asked).toBe(1);
  });

  it('refuses an empty passphrase, and writes nothing', async () => {
    const store = await openSecretStore(options(''));
    await expect(store.getMasterKey()).rejects.toMatchObject({ code: 'PASSPHRASE_REQUIRED' });
    expect(await readdir(folder)).toEqual([]);
  });

  it('does not begin again where its file is gone, and asks for no passphrase then', async () => {
    const askPassphrase = (): Promise<string> => Promise.reject(new Error('asked'));
    const opened = openSecretStore({ ...options(''), askPassphrase, expectedKind: 'passphrase' });
    await expect(opened).rejects.toMatchObject({ code: 'SECRET_STORE_UNAVAILABLE' });
  });

  it.each([
    ['that is cut off', (text: string) => text.slice(0, 40)],
    ['that asks for all memory', (text: string) => text.replace('131072', String(2 ** 40))],
  ])('refuses a file %s', async (_state, change) => {
    const path = join(folder, 'passphrase.json');
    await (await openSecretStore(options('certa'))).getMasterKey();
    await writeFile(path, change(await readFile(path, 'utf8')));
    await expect(openSecretStore(options('certa'))).rejects.toMatchObject({ code: 'SECRET_STORE_DAMAGED' });
  });
});

describe('openSecretStore', () => {
  it('keeps one key for the life of a memory store, and another in the next', async () => {
    const store = await openSecretStore({ mode: 'memory' });
    expect(await store.getMasterKey()).toEqual(await store.getMasterKey());
    expect(await (await openSecretStore({ mode: 'memory' })).getMasterKey()).not.toEqual(await store.getMasterKey());
  });

  it.each<SecretStoreOptions>([
    { mode: 'memory', expectedKind: 'os-keychain' },
    { mode: 'key-file', expectedKind: 'os-keychain', keyFile: '/nowhere' },
    { mode: 'memory', expectedKind: 'key-file' },
    { mode: 'os-keychain', expectedKind: 'passphrase' },
  ])('refuses to seal with $mode after sealing with $expectedKind', async (options) => {
    await expect(openSecretStore(options)).rejects.toMatchObject({
      code: 'SECRET_STORE_UNAVAILABLE',
      message: expect.stringContaining('were sealed with') as string,
      remedy: expect.stringContaining('Configure') as string,
    });
  });

  it.each<SecretStoreOptions>([
    { mode: 'key-file' },
    { mode: 'passphrase' },
    { mode: 'auto', expectedKind: 'key-file' },
    { mode: 'auto', expectedKind: 'passphrase' },
  ])('names the missing part for $mode', async (options) => {
    await expect(openSecretStore(options)).rejects.toMatchObject({ code: 'SECRET_STORE_UNAVAILABLE' });
  });
});
