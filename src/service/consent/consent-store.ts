import type { SiteGrant, StandingApproval } from './consent.ts';

/** Uses of a grant since the last write. */
export interface GrantUses {
  readonly origin: string;
  readonly uses: number;
  readonly lastUsedAt: Date;
}

/** Where the user's decisions about sites rest. Rejects with `STORAGE_UNAVAILABLE` or `STORAGE_FULL`. */
export interface ConsentStore {
  /** All grants by origin, including expired grants. Their source is `user`. */
  grants(): Promise<readonly SiteGrant[]>;
  /** Stores a grant in place of the origin's earlier grant. */
  save(grant: SiteGrant): Promise<void>;
  /** Removes the grant and the standing approvals of an origin. */
  remove(origin: string): Promise<void>;
  /** Adds to the counts of existing grants. */
  addUses(uses: readonly GrantUses[]): Promise<void>;
  standingApprovals(now: Date): Promise<readonly StandingApproval[]>;
  /** Replaces the earlier approval of the same origin and certificate. */
  saveStandingApproval(approval: StandingApproval): Promise<void>;
  /** A missing approval is no error. */
  removeStandingApproval(origin: string, certificateFingerprint: string): Promise<void>;
  /** Takes `count` at once or not at all; expired and used approvals are removed. */
  takeSignatures(origin: string, certificateFingerprint: string, count: number, now: Date): Promise<boolean>;
}
