import { createHash, hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { ServiceError } from '../../errors/index.ts';
import { readBlock } from './checked-blocks.ts';
import type { DocumentRecord } from '../records.ts';
import type { DocumentStore, FileStamp, SmallDocumentStore, UserFiles } from '../stores.ts';

/** Bytes of a part of an original. */
export const PART_SIZE = 256 * 1024;

const HASH_SIZE = 32;

/** The measures of an original that has its recorded SHA-256. */
export interface MeasuredOriginal {
  /** SHA-256 of each part, one after the other. */
  readonly partHashes: Buffer;
  /** The first bytes, at most `PART_SIZE`. */
  readonly head: Buffer;
  readonly hasZeroByte: boolean;
}

/** Inspections of documents that wait, by key, in memory only: a part is compared with the hash taken here. */
export type Inspections = Map<string, Promise<MeasuredOriginal>>;

interface Needs {
  readonly documents: DocumentStore;
  readonly smallDocuments: SmallDocumentStore;
  readonly files: UserFiles;
}

type Original = Pick<DocumentRecord, 'key' | 'content' | 'checksum' | 'size'>;

export const documentChanged = (): ServiceError =>
  new ServiceError('DOCUMENT_UNREADABLE', 'The document changed after its signature was asked for: ask again.');

/** Whether a file was not written between two looks at its outer properties. */
export const isSameStamp = (one: FileStamp, other: FileStamp): boolean =>
  one.size === other.size && one.modified === other.modified && one.inode === other.inode;

/**
 * Reads an original to its end. Rejects with `DOCUMENT_UNREADABLE` for bytes without the recorded SHA-256, and with
 * `NOT_FOUND` for an original that is not stored.
 */
export async function measureOriginal(needs: Needs, original: Original): Promise<MeasuredOriginal> {
  const whole = createHash('sha256');
  const partHashes: Buffer[] = [];
  let head = Buffer.alloc(0);
  let hasZeroByte = false;
  await readingOriginal(needs, original, async (read) => {
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
  needs: Needs,
  original: Original,
  { partHashes }: MeasuredOriginal,
  number: number,
): Promise<Buffer> {
  const expected = partHashes.subarray(number * HASH_SIZE, (number + 1) * HASH_SIZE);
  if (expected.length === 0) throw new ServiceError('NOT_FOUND', 'The document has no part with this number.');
  return readingOriginal(needs, original, async (read) => {
    const part = await read(number);
    if (!hash('sha256', part, 'buffer').equals(expected)) throw documentChanged();
    return part;
  });
}

type ReadPart = (number: number) => Promise<Buffer>;

async function readingOriginal<Value>(
  { documents, smallDocuments, files }: Needs,
  { key, content }: Original,
  use: (read: ReadPart) => Promise<Value>,
): Promise<Value> {
  switch (content?.kind) {
    case undefined:
    case 'digest':
      throw new ServiceError('NOT_FOUND', 'The document is not stored here: only its checksum is.');
    case 'small': {
      const bytes = await smallDocuments.original(key);
      if (bytes === undefined) throw documentChanged();
      return use((number) => Promise.resolve(bytes.subarray(number * PART_SIZE, (number + 1) * PART_SIZE)));
    }
    case 'kept':
    case 'path': {
      const file = await files.openRegular(content.kind === 'path' ? content.path : documents.originalPath(key));
      try {
        return await use((number) => readPart(file, number));
      } finally {
        await file.close();
      }
    }
  }
}

async function readPart(file: FileHandle, number: number): Promise<Buffer> {
  const part = Buffer.allocUnsafe(PART_SIZE);
  return part.subarray(0, await readBlock(file, part, number * PART_SIZE));
}
