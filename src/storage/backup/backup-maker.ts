/**
 * The proof that a backup was made by the instance that restores it: an HMAC over all files of the archive, under a key
 * that is in no backup. Everybody can make a backup for a recipient's public key, and nobody else this proof.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual, type Hash } from 'node:crypto';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { flushFolder } from '../files/files.ts';

/** The name of the proof, which is the last file of an archive. */
export const MAKER_PROOF = 'maker.mac';
const KEY_FILE = 'backup-maker.key';
const KEY_LENGTH = 32;

/** The key of a data folder; undefined if no backup was made there so far. */
export async function readMakerKey(dataFolder: string): Promise<Buffer | undefined> {
  const key = await readFile(join(dataFolder, KEY_FILE)).catch(() => undefined);
  return key?.length === KEY_LENGTH ? key : undefined;
}

/** The key of a data folder, which is made for the first backup. */
export async function makeMakerKey(dataFolder: string): Promise<Buffer> {
  const known = await readMakerKey(dataFolder);
  if (known !== undefined) return known;
  const key = randomBytes(KEY_LENGTH);
  await writeMakerKey(dataFolder, key);
  return key;
}

/** Takes the key along into a restored folder, so that earlier backups keep their proof. */
export async function writeMakerKey(dataFolder: string, key: Buffer): Promise<void> {
  const file = await open(join(dataFolder, KEY_FILE), 'w', 0o600);
  try {
    await writeFile(file, key);
    await file.sync();
  } finally {
    await file.close();
  }
  await flushFolder(dataFolder);
}

/** Collects the digests of the files of an archive, in their order. */
export class ArchiveDigest {
  readonly #all = createHash('sha256');

  /** Passes the content of a file on, and digests it; it counts once it was read to its end. */
  async *through<Chunk extends Uint8Array>(name: string, content: AsyncIterable<Chunk>): AsyncGenerator<Chunk, void> {
    const file = this.begin();
    for await (const part of content) {
      file.update(part);
      yield part;
    }
    this.end(name, file);
  }

  begin(): Hash {
    return createHash('sha256');
  }

  end(name: string, file: Hash): void {
    this.#all.update(`${name}\0`).update(file.digest());
  }

  /** The proof over all files so far. */
  proof(key: Buffer): Buffer {
    return createHmac('sha256', key).update('sinete backup 1').update(this.#all.copy().digest()).digest();
  }

  isProof(key: Buffer | undefined, proof: Buffer | undefined): boolean {
    if (key === undefined || proof?.length !== KEY_LENGTH) return false;
    return timingSafeEqual(this.proof(key), proof);
  }
}
