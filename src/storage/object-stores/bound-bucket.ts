import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../../service/errors/index.ts';
import type { SharedPlace } from '../database-of-folder.ts';
import { StorageError } from '../errors.ts';
import type { DocumentBucket } from './document-bucket.ts';

const MARKER = 'postgresql.json';
const LONGEST_MARKER = 1000;

/** The bucket of all nodes as the place of their documents. Rejects with `StorageError` when it is out of reach. */
export const sharedInBucket = (bucket: DocumentBucket, dataFolder: string): SharedPlace => ({
  kind: 'bucket',
  boundTo: async () => starting(async () => readMarker(bucket)),
  bind: async (id) => starting(async () => writeMarker(bucket, dataFolder, id)),
});

/**
 * Reads the object that binds the bucket to its database. Rejects with `ServiceError` when the store is out of reach, or
 * has no such object.
 */
export async function probeBucket(bucket: DocumentBucket): Promise<void> {
  if ((await readMarker(bucket)) !== undefined) return;
  throw new ServiceError('STORAGE_UNAVAILABLE', `The object store of the documents has no object ${MARKER} any more.`);
}

async function readMarker(bucket: DocumentBucket): Promise<string | undefined> {
  let text = '';
  const isThere = await bucket.read(MARKER, async (content) => {
    for await (const chunk of content) if (text.length < LONGEST_MARKER) text += Buffer.from(chunk).toString('utf8');
  });
  return isThere ? (/^\{"id":"([0-9a-f]{32})"/.exec(text)?.[1] ?? '') : undefined;
}

async function writeMarker(bucket: DocumentBucket, dataFolder: string, id: string): Promise<void> {
  const folder = await mkdtemp(join(dataFolder, 'bucket-'));
  try {
    const path = join(folder, MARKER);
    await writeFile(path, `${JSON.stringify({ id })}\n`, { mode: 0o600 });
    await bucket.write(MARKER, path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function starting<Result>(action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new StorageError('STORAGE_UNAVAILABLE', error.message, {
      remedy: 'Check documents.store and documents.endpoint, and the credentials of the store.',
      cause: error,
    });
  }
}
