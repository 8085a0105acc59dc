import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, isAbsolute, relative } from 'node:path';
import type { SettingsStore } from '../../service/settings/index.ts';
import {
  markBesideKey,
  openSealed,
  openSecretStore,
  seal,
  StorageError,
  type MarkPlaces,
  type SecretStore,
} from '../../storage/index.ts';
import type { Configuration } from '../config/config.ts';

/** The setting with the kind of store of this data folder's seals. */
const setting = 'secret_store.kind';
/** The setting with this data folder's own entry in the keychain, so that two folders do not share an entry. */
const accountSetting = 'secret_store.account';
/** The setting with the master key of a restored backup, sealed under the master key of this computer. */
export const adoptedSetting = 'secret_store.adopted_key';
const adoptedPlace = 'settings secret_store.adopted_key';
/** A known value, sealed at the first use of the master key. A key that opens the value belongs to this folder. */
export const checkSetting = 'secret_store.check';
export const checkPlace = 'settings secret_store.check';
const checkValue = 'The master key of this data folder.';
const kinds = ['os-keychain', 'key-file', 'passphrase', 'memory'] as const;
type Kind = (typeof kinds)[number];

/** The place of the master key, and whether values sealed by an earlier run are lost. */
export interface OpenedSecrets {
  readonly store: SecretStore;
  /** True if the last run had its master key only in memory: its sealed values are lost. */
  readonly earlierAreLost: boolean;
  /** True if this process has the master key already. */
  readonly keyIsKnown: () => boolean;
  /**
   * Obtains the master key and opens the sealed test value. Does nothing before the first use of the key, and with a
   * key in memory. `openSealedValue` opens another value sealed in this folder, because folders of earlier versions
   * have no test value. Rejects with `StorageError`: `SECRET_STORE_UNAVAILABLE` without the key, `SECRET_UNREADABLE`
   * with a foreign key.
   */
  readonly checkMasterKey: (openSealedValue: () => Promise<void>) => Promise<void>;
  /**
   * Moves the key into a file. Undefined if the key is stored already, or if the configuration demands a key in memory.
   */
  readonly keepInFile: (() => Promise<void>) | undefined;
}

/**
 * Opens the master key at its configured or remembered place. The kind is stored at the first use of the key, so that
 * no later run seals under another kind. `open` opens the place of the key.
 */
export async function openSecrets(
  { mode, keyFile, passphraseFile }: Configuration['secretStore'],
  settings: SettingsStore,
  askPassphrase: (() => Promise<string>) | undefined,
  open: typeof openSecretStore = openSecretStore,
): Promise<OpenedSecrets> {
  const remembered = kindOf(await settings.read(setting));
  const store = await open({
    mode,
    keyFile,
    passphraseFile,
    keychain: { account: await keychainAccount(settings) },
    expectedKind: remembered,
    askPassphrase,
  });
  let isKnown = false;
  let isInFile = false;
  const known = rememberingKind(store, remembered, settings, () => {
    isKnown = true;
  });
  const checked: SecretStore = {
    get kind() {
      return isInFile ? 'key-file' : known.kind;
    },
    get detail() {
      return isInFile ? null : known.detail;
    },
    getMasterKey: async () => known.getMasterKey(),
    probe: async () => {
      const probe = await known.probe();
      // A probe must not make anyone enter a passphrase or unlock the keychain.
      if (probe.state !== 'ok' || !(isKnown || (store.kind === 'key-file' && remembered === 'key-file'))) return probe;
      return probeSealedValue(known, settings);
    },
  };
  return {
    store: checked,
    keepInFile:
      store.kind === 'memory' && mode === 'auto'
        ? async () => {
            if (isInFile) return;
            await keepInFile(await known.getMasterKey(), { keyFile, passphraseFile }, settings);
            isInFile = true;
          }
        : undefined,
    earlierAreLost: remembered === 'memory',
    keyIsKnown: () => isKnown,
    checkMasterKey: async (openSealedValue) => {
      if (remembered === undefined || store.kind === 'memory' || remembered === 'memory') return;
      if (await opensCheckValue(known, settings)) return;
      await openSealedValue().catch((cause: unknown) => {
        throw isUnreadable(cause) ? foreignKey(cause) : cause;
      });
      await writeCheckValue(await known.getMasterKey(), settings);
    },
  };
}

/**
 * The places of a data folder's marks. A key file outside of the data folder gets a second mark next to it. A keychain
 * gets none, because each commit would write to it. A credential or secret that an administrator provides gets none
 * either, because its folder is read-only or writable by root alone.
 */
export function markPlacesOf(
  { mode, keyFile, passphraseFile }: Configuration['secretStore'],
  dataFolder: string,
): MarkPlaces {
  const file = mode === 'key-file' ? keyFile : mode === 'passphrase' ? passphraseFile : undefined;
  const way = file === undefined ? '' : relative(dataFolder, file);
  const isOutside = file !== undefined && (way.startsWith('..') || isAbsolute(way));
  const hasPlace = isOutside && (!existsSync(file) || mayWrite(dirname(file)));
  return { dataFolder, besideKey: hasPlace ? markBesideKey(file, dataFolder) : undefined };
}

function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Moves a master key from memory into a key file: sealed values stay unchanged, and the next start opens them with the
 * file.
 */
