/** Octets. */
export interface Space {
  readonly total: number;
  readonly free: number;
}

/** Octets for which room is asked. */
export interface RoomNeeded {
  readonly octets: number;
  /** How often they are on the disk at once: 2 where the result holds the document. Default: 1. */
  readonly copies?: number;
  /** They go with the request, and do not count against the quota. */
  readonly isPassing?: boolean;
}

/** What documents have and will have in the data folder, in octets. */
export interface DocumentOctets {
  /** Of what is kept there. */
  readonly kept: number;
  /** Of results that are still to be made, and for which room is held. */
  readonly awaited: number;
}

/** Room that was given to one request. */
export interface RoomTaken {
  /** So many octets came. Where more came than was asked for, asks again: rejects with `STORAGE_FULL`. */
  readonly came: (octets: number) => Promise<void>;
  /** What came is in its place or removed; what did not come is free again. May be called more than once. */
  readonly leave: () => void;
}

/**
 * `enough`; `scarce`: documents are taken, and the owner is warned; `none`: no further document is taken, while
 * everything that is here goes on.
 */
export type RoomState = 'enough' | 'scarce' | 'none';

/** What there is room for; amounts are octets. */
export interface RoomView {
  readonly state: RoomState;
  /** Why it is so; undefined while there is enough. */
  readonly cause: 'disk' | 'quota' | undefined;
  /** Free on the disk of the data folder; undefined where the system does not tell. */
  readonly free: number | undefined;
  /** That stay free, whoever asks. */
  readonly leastFree: number;
  /** Of documents that are kept here. */
  readonly kept: number;
  /** That results need which are still to be made; of what is free. */
  readonly awaited: number;
  /** Undefined: no quota is set. */
  readonly quota: number | undefined;
}

/** Whether documents still fit here. Asked before content is accepted, so that the disk is never found full. */
export interface Room {
  /** Rejects with `STORAGE_FULL`, which says when to come back. */
  take(needed: RoomNeeded): Promise<RoomTaken>;
  view(): Promise<RoomView>;
}

const none: DocumentOctets = { kept: 0, awaited: 0 };

/** Takes whatever comes, until the disk itself says no. */
export const boundlessRoom: Room = {
  take: () => Promise.resolve({ came: () => Promise.resolve(), leave: () => undefined }),
  view: () =>
    Promise.resolve({ state: 'enough', cause: undefined, free: undefined, leastFree: 0, ...none, quota: undefined }),
};
