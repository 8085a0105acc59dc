import { createHash } from 'node:crypto';

/** Entries that a person or an application comes back for within minutes. */
export type ShortLivedKind = 'pushed-request' | 'authorization-request' | 'enrolment';

/** An entry until its end. */
export interface ShortLivedEntry {
  /** `keyOf` the id that its holder has. */
  readonly key: string;
  /** The client id or the user name whose limit counts the entry. */
  readonly owner: string;
  /** JSON text. */
  readonly content: string;
  readonly endsAt: Date;
}

/** The most entries of a kind: of all owners, and of one. */
export interface ShortLivedLimits {
  readonly most: number;
  /** Default: `most`. */
  readonly mostOfOwner?: number;
  /** `refuse` keeps the earlier entries; `drop-oldest` makes room. */
  readonly whenFull: 'refuse' | 'drop-oldest';
}

/**
 * Where such entries rest: in memory for a single instance, in the database for several nodes. An entry that has ended
 * is not there. Rejects with `ServiceError` `STORAGE_UNAVAILABLE`.
 */
export interface ShortLivedStore {
  /** False: refused by the limits. */
  add(kind: ShortLivedKind, entry: ShortLivedEntry, limits: ShortLivedLimits, now: Date): Promise<boolean>;
  find(kind: ShortLivedKind, key: string, now: Date): Promise<ShortLivedEntry | undefined>;
  /** The entry that ends first comes first. */
  list(kind: ShortLivedKind, now: Date): Promise<readonly ShortLivedEntry[]>;
  /**
   * Replaces the content by the answer of `decide`, of one caller after the other; null removes the entry, undefined
   * leaves it. False: no such entry, or left.
   */
  change(
    kind: ShortLivedKind,
    key: string,
    now: Date,
    decide: (content: string) => string | null | undefined,
  ): Promise<boolean>;
  /** Removes an entry, for one caller only. */
  take(kind: ShortLivedKind, key: string, now: Date): Promise<ShortLivedEntry | undefined>;
}

/** The key of an id, so that a reader of the database cannot use the ids of others. */
export const keyOf = (id: string): string => createHash('sha256').update(id).digest('hex');
