/** What web sites may do here: grants that the user gave, and questions that wait for the user. */

export const GRANT_SCOPES = ['user:read', 'user:write', 'certificates:read', 'sign', 'application:read'] as const;

export type GrantScope = (typeof GRANT_SCOPES)[number];

/** A site's permission. */
export interface SiteGrant {
  /** `https://portal.example`, exactly, with its port when it is not 443. */
  readonly origin: string;
  readonly scopes: readonly GrantScope[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly uses: number;
  /** `configuration`: named by the configuration of this instance; cannot be changed here. */
  readonly source: 'user' | 'configuration';
}

/** "N signatures for M minutes for this site and certificate", given at an approval. */
export interface StandingApproval {
  readonly origin: string;
  /** Lower-case hex SHA-256. */
  readonly certificateFingerprint: string;
  readonly signaturesLeft: number;
  readonly expiresAt: Date;
}

/** A site that waits to be let in. */
export interface ConsentQuestion {
  readonly id: string;
  readonly origin: string;
  readonly scopes: readonly GrantScope[];
  readonly askedAt: Date;
  readonly expiresAt: Date;
}

export interface Consent {
  /** Undefined: never decided, expired or revoked. Counts a use when `use` is true. */
  grantOf(origin: string, use: boolean): Promise<SiteGrant | undefined>;
  /**
   * Asks the user once for an origin, however many requests wait for the answer; resolves with the decision, with
   * `refused` after 120 seconds, when the user refused it a short while ago, or where nobody can be asked (headless).
   * A request that hangs up (`signal`) stops waiting; the question goes when nobody waits.
   */
  request(origin: string, scope: GrantScope, signal: AbortSignal): Promise<'granted' | 'refused'>;
  questions(): readonly ConsentQuestion[];
  /** `NOT_FOUND` when the question is no longer there. `days` null: until revoked. */
  answer(
    id: string,
    decision:
      | { readonly allow: true; readonly scopes: readonly GrantScope[]; readonly days: number | null }
      | { readonly allow: false },
  ): Promise<void>;
  grants(): Promise<readonly SiteGrant[]>;
  revoke(origin: string): Promise<void>;
  standingApprovals(): Promise<readonly StandingApproval[]>;
  allowSignatures(approval: StandingApproval): Promise<void>;
  /** Takes `count` signatures from a standing approval; false when there is none that covers them. */
  takeSignatures(origin: string, certificateFingerprint: string, count: number): Promise<boolean>;
  onChange(listener: () => void): () => void;
}
