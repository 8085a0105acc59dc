import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SqlKeyVault, type Storage } from '../../../src/storage/index.ts';
import { openTestStorage } from '../engine.ts';

let folder: string;
let storage: Storage;
let vault: SqlKeyVault;
const masterKey = randomBytes(32);
const vaultWith = (key: Buffer) =>
  new SqlKeyVault(storage.database, { getMasterKey: () => Promise.resolve(Buffer.from(key)) });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sinete-vault-'));
  storage = await openTestStorage(folder);
  vault = vaultWith(masterKey);
});
afterEach(async () => {
  await storage.close();
  rmSync(folder, { recursive: true });
});

const certificate = Buffer.from('certificate');
const chain = [Buffer.from('issuer'), Buffer.from('root')];
const entry = (id: string, privateKey: Buffer) => ({ id, label: `label ${id}`, certificate, chain, privateKey });
const tampered = (columns: object) => storage.database.updateTable('private_keys').set(columns).where('id', '=', 'b');

describe('SqlKeyVault', () => {
  it('gives back what was added, in that order', async () => {
    const keys = [randomBytes(100), randomBytes(100)];
    await vault.add(entry('b', keys[0]!));
    await vault.add(entry('a', keys[1]!));
    expect(await vault.list()).toEqual([
      { id: 'b', label: 'label b', certificate, chain },
      { id: 'a', label: 'label a', certificate, chain },
    ]);
    expect(await vault.readPrivateKey('b')).toEqual(keys[0]);
    expect(await vault.readPrivateKey('a')).toEqual(keys[1]);
  });

  it('replaces an entry with the same id and keeps its place', async () => {
    await vault.add(entry('b', randomBytes(100)));
    await vault.add(entry('a', randomBytes(100)));
    const replacement = randomBytes(100);
    await vault.add({ ...entry('b', replacement), label: 'renewed', chain: [] });
    expect((await vault.list()).map(({ id, label, chain: issuers }) => [id, label, issuers.length])).toEqual([
      ['b', 'renewed', 0],
      ['a', 'label a', 2],
    ]);
    expect(await vault.readPrivateKey('b')).toEqual(replacement);
  });

  it('knows nothing of a removed key', async () => {
    await vault.add(entry('b', randomBytes(100)));
    await vault.remove('b');
    await vault.remove('b');
    expect(await vault.list()).toEqual([]);
    await expect(vault.readPrivateKey('b')).rejects.toMatchObject({ name: 'SigningError', code: 'KEY_NOT_FOUND' });
  });

  it('writes no private key in the clear to any file', async () => {
    const privateKey = randomBytes(100);
    await vault.add(entry('b', privateKey));
    for (const name of readdirSync(folder).filter((one) => one.startsWith('sinete.db'))) {
      const bytes = readFileSync(join(folder, name));
      expect(bytes.includes(privateKey.subarray(0, 16))).toBe(false);
      expect(bytes.includes(privateKey.toString('base64').slice(0, 16))).toBe(false);
    }
  });

  it('opens nothing with another master key, from another row or from an earlier version', async () => {
    await vault.add(entry('b', randomBytes(100)));
    const { sealed_key } = await storage.database.selectFrom('private_keys').selectAll().executeTakeFirstOrThrow();
    await expect(vaultWith(randomBytes(32)).readPrivateKey('b')).rejects.toMatchObject({ code: 'SECRET_UNREADABLE' });
    await vault.add(entry('b', randomBytes(100)));
    await tampered({ sealed_key }).execute();
    await expect(vault.readPrivateKey('b')).rejects.toMatchObject({ code: 'SECRET_UNREADABLE' });
    await tampered({ version: 1 }).execute();
    await expect(vault.readPrivateKey('b')).resolves.toHaveLength(100);
    await tampered({ id: 'c' }).execute();
    await expect(vault.readPrivateKey('c')).rejects.toMatchObject({ code: 'SECRET_UNREADABLE' });
  });
});
