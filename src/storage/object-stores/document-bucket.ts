import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { ServiceError } from '../../service/errors/index.ts';
import type { ObjectAddress } from '../../service/stores/index.ts';
import { asServiceFailure } from '../service-failure.ts';
import { ConfiguredObjectStores, type ObjectStoreParts } from './configured-object-stores.ts';
import { checkEntry, type OpenObjectStore } from './store-entry.ts';
import { dropUndefined } from '../../values/drop-undefined.ts';

/** The settings of the bucket for the documents of all nodes. */
export type DocumentBucketSettings = Omit<OpenObjectStore, 'id' | 'kind' | 'overwrite'>;

/** Milliseconds without a byte after which a request for a document fails. */
const IDLE_TIMEOUT = 10_000;

/** A stored object, by its name below the prefix and its folder. */
interface NamedObject {
  readonly name: string;
  readonly modified: Date;
}

/**
 * The objects below the prefix of a bucket. Rejects with `STORAGE_UNAVAILABLE`, which clients may send again, when the
 * store is out of reach or refuses.
 */
export class DocumentBucket {
  readonly #store: OpenObjectStore;
  readonly #stores: ConfiguredObjectStores;

  constructor(settings: DocumentBucketSettings, parts: Omit<ObjectStoreParts, 'named'>) {
    const store = checkEntry({ ...settings, id: 'documents', kind: 's3', overwrite: true });
    this.#store = store;
    this.#stores = new ConfiguredObjectStores({
      ...parts,
      patience: { idleTimeout: IDLE_TIMEOUT, ...dropUndefined(parts.patience ?? {}) },
      named: { list: async () => Promise.resolve([store]), open: async () => Promise.resolve(store) },
    });
  }

  /** Resolves when the store has the content of the file, by its checksum. An object of this name is replaced. */
  async write(name: string, path: string): Promise<void> {
    await this.#reaching(async () => {
      const file = { path, ...(await measureFile(path)), mediaType: 'application/octet-stream' };
      await this.#stores.write(this.#addressOf(name), file);
    });
  }

  /** False when there is no such object. `use` may have seen a part of the content when this rejects. */
  async read(name: string, use: (content: AsyncIterable<Uint8Array>) => Promise<void>): Promise<boolean> {
    return this.#reaching(async () => {
      try {
        await this.#stores.read(this.#addressOf(name), async ({ content }) => use(content));
        return true;
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'DOCUMENT_UNREADABLE') return false;
        throw error;
      }
    });
  }

  /** A missing object is ignored. */
  async remove(name: string): Promise<void> {
    await this.#reaching(async () => this.#stores.remove(this.#addressOf(name)));
  }

  /** The objects of a folder, which ends with a slash. */
  async list(folder: string): Promise<readonly NamedObject[]> {
    const address = this.#addressOf(folder);
    const listed = await this.#reaching(async () => this.#stores.list(address));
    return listed.map(({ key, modified }) => ({ name: key.slice(address.key.length), modified }));
  }

  async close(): Promise<void> {
    await this.#stores.close();
  }

  #addressOf(name: string): ObjectAddress {
    const { kind, bucket, prefix } = this.#store;
    return { kind, bucket, key: prefix + name };
  }

  async #reaching<Result>(action: () => Promise<Result>): Promise<Result> {
    try {
      return await action();
    } catch (error) {
      const failure = asServiceFailure(error);
      if (failure.code !== 'STORE_UNAVAILABLE' && failure.code !== 'STORE_REFUSED') throw failure;
      const message = `The object store of the documents cannot be used now. ${failure.message}`;
      throw new ServiceError('STORAGE_UNAVAILABLE', message, { cause: failure, retryAfter: 10 });
    }
  }
}

/** Size and lower-case hex SHA-256 of a file. */
async function measureFile(path: string): Promise<{ readonly size: number; readonly checksum: string }> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, checksum: hash.digest('hex') };
}
