import { createHash } from 'node:crypto';

/** Entries that a person or an application uses within minutes. */
export type ShortLivedKind =
  'pushed-request' | 'authorization-request' | 'authorization-answer' | 'enrolment' | 'person-search';

/** An entry with its expiry. */
export interface ShortLivedEntry {
  /** The hash of the entry's id (`keyOf`). The id itself is known only to the client that received it. */
  readonly key: string;
  /** The client id, the address or the user name whose limit counts the entry. */
  readonly owner: string;
  /** JSON text. */
  readonly content: string;
  readonly endsAt: Date;
}

/** Maximum number of entries of a kind, for all owners together and for one owner. */
export interface ShortLivedLimits {
  readonly most: number;
  /** Default: `most`. */
  readonly mostOfOwner?: number;
  /** `refuse` keeps the earlier entries; `drop-oldest` makes room. */
  readonly whenFull: 'refuse' | 'drop-oldest';
}

/**
 * Stores short-lived entries: in memory for a single instance, in the database for several nodes. An expired entry is
 * treated as missing. Rejects with `ServiceError` `STORAGE_UNAVAILABLE`.
 */
export interface ShortLivedStore {
  /** False: refused by the limits, or the key has an entry already. */
  add(kind: ShortLivedKind, entry: ShortLivedEntry, limits: ShortLivedLimits, now: Date): Promise<boolean>;
  find(kind: ShortLivedKind, key: string, now: Date): Promise<ShortLivedEntry | undefined>;
  /** The entry that ends first comes first. */
  list(kind: ShortLivedKind, now: Date): Promise<readonly ShortLivedEntry[]>;
  /**
   * Replaces the content by the answer of `decide`; simultaneous callers run one after the other. Null removes the
   * entry, undefined leaves it unchanged. False if there is no such entry, or if it was left unchanged.
   */
  change(
    kind: ShortLivedKind,
    key: string,
    now: Date,
    decide: (content: string) => string | null | undefined,
  ): Promise<boolean>;
  /** Removes and answers an entry; only one of several callers gets it. */
  take(kind: ShortLivedKind, key: string, now: Date): Promise<ShortLivedEntry | undefined>;
}

/** Hashes an id, so that a reader of the database cannot use the ids of others. */
export const keyOf = (id: string): string => createHash('sha256').update(id).digest('hex');
