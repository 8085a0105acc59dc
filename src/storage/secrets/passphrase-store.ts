import { randomBytes, scrypt, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';
import { StorageError } from '../errors.ts';
import { openSealed, seal } from './envelope.ts';
import { createPrivateFile, readPrivateFile } from './private-file.ts';
import { MASTER_KEY_LENGTH, MasterKeyCache, type SecretStore, type SecretStoreProbe } from './secret-store.ts';

const scryptAsync = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** 128 MiB of memory and about half a second per guess (RFC 7914 §2). */
const COSTS = { cost: 2 ** 17, blockSize: 8, parallel: 1 } as const;
const MAX_MEMORY = 512 * 1024 * 1024;
const PURPOSE = 'master key under passphrase';

/** The file: costs and salt of scrypt, and the sealed master key. Without the passphrase the file reveals nothing. */
const passphraseFile = z.object({
  format: z.literal('sinete-passphrase-1'),
  // Limits of the costs: the file may have been changed, and must not take all memory.
  cost: z.union([15, 16, 17, 18, 19].map((power) => z.literal(2 ** power))),
  blockSize: z.int().min(8).max(16),
  parallel: z.int().min(1).max(4),
  salt: z.string().regex(/^[0-9A-Za-z_-]{22,86}$/),
  key: z.string().regex(/^[0-9A-Za-z_-]+$/),
});
type PassphraseFile = z.infer<typeof passphraseFile>;

/** Where the passphrase file is, and how to get the passphrase. */
export interface PassphraseOptions {
  /** Absolute path. */
  readonly path: string;
  /** False when sealed data exists already. */
  readonly mayCreate: boolean;
  /** Called whenever the key is needed and not yet known. */
  readonly askPassphrase: () => Promise<string>;
}

async function deriveKey(passphrase: string, salt: Buffer, costs: Omit<PassphraseFile, 'salt' | 'key' | 'format'>) {
  const { cost, blockSize, parallel } = costs;
  const options = { N: cost, r: blockSize, p: parallel, maxmem: MAX_MEMORY };
  // Normalised, because keyboards encode accents differently.
  return scryptAsync(passphrase.normalize('NFC'), salt, MASTER_KEY_LENGTH, options);
}

function readFile(content: Buffer): PassphraseFile {
  try {
    return passphraseFile.parse(JSON.parse(content.toString('utf8')));
  } catch (cause) {
    throw new StorageError('SECRET_STORE_DAMAGED', 'The file that the passphrase opens holds no sealed key.', {
      cause,
      remedy:
        'Restore the file from a backup. If it holds the passphrase itself: secret_store.passphrase_from names such a file, and secret_store.passphrase_file the file of the sealed key.',
    });
  }
}

async function openFile(content: Buffer, passphrase: string): Promise<Buffer> {
  const { salt, key, ...costs } = readFile(content);
  const wrappingKey = await deriveKey(passphrase, Buffer.from(salt, 'base64url'), costs);
  try {
    return openSealed(wrappingKey, Buffer.from(key, 'base64url'), PURPOSE);
  } catch (cause) {
    throw new StorageError('PASSPHRASE_INCORRECT', 'The passphrase is wrong.', { cause, remedy: 'Type it again.' });
  } finally {
    wrappingKey.fill(0);
  }
}

async function writeFile(path: string, passphrase: string): Promise<Buffer | undefined> {
  const key = randomBytes(MASTER_KEY_LENGTH);
  const salt = randomBytes(32);
  const wrappingKey = await deriveKey(passphrase, salt, COSTS);
  const sealed = seal(wrappingKey, key, PURPOSE);
  wrappingKey.fill(0);
  const file: PassphraseFile = {
    format: 'sinete-passphrase-1',
    ...COSTS,
    salt: salt.toString('base64url'),
    key: sealed.toString('base64url'),
  };
  return (await createPrivateFile(path, `${JSON.stringify(file)}\n`)) ? key : undefined;
}

async function obtainKey({ path, mayCreate, askPassphrase }: PassphraseOptions): Promise<Buffer> {
  const content = await readPrivateFile(path);
  if (content === undefined && !mayCreate) throw passphraseFileGone();
  const passphrase = await askPassphrase();
  if (passphrase === '') {
    throw new StorageError('PASSPHRASE_REQUIRED', 'A passphrase is needed to open the stored keys.', {
      remedy: 'Give the passphrase.',
    });
  }
  if (content !== undefined) return openFile(content, passphrase);
  const key = await writeFile(path, passphrase);
  if (key !== undefined) return key;
  // Another process has created the file in the meantime, so its key is used.
  return obtainKey({ path, mayCreate: false, askPassphrase: () => Promise.resolve(passphrase) });
}

function passphraseFileGone(): StorageError {
  return new StorageError('SECRET_STORE_UNAVAILABLE', 'The file that the passphrase opens is gone.', {
    remedy: 'Put the file back where it was. Without it the stored keys and passwords cannot be read.',
  });
}

/** Before the first use of the key, a missing file is no error. */
async function probeFile(path: string, mustExist: boolean): Promise<SecretStoreProbe> {
  try {
    const content = await readPrivateFile(path);
    if (content === undefined && mustExist) throw passphraseFileGone();
    if (content !== undefined) readFile(content);
    return { state: 'ok' };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'The file that the passphrase opens cannot be read.';
    return { state: 'unavailable', reason, cause };
  }
}

/** The master key sealed under a passphrase, asked at each start (scrypt, RFC 7914). */
export function passphraseSecretStore(options: PassphraseOptions): SecretStore {
  const cache = new MasterKeyCache(() => obtainKey(options));
  return {
    kind: 'passphrase',
    detail: null,
    getMasterKey: () => cache.get(),
    probe: () => probeFile(options.path, !options.mayCreate || cache.isKnown),
  };
}