async function keepInFile(
  masterKey: Buffer,
  paths: Pick<Configuration['secretStore'], 'keyFile' | 'passphraseFile'>,
  settings: SettingsStore,
): Promise<void> {
  try {
    await adoptMasterKey({ mode: 'key-file', ...paths }, settings, masterKey, async () => Promise.reject(noPassphrase));
    await writeCheckValue(Buffer.from(masterKey), settings);
  } finally {
    masterKey.fill(0);
  }
}

const noPassphrase = new Error('A key file needs no passphrase.');

async function probeSealedValue(store: SecretStore, settings: SettingsStore): ReturnType<SecretStore['probe']> {
  try {
    await opensCheckValue(store, settings);
    return { state: 'ok' };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'The master key cannot be read.';
    return { state: 'unavailable', reason, cause };
  }
}

/** False if no test value was sealed yet. Rejects with `SECRET_UNREADABLE` for a foreign key. */
async function opensCheckValue(store: SecretStore, settings: SettingsStore): Promise<boolean> {
  const sealed = await settings.read(checkSetting);
  if (typeof sealed !== 'string') return false;
  try {
    const key = await store.getMasterKey();
    openSealed(key, Buffer.from(sealed, 'base64'), checkPlace);
    key.fill(0);
    return true;
  } catch (cause) {
    throw isUnreadable(cause) ? foreignKey(cause) : cause;
  }
}

async function writeCheckValue(key: Buffer, settings: SettingsStore): Promise<void> {
  const sealed = seal(key, Buffer.from(checkValue), checkPlace);
  key.fill(0);
  await settings.write(checkSetting, sealed.toString('base64'));
}

/**
 * Seals the first test value. If another node was first, its test value stays and decides. Rejects with
 * `SECRET_UNREADABLE` for a foreign key.
 */
async function writeFirstCheckValue(key: Buffer, settings: SettingsStore): Promise<void> {
  const sealed = await settings.read(checkSetting);
  if (typeof sealed !== 'string') return writeCheckValue(Buffer.from(key), settings);
  try {
    openSealed(key, Buffer.from(sealed, 'base64'), checkPlace);
  } catch (cause) {
    throw isUnreadable(cause) ? foreignKey(cause) : cause;
  }
}

const isUnreadable = (error: unknown): boolean => error instanceof StorageError && error.code === 'SECRET_UNREADABLE';

function foreignKey(cause: unknown): StorageError {
  return new StorageError('SECRET_UNREADABLE', 'The master key is not the key of this data folder.', {
    cause,
    remedy: 'Put the key back that belongs to this data folder, or restore a backup. Stored keys cannot be read now.',
  });
}

async function keychainAccount(settings: SettingsStore): Promise<string> {
  const known = await settings.read(accountSetting);
  if (typeof known === 'string') return known;
  const account = `master-key-${randomBytes(4).toString('hex')}`;
  await settings.write(accountSetting, account);
  return account;
}

function rememberingKind(
  store: SecretStore,
  remembered: Kind | undefined,
  settings: SettingsStore,
  onKnown: () => void,
): SecretStore {
  let known = remembered;
  let adopted: Buffer | undefined;
  return {
    kind: store.kind,
    detail: store.detail,
    probe: async () => store.probe(),
    getMasterKey: async () => {
      const key = adopted === undefined ? await readKey(store, settings) : Buffer.from(adopted);
      adopted ??= Buffer.from(key);
      if (known !== store.kind) {
        if (store.kind === 'memory') await settings.remove(checkSetting);
        else await writeFirstCheckValue(key, settings);
        await settings.write(setting, store.kind);
      }
      known = store.kind;
      onKnown();
      return key;
    },
  };
}

/** This computer's own master key, or the sealed master key of a restored backup. */
async function readKey(store: SecretStore, settings: SettingsStore): Promise<Buffer> {
  const own = await store.getMasterKey();
  const sealed = await settings.read(adoptedSetting);
  if (typeof sealed !== 'string') return own;
  try {
    return openSealed(own, Buffer.from(sealed, 'base64'), adoptedPlace);
  } finally {
    own.fill(0);
  }
}

/**
 * Stores the master key of a backup on this computer: in the settings, sealed under this computer's own master key.
 * Values sealed under the backup's key stay unchanged. Rejects with `SECRET_STORE_UNAVAILABLE` if keys would be in
 * memory only.
 */
export async function adoptMasterKey(
  { mode, keyFile, passphraseFile }: Configuration['secretStore'],
  settings: SettingsStore,
  masterKey: Buffer,
  askPassphrase: () => Promise<string>,
): Promise<void> {
  for (const name of [setting, accountSetting, adoptedSetting, checkSetting]) await settings.remove(name);
  const account = await keychainAccount(settings);
  const store = await openSecretStore({ mode, keyFile, passphraseFile, keychain: { account }, askPassphrase });
  if (store.kind === 'memory') {
    throw new StorageError('SECRET_STORE_UNAVAILABLE', 'This computer has no place for the keys of the backup.', {
      remedy:
        'Nothing was changed. Unlock the keychain, or choose another place: SINETE_SECRET_STORE_MODE=key-file or passphrase.',
    });
  }
  const own = await store.getMasterKey();
  const sealed = seal(own, masterKey, adoptedPlace);
  own.fill(0);
  await settings.write(adoptedSetting, sealed.toString('base64'));
  await settings.write(setting, store.kind);
}

function kindOf(value: unknown): Kind | undefined {
  return kinds.find((kind) => kind === value);
}
