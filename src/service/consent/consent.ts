/** Permissions of web sites: the user's grants, and questions waiting for the user. */
import type { FileGrant, FileGrantStore, NewFileGrant } from './file-grants.ts';

export const GRANT_SCOPES = ['user:read', 'user:write', 'certificates:read', 'sign', 'application:read'] as const;

export type GrantScope = (typeof GRANT_SCOPES)[number];

/** A site's permission. */
export interface SiteGrant {
  /** `https://portal.example`, exactly, with its port unless 443. */
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

/** A site waiting for a permission. */
export interface ConsentQuestion {
  readonly id: string;
  readonly origin: string;
  /** The proposal: the usual scopes for a site without a grant, else the missing scope. */
  readonly scopes: readonly GrantScope[];
  /** The present needs of the waiting requests. */
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
 * Days of a grant; null: until revoked. `once`: for the site's present action. Such a grant ends after five minutes
 * without a call, after an hour at the latest, and with the application; it is never stored, and the site's longer
 * grant stays unchanged.
 */
type GrantDays = number | null | 'once';

/** A permission by the user, or by the command line. */
export interface NewGrant {
  /** Normalised by `readOrigin`; `REQUEST_INVALID` for an unacceptable origin. */
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
   * Asks the user once for an origin, for any number of waiting requests. Answers `refused` without a question after a
   * recent refusal, after too many questions, or when the configuration decides about this origin. A request that hangs
   * up (`signal`) stops waiting; a question without waiting requests ends.
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
  /** Gives a grant in place of the origin's earlier grant. `REQUEST_INVALID` for configured origins. */
  allow(grant: NewGrant): Promise<SiteGrant>;
  /** With its standing approvals and its file grants. `NOT_FOUND`; `REQUEST_INVALID` for configured origins. */
  revoke(origin: string): Promise<void>;
  standingApprovals(): Promise<readonly StandingApproval[]>;
  allowSignatures(approval: StandingApproval): Promise<void>;
  /** From now on, the site's signatures with this certificate are asked again. An expired approval is no error. */
  endStandingApproval(origin: string, certificateFingerprint: string): Promise<void>;
  /** Takes `count` signatures from a standing approval; false without a sufficient approval. */
  takeSignatures(origin: string, certificateFingerprint: string, count: number): Promise<boolean>;
  /** Folders and stores that callers may name, by caller and root, without expired grants. */
  fileGrants(): readonly FileGrant[];
  /** Gives a grant in place of the caller's earlier grant of this root. `REQUEST_INVALID`. */
  allowFiles(grant: NewFileGrant): Promise<FileGrant>;
  /** `NOT_FOUND`; `REQUEST_INVALID` for grants of the configuration. */
  revokeFiles(caller: string, root: string): Promise<void>;
  /** Counts an accepted request that used a grant. */
  countFileUse(grant: Pick<FileGrant, 'caller' | 'root'>): Promise<void>;
  /** Called after changes of questions and grants, not after uses. */
  onChange(listener: () => void): () => void;
  /** Refuses waiting requests, and stores the counted uses. */
  close(): Promise<void>;
}

/** Uses of a grant since the last write. */
export interface GrantUses {
  readonly origin: string;
  readonly uses: number;
  readonly lastUsedAt: Date;
}

/** Where the user's decisions about sites rest. Rejects with `STORAGE_UNAVAILABLE` or `STORAGE_FULL`. */
export interface ConsentStore extends FileGrantStore {
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
