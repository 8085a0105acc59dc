import { randomBytes } from 'node:crypto';
import { StorageError } from '../errors.ts';
import { createPrivateFile, readPrivateFile } from './private-file.ts';
import { MASTER_KEY_LENGTH, MasterKeyCache, type SecretStore, type SecretStoreProbe } from './secret-store.ts';

const FORMAT = /^sinete-master-key-1:([0-9A-Za-z_-]{43})\n$/;

/** Place of the key file, and permission to create the file. */
export interface KeyFileOptions {
  /** Absolute path; best outside the data folder, so that a copy of the folder does not hold the key. */
  readonly path: string;
  /** False when sealed data exists already. */
  readonly mayCreate: boolean;
}

function readKey(content: Buffer): Buffer {
  const key = Buffer.from(FORMAT.exec(content.toString('latin1'))?.[1] ?? '', 'base64url');
  if (key.length === MASTER_KEY_LENGTH) return key;
  throw new StorageError('SECRET_STORE_DAMAGED', 'The file of the master key does not hold a key.', {
    remedy: 'Restore the file from a backup.',
  });
}

async function obtainKey({ path, mayCreate }: KeyFileOptions): Promise<Buffer> {
  const content = await readPrivateFile(path);
  if (content !== undefined) return readKey(content);
  if (!mayCreate) throw keyFileGone();
  const key = randomBytes(MASTER_KEY_LENGTH);
  if (await createPrivateFile(path, `sinete-master-key-1:${key.toString('base64url')}\n`)) return key;
  // Another process has created the file in the meantime, so its key is used.
  return obtainKey({ path, mayCreate: false });
}

function keyFileGone(): StorageError {
  return new StorageError('SECRET_STORE_UNAVAILABLE', 'The file of the master key is gone.', {
    remedy: 'Put the file back where it was. Without it the stored keys and passwords cannot be read.',
  });
}

/** Before the first use of the key, a missing file is no error. */
async function probeFile({ path, mayCreate }: KeyFileOptions, cache: MasterKeyCache): Promise<SecretStoreProbe> {
  try {
    const content = await readPrivateFile(path);
    if (content === undefined) {
      if (!mayCreate || cache.isKnown) throw keyFileGone();
      return { state: 'ok' };
    }
    const key = readKey(content);
    const agrees = cache.agreesWith(key);
    key.fill(0);
    if (agrees) return { state: 'ok' };
    throw new StorageError('SECRET_STORE_UNAVAILABLE', 'The file of the master key holds another key than before.', {
      remedy: 'Put the earlier file back. Without it the stored keys and passwords cannot be read.',
    });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'The file of the master key cannot be read.';
    return { state: 'unavailable', reason, cause };
  }
}

/**
 * The master key in a file of mode 0600. Every program of this user can read the file, so the file is used only on
 * explicit request: on servers without a keychain.
 */
export function keyFileSecretStore(options: KeyFileOptions): SecretStore {
  const cache = new MasterKeyCache(() => obtainKey(options));
  return {
    kind: 'key-file',
    detail: null,
    getMasterKey: () => cache.get(),
    probe: () => probeFile(options, cache),
  };
}
