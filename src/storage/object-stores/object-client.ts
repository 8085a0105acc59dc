import type { Readable } from 'node:stream';

/** Runs what a library does on the network under limits; the network layer's `holdExchanges` is one. */
export type HoldExchanges = <Result>(
  limits: {
    readonly allow: readonly string[];
    /** The way to the store leads through a proxy. */
    readonly throughProxy: boolean;
    readonly idleTimeout: number;
    readonly totalTimeout: number;
    readonly signal?: AbortSignal;
  },
  action: () => Promise<Result>,
) => Promise<Result>;

/** What a store tells of an object. */
export interface ObjectHead {
  readonly size: number;
  /** Lower-case hex MD5 of the content, where the store tells one that is nothing else. */
  readonly md5: string | undefined;
}

/** An object that is being read. */
export interface OpenObject {
  readonly size: number;
  readonly mediaType: string | undefined;
  readonly content: Readable;
}

/** A file that becomes an object, measured. */
export interface ObjectUpload {
  readonly path: string;
  readonly size: number;
  /** Lower-case hex SHA-256; kept with the object. */
  readonly checksum: string;
  /** Lower-case hex MD5, which the store compares. */
  readonly md5: string;
  readonly mediaType: string;
  /** Whether an object that is there may be replaced; otherwise the store refuses, where it knows how. */
  readonly overwrite: boolean;
}

/** One bucket, as its SDK reaches it. Rejects with the SDK's errors. */
export interface ObjectClient {
  /** Undefined when there is no such object. */
  head(key: string): Promise<ObjectHead | undefined>;
  open(key: string): Promise<OpenObject>;
  put(key: string, upload: ObjectUpload): Promise<void>;
  /** Removes parts that an upload which failed has left; what is not there is ignored. */
  forgetParts(): Promise<void>;
  remove(key: string): Promise<void>;
  /** Sees whether the bucket is there and may be looked into. */
  probe(prefix: string): Promise<void>;
  close(): void;
}
