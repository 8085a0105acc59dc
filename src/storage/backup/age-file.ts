/**
 * The container of a backup: a file of the format age (https://age-encryption.org/v1), so that `age -d` opens a backup
 * too. The library handles the header and its recipients; the payload is sealed by Node's own cipher (`age-payload.ts`).
 * The passphrase is stretched here, because Node's scrypt does not block the event loop, and because the costs that a
 * hostile file demands can be limited.
 */
import { createCipheriv, createDecipheriv, randomBytes, scrypt, type ScryptOptions } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Encrypter, Identity, Stanza } from 'age-encryption';
import { damagedBackup } from '../copies/backup-errors.ts';
import { StorageError } from '../errors.ts';
import { openPayload, sealPayload } from './age-payload.ts';

/** Who can open a backup: anyone with its passphrase, or with the key of a recipient (`age1…`). */
export type BackupSeal = { readonly passphrase: string } | { readonly recipients: readonly string[] };

/** The means to open a backup: its passphrase, or private keys (`AGE-SECRET-KEY-1…`), one of which must match. */
export type BackupKey = { readonly passphrase: string } | { readonly identities: readonly string[] };

const scryptAsync = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** N = 2^17, r = 8, p = 1: 128 MiB of memory and about half a second per guess. */
const WORK_FACTOR = 17;
/** A backup file may be hostile, so it must not take more than 512 MiB. */
const MOST_WORK_FACTOR = 19;
const SALT = 16;
const FILE_KEY = 16;
const TAG = 16;
/** A header has about 200 bytes for each recipient. */
const MOST_HEADER = 64 * 1024;
const READ_AT_ONCE = 256 * 1024;
/** Bytes of the payload of an empty content: its salt and the tag of an empty chunk. */
const EMPTY_PAYLOAD = 32;

/**
 * Writes `content` to a file in the age format. Rejects with `PASSPHRASE_REQUIRED` for a text that is not a recipient.
 */
export async function writeAgeFile(
  file: FileHandle,
  seal: BackupSeal,
  content: AsyncGenerator<Uint8Array, void>,
): Promise<void> {
  const encrypter = await encrypterFor(seal);
  let fileKey = new Uint8Array();
  // The library gives the key of the file to each recipient alone: one more recipient takes the key, and adds nothing.
  encrypter.addRecipient({
    wrapFileKey: (key) => {
      fileKey = Uint8Array.from(key);
      return [];
    },
  });
  const empty = await encrypter.encrypt(new Uint8Array());
  await file.writeFile(empty.subarray(0, empty.length - EMPTY_PAYLOAD));
  for await (const part of sealPayload(fileKey, content)) await file.writeFile(part);
}

async function encrypterFor(seal: BackupSeal): Promise<Encrypter> {
  // Loaded late, because only backups need the library.
  const { Encrypter, Stanza } = await import('age-encryption');
  const encrypter = new Encrypter();
  if ('passphrase' in seal) {
    const wrapFileKey = async (fileKey: Uint8Array): Promise<Stanza[]> => {
      const salt = randomBytes(SALT);
      const key = await deriveKey(seal.passphrase, salt, WORK_FACTOR);
      const cipher = createCipheriv('chacha20-poly1305', key, Buffer.alloc(12), { authTagLength: TAG });
      const body = Buffer.concat([cipher.update(fileKey), cipher.final(), cipher.getAuthTag()]);
      return [new Stanza(['scrypt', salt.toString('base64').replace(/=+$/, ''), String(WORK_FACTOR)], body)];
    };
    encrypter.addRecipient({ wrapFileKey });
    return encrypter;
  }
  for (const recipient of seal.recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch (cause) {
      const remedy = 'Name public keys as "age-keygen" prints them: age1….';
      throw new StorageError('PASSPHRASE_REQUIRED', `"${recipient}" is not a recipient of age.`, { cause, remedy });
    }
  }
  return encrypter;
}

