import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '../../service/errors/index.ts';
import {
  objectUrl,
  placeUrl,
  type ObjectAddress,
  type ObjectFile,
  type ObjectPlace,
  type ObjectStoreKind,
  type ObjectStores,
  type StoredObject,
} from '../../service/stores/index.ts';
import { openGcs } from './gcs-client.ts';
import type { NamedStores } from './named-stores.ts';
import type { HoldExchanges, ListedObject, ObjectClient, ObjectUpload, OpenObject } from './object-client.ts';
import { openS3 } from './s3-client.ts';
import type { ObjectStoreEntry, OpenObjectStore } from './store-entry.ts';
import { asStoreFailure, objectExists, unavailable, unavailableBecause, type FailedAction } from './store-failure.ts';
import { dropUndefined } from '../../values/drop-undefined.ts';

/** Time limits for a store. Times are milliseconds. */
export interface ObjectStorePatience {
  /** Maximum time without receiving a byte. */
  readonly idleTimeout: number;
  /** Maximum time for an object. */
  readonly totalTimeout: number;
  /** Maximum number of attempts to write an object. */
  readonly attempts: number;
  /** The first pause between two attempts; each further pause doubles. */
  readonly retryDelay: number;
  /** Maximum number of attempts of a store's library for one request. */
  readonly requestAttempts: Readonly<Record<ObjectStoreKind, number>>;
}

const usualPatience: ObjectStorePatience = {
  idleTimeout: 30_000,
  totalTimeout: 3_600_000,
  attempts: 3,
  retryDelay: 500,
  requestAttempts: { s3: 3, gcs: 2 },
};

/**
 * Endpoints of stores without a configured endpoint. S3 has one for each region, and all are reached through the same
 * proxy.
 */
const USUAL_ENDPOINTS: Readonly<Record<ObjectStoreKind, string>> = {
  s3: 'https://s3.amazonaws.com',
  gcs: 'https://storage.googleapis.com',
};

/** Services for the stores of an instance. */
export interface ObjectStoreParts {
  readonly named: Pick<NamedStores, 'list' | 'open'>;
  readonly hold: HoldExchanges;
  /** PEM; trusted by TLS in addition to Node's authorities. */
  readonly certificateAuthorities?: readonly string[];
  /** The proxy for an address; undefined: none. Default: none for any. */
  readonly findProxy?: (url: URL) => Promise<URL | undefined>;
  readonly patience?: Partial<ObjectStorePatience>;
}

/** The open store of an address. */
interface Opened {
  readonly store: OpenObjectStore;
  readonly client: ObjectClient;
}

/** The stores of the settings, through the SDKs of their makers, loaded on first use. */
export class ConfiguredObjectStores implements ObjectStores {
  readonly #named: ObjectStoreParts['named'];
  readonly #hold: HoldExchanges;
  readonly #certificateAuthorities: readonly string[];
  readonly #findProxy: NonNullable<ObjectStoreParts['findProxy']>;
  readonly #patience: ObjectStorePatience;
  /**
   * Addresses that are being written, so that two own writes do not collide on servers without conditional requests.
   */
  readonly #writing = new Map<string, Promise<unknown>>();
  readonly #clients = new Map<string, Promise<ObjectClient>>();

  constructor({ named, hold, certificateAuthorities = [], findProxy, patience }: ObjectStoreParts) {
    this.#named = named;
    this.#hold = hold;
    this.#certificateAuthorities = certificateAuthorities;
    this.#findProxy = findProxy ?? (async () => Promise.resolve(undefined));
    this.#patience = { ...usualPatience, ...dropUndefined(patience ?? {}) };
  }

  async expectConfigured(kind: ObjectStoreKind, address?: ObjectAddress): Promise<void> {
    const stores = await this.#ofKind(kind);
    if (address !== undefined) find(stores, address);
  }

  async defaultPlace(kind: ObjectStoreKind): Promise<ObjectPlace> {
    const [first] = await this.#ofKind(kind);
    if (first === undefined) throw new ServiceError('INTERNAL', 'There is no first store.');
    return { kind, bucket: first.bucket, prefix: first.prefix };
  }

