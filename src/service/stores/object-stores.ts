/** What an object store speaks: S3, or the JSON interface of Google Cloud Storage. */
export type ObjectStoreKind = 's3' | 'gcs';

/** An object by its name. Buckets and keys are as the store knows them, nothing is percent-encoded. */
export interface ObjectAddress {
  readonly kind: ObjectStoreKind;
  readonly bucket: string;
  readonly key: string;
}

/** Where objects go that have a name only. */
export interface ObjectPlace {
  readonly kind: ObjectStoreKind;
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
}

/** An object as it is read. */
export interface StoredObject {
  readonly mediaType: string | undefined;
  /** Ends after exactly the octets that the store has; throws where they do not all come. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** A file that becomes an object. */
export interface ObjectFile {
  /** Absolute path; its content does not change meanwhile. */
  readonly path: string;
  readonly size: number;
  /** Lower-case hex SHA-256. */
  readonly checksum: string;
  readonly mediaType: string;
}

/**
 * The object stores that the owner of this instance has named: nothing else is read or written. Rejects with
 * `ServiceError`: `STORE_NOT_CONFIGURED` for an address outside of them, which names those that there are;
 * `STORE_UNAVAILABLE` when a store does not answer well in time; `STORE_REFUSED` when it does not let us.
 */
export interface ObjectStores {
  /** Whether any store of this kind is named, and an address, where it is given, lies in one. */
  expectConfigured(kind: ObjectStoreKind, address?: ObjectAddress): Promise<void>;
  /** Where results go by their names: the first store of this kind. */
  defaultPlace(kind: ObjectStoreKind): Promise<ObjectPlace>;
  /**
   * Gives an object to `consume` while it is read. Errors of `consume` pass; rejects with `DOCUMENT_UNREADABLE` when
   * there is no such object. `signal` ends the exchange.
   */
  read<Result>(
    address: ObjectAddress,
    consume: (object: StoredObject) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result>;
  /** Rejects with `DESTINATION_EXISTS` when something is there, unless its store may be written over. */
  expectFree(address: ObjectAddress): Promise<void>;
  /**
   * Writes a file and looks at what the store has then: when it resolves, the object is whole. Otherwise nothing of it
   * is left, as far as the store can still be asked. `DESTINATION_EXISTS` as in `expectFree`.
   */
  write(address: ObjectAddress, file: ObjectFile): Promise<void>;
  /** Whether an object with this SHA-256 is there; it is read to its end. */
  holds(address: ObjectAddress, size: number, checksum: string): Promise<boolean>;
}