/** The key of a passphrase (age-encryption.org/v1, scrypt recipient stanza). */
async function deriveKey(passphrase: string, salt: Buffer, workFactor: number): Promise<Buffer> {
  const labelled = Buffer.concat([Buffer.from('age-encryption.org/v1/scrypt'), salt]);
  const options = { N: 2 ** workFactor, r: 8, p: 1, maxmem: 2 ** (workFactor + 11) };
  // Normalised, because keyboards encode accents differently.
  return scryptAsync(passphrase.normalize('NFC'), labelled, 32, options);
}

/**
 * The content of an age file; each chunk is authenticated before it is passed on. Throws `PASSPHRASE_INCORRECT`, also
 * for a key that does not match, and `BACKUP_DAMAGED`, at the latest at the end of the file.
 */
export async function* readAgeFile(file: FileHandle, key: BackupKey): AsyncGenerator<Buffer, void> {
  try {
    const header = await readHeader(file);
    const { Decrypter } = await import('age-encryption');
    const decrypter = new Decrypter();
    for (const identity of 'passphrase' in key ? [passphraseIdentity(key.passphrase)] : key.identities) {
      decrypter.addIdentity(identity);
    }
    if (!('passphrase' in key)) decrypter.addIdentity({ unwrapFileKey: refuseKeys });
    const fileKey = await decrypter.decryptHeader(header);
    yield* openPayload(fileKey, readBlocks(file, header.length));
  } catch (error) {
    throw error instanceof StorageError ? error : damagedBackup(error);
  }
}

/** The header with its MAC. The length is checked, because the library would read a header of any length. */
async function readHeader(file: FileHandle): Promise<Uint8Array> {
  const start = Buffer.alloc(MOST_HEADER);
  const { bytesRead } = await file.read(start, 0, start.length, 0);
  const last = start.subarray(0, bytesRead).indexOf('\n--- ');
  const end = last === -1 ? -1 : start.subarray(0, bytesRead).indexOf('\n', last + 1);
  if (end === -1) throw damagedBackup();
  return Uint8Array.from(start.subarray(0, end + 1));
}

async function* readBlocks(file: FileHandle, from: number): AsyncGenerator<Uint8Array, void> {
  for (let position = from; ;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(READ_AT_ONCE), 0, READ_AT_ONCE, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

function passphraseIdentity(passphrase: string): Identity {
  return {
    async unwrapFileKey(stanzas) {
      const stanza = stanzas.find(({ args: [kind] }) => kind === 'scrypt');
      if (stanza === undefined) {
        const remedy = 'Nothing was changed. Use the key of a recipient: "sinete restore FILE --identity KEYFILE".';
        throw new StorageError('PASSPHRASE_INCORRECT', 'This backup opens with a key, not with a passphrase.', {
          remedy,
        });
      }
      const [, salt = '', workFactor = ''] = stanza.args;
      const bytes = Buffer.from(salt, 'base64');
      const isSound = stanzas.length === 1 && bytes.length === SALT && stanza.body.length === FILE_KEY + TAG;
      if (!isSound || !/^[1-9]\d?$/.test(workFactor) || Number(workFactor) > MOST_WORK_FACTOR) throw damagedBackup();
      return openFileKey(await deriveKey(passphrase, bytes, Number(workFactor)), stanza.body);
    },
  };
}

function openFileKey(key: Buffer, body: Uint8Array): Uint8Array {
  const decipher = createDecipheriv('chacha20-poly1305', key, Buffer.alloc(12), { authTagLength: TAG });
  decipher.setAuthTag(body.subarray(FILE_KEY));
  try {
    return Buffer.concat([decipher.update(body.subarray(0, FILE_KEY)), decipher.final()]);
  } catch (cause) {
    const remedy = 'Nothing was changed. Type it again; without the passphrase nobody can open a backup.';
    throw new StorageError('PASSPHRASE_INCORRECT', 'The passphrase is not the one of this backup.', { cause, remedy });
  }
}

/** Refuses the file, after none of the keys has opened it. */
function refuseKeys(stanzas: readonly Stanza[]): never {
  const isForPassphrase = stanzas.some(({ args: [kind] }) => kind === 'scrypt');
  const message = isForPassphrase
    ? 'This backup opens with a passphrase, not with a key.'
    : 'The key is not one of the recipients of this backup.';
  throw new StorageError('PASSPHRASE_INCORRECT', message, { remedy: 'Nothing was changed.' });
}
