import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openSecrets, type OpenedSecrets } from '../../../src/app/compose/open-secrets.ts';
import type { SettingsStore } from '../../../src/service/settings/index.ts';
import { openSealed, openSecretStore, seal } from '../../../src/storage/index.ts';

let folder: string;
let kept: Map<string, unknown>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinete-secrets-'));
});
afterAll(async () => rm(folder, { recursive: true }));
beforeEach(() => {
  kept = new Map();
});

const settings: SettingsStore = {
  read: (key) => Promise.resolve(kept.get(key)),
  write: (key, value) => Promise.resolve(void kept.set(key, value)),
  remove: (key) => Promise.resolve(void kept.delete(key)),
};

/** Opens the secrets of a computer without a keychain; `name` is of the key file. */
async function open(name: string, mode: 'auto' | 'memory' | 'key-file' = 'auto'): Promise<OpenedSecrets> {
  const paths = { keyFile: join(folder, 'keys', name), passphraseFile: join(folder, 'passphrase') };
  return openSecrets({ mode, ...paths }, settings, undefined, async (options) =>
    openSecretStore(
      options.expectedKind === 'key-file' || options.mode !== 'auto' ? options : { ...options, mode: 'memory' },
    ),
  );
}

describe('a master key in memory', () => {
  it('is moved into the key file, and opens at the next start values sealed before and after', async () => {
    const first = await open('moved');
    expect(first.store.kind).toBe('memory');
    const before = seal(await first.store.getMasterKey(), Buffer.from('before'), 'a');
    await first.keepInFile?.();
    expect(first.store).toMatchObject({ kind: 'key-file', detail: null });
    expect(await first.store.probe()).toEqual({ state: 'ok' });
    const after = seal(await first.store.getMasterKey(), Buffer.from('after'), 'b');
    if (process.platform !== 'win32') expect((await stat(join(folder, 'keys', 'moved'))).mode & 0o777).toBe(0o600);

    const second = await open('moved');
    expect([second.store.kind, second.earlierAreLost, second.keepInFile]).toEqual(['key-file', false, undefined]);
    const key = await second.store.getMasterKey();
    expect([openSealed(key, before, 'a'), openSealed(key, after, 'b')].map(String)).toEqual(['before', 'after']);
    await second.checkMasterKey(() => Promise.reject(new Error('Nothing else is to be opened.')));
  });

  it('stays there where the configuration says so', async () => {
    const { store, keepInFile } = await open('never', 'memory');
    expect([store.kind, keepInFile]).toEqual(['memory', undefined]);
  });

  it('writes nothing of itself into the settings', async () => {
    const { store, keepInFile } = await open('secret');
    const key = await store.getMasterKey();
    await keepInFile?.();
    expect(JSON.stringify([...kept])).not.toContain(key.toString('base64').slice(0, 20));
  });
});

describe('the first use of a master key', () => {
  it("is refused with another key than the first node's: the test value stays", async () => {
    const [first, other] = [await open('first', 'key-file'), await open('other', 'key-file')];
    await first.store.getMasterKey();
    await expect(other.store.getMasterKey()).rejects.toMatchObject({
      code: 'SECRET_UNREADABLE',
      message: 'The master key is not the key of this data folder.',
    });
    const again = await open('first', 'key-file');
    await again.checkMasterKey(() => Promise.reject(new Error('The test value opens.')));
  });
});
