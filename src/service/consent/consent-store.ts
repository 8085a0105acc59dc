import type { SiteGrant, StandingApproval } from './consent.ts';

/** How often a grant was used since it was last written down. */
export interface GrantUses {
  readonly origin: string;
  readonly uses: number;
  readonly lastUsedAt: Date;
}

/** Where the user's decisions about sites rest. Rejects with `STORAGE_UNAVAILABLE` or `STORAGE_FULL`. */
export interface ConsentStore {
  /** All, expired ones too, by origin. Their source is `user`. */
  grants(): Promise<readonly SiteGrant[]>;
  /** Keeps a grant in the place of the origin's earlier one. */
  save(grant: SiteGrant): Promise<void>;
  /** Removes the grant and the standing approvals of an origin. */
  remove(origin: string): Promise<void>;
  /** Adds to the counts of grants that are still there. */
  addUses(uses: readonly GrantUses[]): Promise<void>;
  standingApprovals(now: Date): Promise<readonly StandingApproval[]>;
  /** In the place of the earlier one for the same origin and certificate. */
  saveStandingApproval(approval: StandingApproval): Promise<void>;
  /** One that is not there is no error. */
  removeStandingApproval(origin: string, certificateFingerprint: string): Promise<void>;
  /** Takes `count` at once or not at all; what is over or used up is removed. */
  takeSignatures(origin: string, certificateFingerprint: string, count: number, now: Date): Promise<boolean>;
}