  async read<Result>(
    address: ObjectAddress,
    consume: (object: StoredObject) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    return this.#with(
      address,
      'read',
      async ({ store, client }) => {
        const object = await client.open(address.key);
        return consume({ mediaType: object.mediaType, content: whole(object, store.id) });
      },
      signal,
    );
  }

  async expectFree(address: ObjectAddress): Promise<void> {
    await this.#with(address, 'look', async ({ store, client }) => {
      if (!store.overwrite && (await client.head(address.key)) !== undefined) throw objectExists();
    });
  }

  async holds(address: ObjectAddress, size: number, checksum: string): Promise<boolean> {
    return this.#with(address, 'look', async ({ store, client }) => {
      const head = await client.head(address.key);
      return head?.size === size && (await hashObject(await client.open(address.key), store.id)) === checksum;
    });
  }

  async write(address: ObjectAddress, file: ObjectFile): Promise<void> {
    const upload = { ...file, md5: await md5OfFile(file.path) };
    await this.#alone(objectUrl(address), async () => this.#writePatiently(address, upload));
  }

  /** Removes an object; a missing one is ignored. */
  async remove(address: ObjectAddress): Promise<void> {
    await this.#with(address, 'look', async ({ client }) => client.remove(address.key));
  }

  /** The objects whose key begins with the key of the address. */
  async list(address: ObjectAddress): Promise<readonly ListedObject[]> {
    return this.#with(address, 'look', async ({ client }) => client.list(address.key));
  }

  /** Ends the connections. */
  async close(): Promise<void> {
    const clients = await Promise.allSettled(this.#clients.values());
    this.#clients.clear();
    for (const client of clients) if (client.status === 'fulfilled') client.value.close();
  }

  /** Requests the start of a listing, to check address and credentials. */
  async test(id: string): Promise<void> {
    const store = await this.#named.open(id);
    try {
      await this.#use(store, 'look', async ({ client }) => client.probe(store.prefix));
    } catch (error) {
      throw error instanceof ServiceError ? unavailableBecause(id, error) : error;
    }
  }

  async #writePatiently(address: ObjectAddress, upload: Omit<ObjectUpload, 'overwrite'>): Promise<void> {
    const { attempts, retryDelay } = this.#patience;
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#writeOnce(address, upload);
        return;
      } catch (error) {
        // A server may report a failure after success; the present object may then come from the earlier attempt.
        const mayBeThere = error instanceof ServiceError && error.code !== 'STORE_REFUSED' && attempt > 1;
        if (mayBeThere && (await this.holds(address, upload.size, upload.checksum).catch(() => false))) return;
        const isLast = attempt >= attempts;
        if (isLast || !(error instanceof ServiceError) || error.code !== 'STORE_UNAVAILABLE') throw error;
      }
      await pause(retryDelay * 2 ** (attempt - 1));
    }
  }

  async #writeOnce(address: ObjectAddress, upload: Omit<ObjectUpload, 'overwrite'>): Promise<void> {
    const { key } = address;
    try {
      await this.#with(address, 'write', async ({ store: { overwrite }, client }) => {
        if (!overwrite && (await client.head(key)) !== undefined) throw objectExists();
        await client.put(key, { ...upload, overwrite });
      });
    } catch (error) {
      await this.#with(address, 'look', async ({ client }) => client.forgetParts()).catch(() => undefined);
      throw error;
    }
    await this.#expectWhole(address, upload);
  }

  /** Compares the stored object with the sent file, and removes a different object. */
  async #expectWhole(address: ObjectAddress, upload: Omit<ObjectUpload, 'overwrite'>): Promise<void> {
    const { key } = address;
    const isWhole = await this.#with(address, 'look', async ({ store, client }) => {
      const head = await client.head(key);
      if (head?.size !== upload.size) return false;
      return head.md5 === upload.md5 || (await hashObject(await client.open(key), store.id)) === upload.checksum;
    });
    if (isWhole) return;
    await this.#with(address, 'look', async ({ client }) => client.remove(key));
    const { id } = find(await this.#ofKind(address.kind), address);
    throw unavailable(id, new Error('The store does not have what it was sent.'));
  }

  async #with<Result>(
    address: ObjectAddress,
    action: FailedAction['action'],
    use: (opened: Opened) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const { id } = find(await this.#ofKind(address.kind), address);
    return this.#use(await this.#named.open(id), action, use, signal);
  }

  /** The owner configured this server, so it may be in a private network; other hosts there are not contacted. */
  async #use<Result>(
    store: OpenObjectStore,
    action: FailedAction['action'],
    use: (opened: Opened) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const { idleTimeout, totalTimeout } = this.#patience;
    const proxy = await this.#findProxy(new URL(store.endpoint ?? USUAL_ENDPOINTS[store.kind]));
    const limits = { allow: hostsOf(store), throughProxy: proxy !== undefined, idleTimeout, totalTimeout };
    const client = await this.#open(store, proxy);
    try {
      return await this.#hold({ ...limits, signal }, async () => use({ store, client }));
    } catch (error) {
      throw asStoreFailure(error, { store: store.id, action });
    }
  }

  /** Connections are reused as long as the settings of their store stay the same. */
  async #open(store: OpenObjectStore, proxy: URL | undefined): Promise<ObjectClient> {
    const name = createHash('sha256')
      .update(JSON.stringify([store, proxy?.href]))
      .digest('base64');
    const known = this.#clients.get(name);
    if (known !== undefined) return known;
    const attempts = this.#patience.requestAttempts[store.kind];
    const opening =
      store.kind === 's3'
        ? openS3(store, attempts, this.#certificateAuthorities, proxy)
        : openGcs(store, attempts, proxy);
    this.#clients.set(name, opening);
    // A failed opening is tried again.
    opening.catch(() => this.#clients.delete(name));
    return opening;
  }

  async #ofKind(kind: ObjectStoreKind): Promise<readonly ObjectStoreEntry[]> {
    const all = await this.#named.list();
    const found = all.filter((store) => store.kind === kind);
    if (found.length > 0) return found;
    const others = all.length === 0 ? 'none at all' : all.map(placeUrl).join(', ');
    const message = `No object store of kind ${kind === 's3' ? 'S3' : 'cloud storage'} is configured here: there is ${others}.`;
    throw new ServiceError('STORE_NOT_CONFIGURED', message);
  }

  async #alone<Result>(url: string, action: () => Promise<Result>): Promise<Result> {
    const before = this.#writing.get(url);
    const running = (before ?? Promise.resolve()).catch(() => undefined).then(action);
    this.#writing.set(url, running);
    try {
      return await running;
    } finally {
      if (this.#writing.get(url) === running) this.#writing.delete(url);
    }
  }
}

