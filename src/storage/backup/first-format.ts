/**
 * Reads backups of versions before the age format: files in a row, each as length (4 bytes) and JSON of its header, then
 * its bytes, inside a file sealed under a passphrase, which is a sequence of chunks:
 *
 * "SINETE-BACKUP-1\n" 16 bytes length 4 bytes, of the following JSON: costs and salt of scrypt (RFC 7914) JSON digest
 * 32 bytes, SHA-256 of everything before chunks flag (1), length (4), cipher text, tag (16)
 *
 * Numbers are big-endian. Each chunk is sealed with AES-256-GCM (NIST SP 800-38D) under the key of this file alone; the
 * nonce is the chunk's number, and the digest and the flag are authenticated too. Chunks therefore cannot be changed,
 * swapped, left out, or taken from another file, and a truncated file is detected: only the last chunk has flag 1.
 * Chunk 0 is empty, to distinguish a wrong passphrase from a damaged file.
 */
import { createDecipheriv, createHash, scrypt, type ScryptOptions } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import { damagedBackup } from '../copies/backup-errors.ts';
import { StorageError } from '../errors.ts';
import { ByteReader } from './archive.ts';

const scryptAsync = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

const MAGIC = Buffer.from('SINETE-BACKUP-1\n', 'latin1');
const CHUNK = 64 * 1024;
const TAG = 16;
const MOST_HEADER = 1024;
const MAX_MEMORY = 512 * 1024 * 1024;
const LAST = 1;

const headerSchema = z.object({
  // Limits of the costs: the file may be hostile, and must not take all memory.
  cost: z.union([14, 15, 16, 17, 18, 19].map((power) => z.literal(2 ** power))),
  blockSize: z.int().min(8).max(16),
  parallel: z.int().min(1).max(4),
  salt: z.string().regex(/^[0-9A-Za-z_-]{22,86}$/),
});
type Header = z.infer<typeof headerSchema>;

async function deriveKey(passphrase: string, { cost, blockSize, parallel, salt }: Header): Promise<Buffer> {
  const options = { N: cost, r: blockSize, p: parallel, maxmem: MAX_MEMORY };
  // Normalised, because keyboards encode accents differently.
  return scryptAsync(passphrase.normalize('NFC'), Buffer.from(salt, 'base64url'), 32, options);
}

function nonceOf(chunk: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(chunk), 4);
  return nonce;
}

/** The only permitted names, so that an archive cannot write files elsewhere. */
const nameSchema = z
  .string()
  .regex(/^(manifest\.json|master\.key|sinete\.(db|toml|json)|(documents|results)\/[0-9a-f]{32})$/);
const frontSchema = z.union([
  z.object({ name: nameSchema, size: z.int().min(0) }),
  z.object({ end: z.literal(true), files: z.int() }),
]);
const MOST_FRONT = 1024;

/**
 * The content of a sealed file, chunk by chunk, each authenticated first. Throws `BACKUP_UNKNOWN` for another kind of
 * file, `PASSPHRASE_INCORRECT`, and `BACKUP_DAMAGED`, at the latest at the end of the file.
 */
export async function* readSealedFile(file: FileHandle, passphrase: string): AsyncGenerator<Buffer, void> {
  const { header, digest } = await readHeader(file);
  const key = await deriveKey(passphrase, header);
  try {
    for (let chunk = 0; ; chunk++) {
      const front = await readExactly(file, 5);
      const flag = front.readUInt8();
      const length = front.readUInt32BE(1);
      if (flag > LAST || length > CHUNK) throw damagedBackup();
      const sealed = await readExactly(file, length + TAG);
      yield openChunk({ key, chunk, digest, flag }, sealed);
      if (flag === LAST) break;
    }
    if ((await file.read(Buffer.alloc(1), 0, 1)).bytesRead > 0) throw damagedBackup();
  } finally {
    key.fill(0);
  }
}

async function readHeader(file: FileHandle): Promise<{ readonly header: Header; readonly digest: Buffer }> {
  const magic = Buffer.alloc(MAGIC.length);
  const { bytesRead } = await file.read(magic, 0, magic.length);
  if (bytesRead < magic.length || !magic.equals(MAGIC)) {
    throw new StorageError('BACKUP_UNKNOWN', 'This file is not a backup of Sinete.', { remedy: 'Name another file.' });
  }
  const length = await readExactly(file, 4);
  if (length.readUInt32BE() > MOST_HEADER) throw damagedBackup();
  const json = await readExactly(file, length.readUInt32BE());
  const digest = await readExactly(file, 32);
  const found = createHash('sha256')
    .update(Buffer.concat([magic, length, json]))
    .digest();
  if (!found.equals(digest)) throw damagedBackup();
  try {
    return { header: headerSchema.parse(JSON.parse(json.toString('utf8'))), digest };
  } catch (cause) {
    throw damagedBackup(cause);
  }
}

function openChunk(
  parts: { readonly key: Buffer; readonly chunk: number; readonly digest: Buffer; readonly flag: number },
  sealed: Buffer,
): Buffer {
  const { key, chunk, digest, flag } = parts;
  const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(chunk), { authTagLength: TAG });
  decipher.setAAD(Buffer.concat([digest, Buffer.of(flag)]));
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, sealed.length - TAG)), decipher.final()]);
  } catch (cause) {
    if (chunk > 0) throw damagedBackup(cause);
    const remedy = 'Nothing was changed. Type it again; without the passphrase nobody can open a backup.';
    throw new StorageError('PASSPHRASE_INCORRECT', 'The passphrase is not the one of this backup.', { cause, remedy });
  }
}

async function readExactly(file: FileHandle, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled);
    if (bytesRead === 0) throw damagedBackup();
    filled += bytesRead;
  }
  return bytes;
}

/** Passes each file of such a backup to `take`, which must read the whole file. Throws `BACKUP_DAMAGED`. */
export async function readFirstArchive(
  chunks: AsyncGenerator<Buffer, void>,
  take: (name: string, content: AsyncGenerator<Buffer, void>) => Promise<void>,
): Promise<void> {
  const reader = new ByteReader(chunks);
  for (let files = 0; ; files++) {
    const length = (await reader.exactly(4)).readUInt32BE();
    if (length > MOST_FRONT) throw damagedBackup();
    const front = readFront(await reader.exactly(length));
    if ('end' in front) {
      if (front.files !== files || (await reader.next()) !== undefined) throw damagedBackup();
      return;
    }
    await take(front.name, reader.upTo(front.size));
  }
}

function readFront(json: Buffer): z.infer<typeof frontSchema> {
  try {
    return frontSchema.parse(JSON.parse(json.toString('utf8')));
  } catch (cause) {
    throw damagedBackup(cause);
  }
}
