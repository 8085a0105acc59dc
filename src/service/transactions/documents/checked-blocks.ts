import { createHash, hash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { ServiceError } from '../../errors/index.ts';

/** Bytes of a block with a hash of its own. */
export const BLOCK_SIZE = 2 ** 20;
const HASH_LENGTH = 32;

/** The hashes of a file. */
export interface FileHashes {
  /** Lower-case hex SHA-256. */
  readonly checksum: string;
  /** SHA-256 of each block in order, 32 bytes each; absent for a file of one block. */
  readonly blocks?: Buffer;
}

/** Hashes a file in one pass. Rejects with the system's errors. */
export async function hashFile(path: string): Promise<FileHashes> {
  const whole = createHash('sha256');
  const blocks: Buffer[] = [];
  const file = await open(path, 'r');
  try {
    const block = Buffer.allocUnsafe(BLOCK_SIZE);
    for (let at = 0; ; at += BLOCK_SIZE) {
      const length = await readBlock(file, block, at);
      if (length === 0) break;
      const content = block.subarray(0, length);
      whole.update(content);
      blocks.push(hash('sha256', content, 'buffer'));
      if (length < BLOCK_SIZE) break;
    }
  } finally {
    await file.close();
  }
  return { checksum: whole.digest('hex'), ...(blocks.length > 1 ? { blocks: Buffer.concat(blocks) } : {}) };
}

/**
 * Reads the bytes `start` to `end` (inclusive) of a file. Each block is checked before its bytes are passed on, so that
 * a reader never gets the complete content of a damaged file. Rejects with `RESULT_DAMAGED`.
 */
export async function* readCheckedBlocks(
  path: string,
  blocks: Buffer,
  { start, end }: { readonly start: number; readonly end: number },
): AsyncGenerator<Buffer, void> {
  const file = await open(path, 'r').catch((cause: unknown) => {
    throw resultDamaged(cause);
  });
  try {
    for (let index = Math.floor(start / BLOCK_SIZE); index * BLOCK_SIZE <= end; index++) {
      const at = index * BLOCK_SIZE;
      const block = Buffer.allocUnsafe(BLOCK_SIZE);
      const content = block.subarray(0, await readBlock(file, block, at));
      const expected = blocks.subarray(index * HASH_LENGTH, (index + 1) * HASH_LENGTH);
      if (!hash('sha256', content, 'buffer').equals(expected)) throw resultDamaged();
      yield content.subarray(Math.max(0, start - at), end - at + 1);
    }
  } finally {
    await file.close();
  }
}

/** The refusal of a stored result whose content has changed since the signature. */
export function resultDamaged(cause?: unknown): ServiceError {
  return new ServiceError(
    'RESULT_DAMAGED',
    'The stored result is missing or damaged, and is not given out. Restore a backup, or sign the document again.',
    { cause },
  );
}

/** Fills `block` from position `at`; answers the number of bytes, fewer only at the end of the file. */
export async function readBlock(file: FileHandle, block: Buffer, at: number): Promise<number> {
  let length = 0;
  while (length < block.length) {
    const { bytesRead } = await file.read(block, length, block.length - length, at + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}
