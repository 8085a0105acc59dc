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
  /** What is proposed: for a site without a grant what sites usually need, else the one scope that is missing. */
  readonly scopes: readonly GrantScope[];
  /** What the requests that wait need now. */
  readonly wanted: readonly GrantScope[];
  readonly askedAt: Date;
  readonly expiresAt: Date;
}

/**
 * How a site's request to be let in ended: `forgotten` when the question was not answered in time, `nobody-to-ask`
 * where no window is open, `too-many` when more requests wait than are held.
 */
export type ConsentOutcome = 'granted' | 'refused' | 'forgotten' | 'nobody-to-ask' | 'too-many';

/**
 * For how many days a site is let in; null: until revoked. `once`: for what it is doing now, which ends when it has not
 * called for five minutes, after an hour at the latest, and with the application; it is never written down, and what
 * the site was granted for longer stays as it is.
 */
type GrantDays = number | null | 'once';

/** What the user, or the command line, lets a site do. */
export interface NewGrant {
  /** Normalised by `readOrigin`; `REQUEST_INVALID` when it is no origin that can be let in. */
  readonly origin: string;
  readonly scopes: readonly GrantScope[];
  readonly days: GrantDays;
}

export interface Consent {
  /** Scopes of the origin's grant as of now; undefined: never decided, expired or revoked. Counts nothing. */
  scopesOf(origin: string): readonly GrantScope[] | undefined;
  /** Undefined: never decided, expired or revoked. Counts a use when `use` is true. */
  grantOf(origin: string, use: boolean): Promise<SiteGrant | undefined>;
  /**
   * Asks the user once for an origin, however many requests wait for the answer. Answers `refused` without asking when
   * the user refused a short while ago, was asked too often, or the configuration settles what this origin may do.
   * A request that hangs up (`signal`) stops waiting; the question goes when nobody waits.
   */
  request(origin: string, scope: GrantScope, signal: AbortSignal): Promise<ConsentOutcome>;
  questions(): readonly ConsentQuestion[];
  /** `NOT_FOUND` when the question is no longer there. */
  answer(
    id: string,
    decision:
      | { readonly allow: true; readonly scopes: readonly GrantScope[]; readonly days: GrantDays }
      | { readonly allow: false },
  ): Promise<void>;
  grants(): Promise<readonly SiteGrant[]>;
  /** Gives a grant, or puts it in the place of the origin's earlier one. `REQUEST_INVALID` for configured origins. */
  allow(grant: NewGrant): Promise<SiteGrant>;
  /** With its standing approvals. `NOT_FOUND`; `REQUEST_INVALID` for configured origins. */
  revoke(origin: string): Promise<void>;
  standingApprovals(): Promise<readonly StandingApproval[]>;
  allowSignatures(approval: StandingApproval): Promise<void>;
  /** From now on, the site's signatures with this certificate are asked again. One that is over is no error. */
  endStandingApproval(origin: string, certificateFingerprint: string): Promise<void>;
  /** Takes `count` signatures from a standing approval; false when there is none that covers them. */
  takeSignatures(origin: string, certificateFingerprint: string, count: number): Promise<boolean>;
  /** Tells of questions and grants that came, changed or went, not of uses. */
  onChange(listener: () => void): () => void;
  /** Refuses what waits, and writes down the uses that were counted. */
  close(): Promise<void>;
}
