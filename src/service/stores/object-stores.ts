import { ServiceError } from '../errors/index.ts';

/** The protocol of an object store: S3, or the JSON interface of Google Cloud Storage. */
export type ObjectStoreKind = 's3' | 'gcs';

/** An object's address. Buckets and keys are in the store's own notation, without percent-encoding. */
export interface ObjectAddress {
  readonly kind: ObjectStoreKind;
  readonly bucket: string;
  readonly key: string;
}

/** The place for objects with only a name. */
export interface ObjectPlace {
  readonly kind: ObjectStoreKind;
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
}

/** An object during reading. */
export interface StoredObject {
  readonly mediaType: string | undefined;
  /** Ends after exactly the store's number of bytes; throws for a truncated object. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** A file to store as an object. */
export interface ObjectFile {
  /** Absolute path; its content does not change meanwhile. */
  readonly path: string;
  readonly size: number;
  /** Lower-case hex SHA-256. */
  readonly checksum: string;
  readonly mediaType: string;
}

/**
 * The object stores configured by the owner; other stores are never read or written. Rejects with `ServiceError`:
 * `STORE_NOT_CONFIGURED` for an address outside of the stores, with a list of the stores; `STORE_UNAVAILABLE` for a
 * store that fails or answers too late; `STORE_REFUSED` for missing permission.
 */
export interface ObjectStores {
  /** Checks that a store of this kind is configured and, if an address is given, that a store covers it. */
  expectConfigured(kind: ObjectStoreKind, address?: ObjectAddress): Promise<void>;
  /** The place for results that have only a name: the first store of this kind. */
  defaultPlace(kind: ObjectStoreKind): Promise<ObjectPlace>;
  /**
   * Passes an object to `consume` as it is read. Errors of `consume` are passed on; rejects with `DOCUMENT_UNREADABLE`
   * for a missing object. `signal` aborts the request.
   */
  read<Result>(
    address: ObjectAddress,
    consume: (object: StoredObject) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result>;
  /** Rejects with `DESTINATION_EXISTS` if an object is there, unless its store permits overwriting. */
  expectFree(address: ObjectAddress): Promise<void>;
  /**
   * Writes a file and verifies the stored object, which is complete after resolving. After a failure the object is
   * removed again if the store can still be reached. `DESTINATION_EXISTS` as in `expectFree`.
   */
  write(address: ObjectAddress, file: ObjectFile): Promise<void>;
  /** True if the object exists with this SHA-256; the object is read completely. */
  holds(address: ObjectAddress, size: number, checksum: string): Promise<boolean>;
}

/** Object stores of an instance that has none. */
export const noObjectStores: ObjectStores = {
  expectConfigured: async () => refuse(),
  defaultPlace: async () => refuse(),
  read: async () => refuse(),
  expectFree: async () => refuse(),
  write: async () => refuse(),
  holds: async () => Promise.resolve(false),
};

function refuse(): Promise<never> {
  const message = 'No object store is configured here: send the documents by upload, data URL or path.';
  return Promise.reject(new ServiceError('STORE_NOT_CONFIGURED', message));
}
