import type { Readable } from 'node:stream';

/** Runs a library's network actions under limits, like the network layer's `holdExchanges`. */
export type HoldExchanges = <Result>(
  limits: {
    readonly allow: readonly string[];
    /** True if a proxy is used for the store. */
    readonly throughProxy: boolean;
    readonly idleTimeout: number;
    readonly totalTimeout: number;
    readonly signal?: AbortSignal;
  },
  action: () => Promise<Result>,
) => Promise<Result>;

/** A store's facts about an object. */
export interface ObjectHead {
  readonly size: number;
  /** Lower-case hex MD5 of the content, if the store reports a plain MD5. */
  readonly md5: string | undefined;
}

/** An object in a listing. */
export interface ListedObject {
  readonly key: string;
  /** When the object was written, by the clock of the store. */
  readonly modified: Date;
}

/** An object during reading. */
export interface OpenObject {
  readonly size: number;
  readonly mediaType: string | undefined;
  readonly content: Readable;
}

/** A measured file to be stored as an object. */
export interface ObjectUpload {
  readonly path: string;
  readonly size: number;
  /** Lower-case hex SHA-256; kept with the object. */
  readonly checksum: string;
  /** Lower-case hex MD5, compared by the store. */
  readonly md5: string;
  readonly mediaType: string;
  /** True if an existing object may be replaced; otherwise the store refuses, if it supports conditions. */
  readonly overwrite: boolean;
}

/** A bucket through its SDK. Rejects with the SDK's errors. */
export interface ObjectClient {
  /** Undefined when there is no such object. */
  head(key: string): Promise<ObjectHead | undefined>;
  open(key: string): Promise<OpenObject>;
  put(key: string, upload: ObjectUpload): Promise<void>;
  /** Removes the parts of a failed upload; missing parts are ignored. */
  forgetParts(): Promise<void>;
  remove(key: string): Promise<void>;
  /** The objects whose key begins with the prefix. */
  list(prefix: string): Promise<readonly ListedObject[]>;
  /** Checks whether the bucket exists and may be listed. */
  probe(prefix: string): Promise<void>;
  close(): void;
}
