/**
 * Shared by the tests of object stores: stores with the names given by their owner, files to write, and the expected
 * errors.
 */
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { afterAll, beforeAll } from 'vitest';
import { holdExchanges, type FindProxy } from '../../../src/network/index.ts';
import { ServiceError } from '../../../src/service/errors/index.ts';
import type { ObjectAddress, ObjectFile } from '../../../src/service/stores/index.ts';
import {
  ConfiguredObjectStores,
  type ObjectStorePatience,
  type OpenObjectStore,
} from '../../../src/storage/object-stores/index.ts';
import { s3Keys } from './object-servers.ts';

const impatient: Partial<ObjectStorePatience> = {
  idleTimeout: 400,
  totalTimeout: 20_000,
  attempts: 2,
  retryDelay: 20,
  // The libraries of the stores wait for seconds before they send a request again.
  requestAttempts: { s3: 1, gcs: 1 },
};

/** A store named `one` of kind S3 at a server's origin. */
export const s3StoreAt = (endpoint: string, changes: Partial<OpenObjectStore> = {}): OpenObjectStore => ({
  id: 'one',
  kind: 's3',
  endpoint,
  region: 'us-east-1',
  bucket: 'papers',
  prefix: 'in/',
  pathStyle: true,
  overwrite: false,
  credentials: { kind: 'keys', ...s3Keys },
  ...changes,
});

/** A store named `two` of cloud storage at a server's origin. */
export const gcsStoreAt = (endpoint: string, changes: Partial<OpenObjectStore> = {}): OpenObjectStore => ({
  id: 'two',
  kind: 'gcs',
  endpoint,
  bucket: 'letters',
  prefix: '',
  pathStyle: true,
  overwrite: false,
  credentials: { kind: 'none' },
  ...changes,
});

/** The stores of an instance knowing these, for servers that are not meant to answer well. */
export function storesOf(...opened: readonly OpenObjectStore[]): ConfiguredObjectStores {
  return makeStores(impatient, opened);
}

/** The same with as much patience as there usually is, for servers that may be slow. */
export function patientStoresOf(...opened: readonly OpenObjectStore[]): ConfiguredObjectStores {
  return makeStores({}, opened);
}

/** The same with few attempts, and with time for a slow server. */
export function twiceTryingStoresOf(...opened: readonly OpenObjectStore[]): ConfiguredObjectStores {
  return makeStores({ ...impatient, idleTimeout: 30_000 }, opened);
}

/** The same behind a proxy. */
export function proxiedStoresOf(findProxy: FindProxy, ...opened: readonly OpenObjectStore[]): ConfiguredObjectStores {
  return makeStores({}, opened, findProxy);
}

function makeStores(
  patience: Partial<ObjectStorePatience>,
  opened: readonly OpenObjectStore[],
  findProxy?: FindProxy,
): ConfiguredObjectStores {
  return new ConfiguredObjectStores({
    named: {
      list: async () => Promise.resolve(opened),
      open: async (id) => Promise.resolve(opened.find((one) => one.id === id) ?? failNow()),
    },
    hold: holdExchanges,
    patience,
    findProxy,
  });
}

function failNow(): never {
  throw new Error('No such store.');
}

/** Makes files in a folder removed after the tests of this file. */
export function useFiles(): (content: Buffer, name: string) => Promise<ObjectFile> {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'objects-'));
  });
  afterAll(async () => rm(folder, { recursive: true }));
  return async (content, name) => {
    const path = join(folder, name.replaceAll('/', '_'));
    await writeFile(path, content);
    const checksum = createHash('sha256').update(content).digest('hex');
    return { path, size: content.length, checksum, mediaType: 'application/pdf' };
  };
}

export const readAll = async (stores: ConfiguredObjectStores, address: ObjectAddress): Promise<Buffer> =>
  stores.read(address, async ({ content }) => buffer(Readable.from(content)));

/** The error that an action fails with. */
export async function failure(action: Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await action.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ServiceError) return error;
  throw new Error('It did not fail as the service does.', { cause: error });
}
