/** The operating system's keychain, behind the only file that imports its library. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { AsyncEntry } from '@napi-rs/keyring';
import { StorageError } from '../errors.ts';
import { MASTER_KEY_LENGTH, MasterKeyCache, type SecretStore, type SecretStoreProbe } from './secret-store.ts';

/** The keychain's entry of the master key. */
export interface KeychainOptions {
  /** The name in the keychain, visible to the user; by default `Sinete`. */
  readonly service?: string;
  /** A different name for each data folder; by default `master-key`. */
  readonly account?: string;
  /** False when sealed data exists already. */
  readonly mayCreate: boolean;
  /** Milliseconds to wait for an answer, which may need the user's consent; by default two minutes. */
  readonly timeout?: number;
}

const DEFAULT_TIMEOUT = 120_000;
/**
 * Pins the Secret Service on Linux; without this option the library would silently use the kernel's keyring if the
 * service is missing. Ignored by Windows and macOS.
 */
const PINNED = { linux: { store: 'secret-service' } } as const;

const REMEDY =
  `Unlock the keychain (log in to the desktop${process.platform === 'linux' ? ', or start its Secret Service' : ''}) ` +
  'and start again; or choose another place for secrets in the configuration.';

/** All errors of the library have the same code, so the sentence depends on the action. */
const REASONS = {
  reach: 'The keychain of the operating system cannot be reached.',
  write: 'The keychain of the operating system is locked, or keeps no entries.',
  read: 'The keychain of the operating system is locked, or does not give its entries.',
  delete: 'The keychain of the operating system does not delete its entries.',
} as const;
type KeychainAction = keyof typeof REASONS;

class KeychainFailure extends Error {
  constructor(action: KeychainAction, cause: unknown) {
    super(REASONS[action], { cause });
  }
}

/** Waits for the keychain's answer, and fails after the time that the user has for unlocking. */
async function attempt<Result>(
  action: KeychainAction,
  timeout: number,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const signal = AbortSignal.timeout(timeout);
  const expired = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new KeychainFailure(action, signal.reason)), { once: true });
  });
  try {
    return await Promise.race([run(signal), expired]);
  } catch (cause) {
    throw cause instanceof KeychainFailure ? cause : new KeychainFailure(action, cause);
  }
}

/** The library is loaded on first use: a machine without a binary of the library still runs without the keychain. */
const openEntry = (service: string, account: string, timeout: number): Promise<AsyncEntry> =>
  attempt('reach', timeout, async () => {
    const { AsyncEntry } = await import('@napi-rs/keyring');
    return new AsyncEntry(service, account, PINNED);
  });

async function readEntry(entry: AsyncEntry, timeout: number): Promise<Buffer | undefined> {
  const bytes = await attempt('read', timeout, (signal) => entry.getSecret(signal));
  return bytes === null ? undefined : Buffer.from(bytes);
}

/** Writes a value and reads it back, to detect a keychain that does not store it. */
async function writeEntry(entry: AsyncEntry, secret: Buffer, timeout: number): Promise<void> {
  await attempt('write', timeout, (signal) => entry.setSecret(secret, signal));
  const kept = await readEntry(entry, timeout);
  if (kept?.length !== secret.length || !timingSafeEqual(kept, secret)) {
    throw new KeychainFailure('write', undefined);
  }
}

async function obtainKey(options: Required<KeychainOptions>): Promise<Buffer> {
  const { service, account, mayCreate, timeout } = options;
  try {
    const entry = await openEntry(service, account, timeout);
    const known = await readEntry(entry, timeout);
    if (known?.length === MASTER_KEY_LENGTH) return known;
    if (known !== undefined) {
      throw new StorageError('SECRET_STORE_DAMAGED', "The keychain's entry for Sinete does not hold a key.", {
        remedy: 'Restore the entry from a backup of the keychain.',
      });
    }
    if (!mayCreate) {
      throw new StorageError('SECRET_STORE_UNAVAILABLE', 'The keychain no longer has the master key.', {
        remedy: "Restore the user's keychain. Without that key the stored keys and passwords cannot be read.",
      });
    }
    const key = randomBytes(MASTER_KEY_LENGTH);
    await writeEntry(entry, key, timeout);
    return key;
  } catch (cause) {
    if (!(cause instanceof KeychainFailure)) throw cause;
    throw new StorageError('SECRET_STORE_UNAVAILABLE', cause.message, { remedy: REMEDY, cause });
  }
}

/**
 * Writes, reads and deletes a test entry, because only a test distinguishes a locked or forgetful keychain from an
 * empty one.
 */
async function probeKeychain(service: string, timeout: number): Promise<SecretStoreProbe> {
  try {
    const entry = await openEntry(service, `probe-${randomBytes(8).toString('hex')}`, timeout);
    await writeEntry(entry, randomBytes(MASTER_KEY_LENGTH), timeout);
    if (!(await attempt('delete', timeout, (signal) => entry.deleteCredential(signal)))) {
      throw new KeychainFailure('delete', undefined);
    }
    return { state: 'ok' };
  } catch (cause) {
    return { state: 'unavailable', reason: cause instanceof Error ? cause.message : REASONS.reach, cause };
  }
}

/** The master key in the Secret Service (Linux), the Keychain (macOS) or the Credential Manager (Windows). */
export function keychainSecretStore(options: KeychainOptions): SecretStore {
  const { service = 'Sinete', account = 'master-key', timeout = DEFAULT_TIMEOUT, mayCreate } = options;
  const cache = new MasterKeyCache(() => obtainKey({ service, account, timeout, mayCreate }));
  return {
    kind: 'os-keychain',
    detail: null,
    getMasterKey: () => cache.get(),
    probe: () => probeKeychain(service, timeout),
  };
}
