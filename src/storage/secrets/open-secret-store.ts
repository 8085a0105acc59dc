import { StorageError } from '../errors.ts';
import { keyFileSecretStore } from './key-file-store.ts';
import { keychainSecretStore } from './keychain.ts';
import { passphraseSecretStore } from './passphrase-store.ts';
import { MASTER_KEY_LENGTH, type SecretStore, type SecretStoreKind } from './secret-store.ts';
import { randomBytes } from 'node:crypto';

/** The configured mode. `auto` is the keychain if it works, else memory; never a file. */
export type SecretStoreMode = 'auto' | SecretStoreKind;

/** How to find or make the place of the master key. */
export interface SecretStoreOptions {
  readonly mode: SecretStoreMode;
  /**
   * The kind of store that holds the key of the existing sealed data; the caller stores the kind with the data. No
   * other kind is used then, and no second key is made. `memory` counts as no sealed data.
   */
  readonly expectedKind?: SecretStoreKind;
  /** For `os-keychain`: see `KeychainOptions`. */
  readonly keychain?: { readonly service?: string; readonly account?: string; readonly timeout?: number };
  /** Absolute path; needed for `key-file`. */
  readonly keyFile?: string;
  /** Absolute path; needed for `passphrase`. */
  readonly passphraseFile?: string;
  /** Needed for `passphrase`. */
  readonly askPassphrase?: () => Promise<string>;
}

const NAMES: Readonly<Record<SecretStoreKind, string>> = {
  'os-keychain': "the operating system's keychain",
  'key-file': 'a key file',
  passphrase: 'a passphrase',
  memory: 'memory',
};

function unavailable(message: string, remedy: string, cause?: unknown): StorageError {
  return new StorageError('SECRET_STORE_UNAVAILABLE', message, { remedy, cause });
}

function makeStore(kind: SecretStoreKind, options: SecretStoreOptions, mayCreate: boolean): SecretStore {
  switch (kind) {
    case 'os-keychain':
      return keychainSecretStore({ ...options.keychain, mayCreate });
    case 'key-file':
      if (options.keyFile === undefined) {
        throw unavailable('No key file is configured.', 'Name the key file in the configuration.');
      }
      return keyFileSecretStore({ path: options.keyFile, mayCreate });
    case 'passphrase':
      if (options.passphraseFile === undefined || options.askPassphrase === undefined) {
        throw unavailable('There is nobody to ask for the passphrase.', 'Start where a passphrase can be given.');
      }
      return passphraseSecretStore({
        path: options.passphraseFile,
        askPassphrase: options.askPassphrase,
        mayCreate,
      });
    case 'memory':
      return memorySecretStore();
  }
}

/** The mandatory kind for data sealed so far; undefined without sealed data. */
function sealedKind({ mode, expectedKind }: SecretStoreOptions): SecretStoreKind | undefined {
  if (expectedKind === undefined || expectedKind === 'memory') return undefined;
  if (mode !== 'auto' && mode !== expectedKind) {
    throw unavailable(
      `The stored keys and passwords were sealed with ${NAMES[expectedKind]}, but ${NAMES[mode]} is configured.`,
      `Configure ${NAMES[expectedKind]} again, or start with a fresh data folder.`,
    );
  }
  return expectedKind;
}

async function requireProbe(store: SecretStore, sealed: boolean): Promise<SecretStore> {
  const probe = await store.probe();
  if (probe.state === 'ok') return store;
  // The error about a refused file has a better remedy.
  if (probe.cause instanceof StorageError) throw probe.cause;
  const remedy = sealed
    ? 'Make it available again: without it the stored keys and passwords cannot be read, and nothing replaces it.'
    : 'Make it available, or choose another place for secrets in the configuration.';
  throw unavailable(probe.reason, remedy, probe.cause);
}

/**
 * Opens the place of the master key and tests it. Without sealed data, `auto` falls back from the keychain to memory,
 * with the reason in `detail`. Every other failure rejects with `StorageError` and a remedy: `SECRET_STORE_UNAVAILABLE`
 * for an unusable place, `SECRET_STORE_DAMAGED` for a file not written by this program. The first `getMasterKey` reads
 * or creates the key.
 */
export async function openSecretStore(options: SecretStoreOptions): Promise<SecretStore> {
  const sealed = sealedKind(options);
  if (sealed !== undefined) return requireProbe(makeStore(sealed, options, false), true);
  if (options.mode !== 'auto') return requireProbe(makeStore(options.mode, options, true), false);
  const keychain = makeStore('os-keychain', options, true);
  const probe = await keychain.probe();
  if (probe.state === 'ok') return keychain;
  return memorySecretStore(`${probe.reason} Keys and passwords are kept only until the program ends.`);
}

/** A master key for the lifetime of the process: sealed values cannot be opened after a restart. */
function memorySecretStore(detail: string | null = null): SecretStore {
  const key = randomBytes(MASTER_KEY_LENGTH);
  return {
    kind: 'memory',
    detail,
    getMasterKey: () => Promise.resolve(Buffer.from(key)),
    probe: () => Promise.resolve({ state: 'ok' }),
  };
}
