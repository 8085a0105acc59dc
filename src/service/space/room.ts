/** Bytes. */
export interface Space {
  readonly total: number;
  readonly free: number;
}

/** A request for disk space, in bytes. */
export interface RoomNeeded {
  readonly bytes: number;
  /** Number of simultaneous copies: 2 when the result includes the document. Default: 1. */
  readonly copies?: number;
  /** The bytes are removed with the request, and do not count against the quota. */
  readonly isPassing?: boolean;
  /** Who sends the bytes: the requests of one caller reserve at most a part of the free disk ahead of their bytes. */
  readonly caller?: string;
}

/** Present and future bytes of documents in the data folder. */
export interface DocumentBytes {
  /** Bytes of stored documents. */
  readonly kept: number;
  /** Reserved bytes of results yet to be made. */
  readonly awaited: number;
}

/** Bytes that running requests have reserved and not written yet. */
export interface Reserved {
  readonly onDisk: number;
  /** Bytes that will count against the quota. */
  readonly kept: number;
}

/** A reservation of disk space for a request. */
export interface RoomTaken {
  /** Reports received bytes. If more arrive than were reserved, reserves again; rejects with `STORAGE_FULL`. */
  readonly came: (bytes: number) => Promise<void>;
  /**
   * Ends the reservation: received bytes are in place or removed; the rest is free again. May be called more than once.
   */
  readonly leave: () => void;
}

/**
 * `enough`; `scarce`: documents are accepted, and the owner is warned; `none`: no further document is accepted, while
 * everything else goes on.
 */
export type RoomState = 'enough' | 'scarce' | 'none';

/** The present disk space; amounts are bytes. */
export interface RoomView {
  readonly state: RoomState;
  /** The cause of a shortage; undefined with enough space. */
  readonly cause: 'disk' | 'quota' | undefined;
  /** Free bytes on the disk of the data folder; undefined if the system does not report them. */
  readonly free: number | undefined;
  /** Bytes that always stay free. */
  readonly leastFree: number;
  /** Bytes of stored documents. */
  readonly kept: number;
  /** Free bytes reserved for results yet to be made. */
  readonly awaited: number;
  /** Undefined: no quota is set. */
  readonly quota: number | undefined;
}

/** Checks disk space before content is accepted, so that a write never meets a full disk. */
export interface Room {
  /** Reserves space. Rejects with `STORAGE_FULL` and a time for a retry. */
  take(needed: RoomNeeded): Promise<RoomTaken>;
  view(): Promise<RoomView>;
}

const none: DocumentBytes = { kept: 0, awaited: 0 };

/** Accepts everything until the disk itself is full. */
export const boundlessRoom: Room = {
  take: () => Promise.resolve({ came: () => Promise.resolve(), leave: () => undefined }),
  view: () =>
    Promise.resolve({ state: 'enough', cause: undefined, free: undefined, leastFree: 0, ...none, quota: undefined }),
};

/** `2 GiB`, `10 MiB`, `512 bytes`: a limit in the words of the refusal. */
export function describeSize(bytes: number): string {
  const units = ['GiB', 'MiB', 'KiB'] as const;
  for (const [index, unit] of units.entries()) {
    const size = 1024 ** (units.length - index);
    if (bytes >= size) return `${Math.round((bytes / size) * 10) / 10} ${unit}`;
  }
  return `${bytes} bytes`;
}
