import { createHash, hash } from 'node:crypto';
import { ServiceError } from '../../errors/index.ts';
import { PART_SIZE, type Content, type Original } from './content.ts';

const HASH_SIZE = 32;

/** The hashes of an original whose SHA-256 equals the recorded one. */
export interface MeasuredOriginal {
  /** SHA-256 of each part, one after the other. */
  readonly partHashes: Buffer;
  /** The first bytes, at most `PART_SIZE`. */
  readonly head: Buffer;
  readonly hasZeroByte: boolean;
}

/**
 * Inspections of waiting documents, by key, in memory only. Each part that is read later is compared with its hash
 * here.
 */
export type Inspections = Map<string, Promise<MeasuredOriginal>>;

export const documentChanged = (): ServiceError =>
  new ServiceError('DOCUMENT_UNREADABLE', 'The document changed after its signature was asked for: ask again.');

/**
 * Reads an original to its end. Rejects with `DOCUMENT_UNREADABLE` for bytes without the recorded SHA-256, and with
 * `NOT_FOUND` for an original that is not stored.
 */
export async function measureOriginal(content: Content, original: Original): Promise<MeasuredOriginal> {
  const whole = createHash('sha256');
  const partHashes: Buffer[] = [];
  let head = Buffer.alloc(0);
  let hasZeroByte = false;
  await content.readOriginal(original, async (read) => {
    for (;;) {
      const part = await read(partHashes.length);
      if (part.length === 0) return;
      if (partHashes.length === 0) head = Buffer.from(part);
      whole.update(part);
      partHashes.push(hash('sha256', part, 'buffer'));
      hasZeroByte ||= part.includes(0);
      if (partHashes.length * PART_SIZE > (original.size ?? 0) + PART_SIZE) throw documentChanged();
    }
  });
  if (whole.digest('hex') !== original.checksum) throw documentChanged();
  return { partHashes: Buffer.concat(partHashes), head, hasZeroByte };
}

/**
 * A part of an original, by its number from 0. Rejects with `DOCUMENT_UNREADABLE` for bytes other than the measured
 * bytes, so that every part comes from the content with the recorded SHA-256.
 */
export async function readMeasuredPart(
  content: Content,
  original: Original,
  { partHashes }: MeasuredOriginal,
  number: number,
): Promise<Buffer> {
  const expected = partHashes.subarray(number * HASH_SIZE, (number + 1) * HASH_SIZE);
  if (expected.length === 0) throw new ServiceError('NOT_FOUND', 'The document has no part with this number.');
  return content.readOriginal(original, async (read) => {
    const part = await read(number);
    if (!hash('sha256', part, 'buffer').equals(expected)) throw documentChanged();
    return part;
  });
}