/** The store with the longest prefix of an address. */
function find(stores: readonly ObjectStoreEntry[], { bucket, key }: ObjectAddress): ObjectStoreEntry {
  const [found] = stores
    .filter((store) => store.bucket === bucket && key.startsWith(store.prefix))
    .sort((one, other) => other.prefix.length - one.prefix.length);
  if (found !== undefined) return found;
  const message = `This address lies in none of the object stores that are configured: ${stores.map(placeUrl).join(', ')}.`;
  throw new ServiceError('STORE_NOT_CONFIGURED', message);
}

/** The endpoint's host and port, in the notation of the list of allowed hosts; S3 puts the bucket before the name. */
function hostsOf({ endpoint, bucket, pathStyle }: OpenObjectStore): readonly string[] {
  if (endpoint === undefined) return [];
  const { hostname, port, protocol } = new URL(endpoint);
  const at = `:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`;
  return [`${hostname}${at}`, ...(pathStyle || hostname.startsWith('[') ? [] : [`${bucket}.${hostname}${at}`])];
}

/** Passes the bytes of an object on, and ends without an error only after all bytes. */
async function* whole({ size, content }: OpenObject, store: string): AsyncGenerator<Uint8Array> {
  let count = 0;
  try {
    for await (const chunk of content as AsyncIterable<Uint8Array>) {
      count += chunk.length;
      yield chunk;
    }
  } catch (error) {
    throw asStoreFailure(error, { store, action: 'read' });
  } finally {
    content.destroy();
  }
  if (count !== size) throw unavailable(store, new Error(`${count} of ${size} bytes came.`));
}

async function hashObject(object: OpenObject, store: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of whole(object, store)) hash.update(chunk);
  return hash.digest('hex');
}

/** Not for security: stores compare this digest. */
async function md5OfFile(path: string): Promise<string> {
  const hash = createHash('md5');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
