/** Permissions of web sites: the user's grants, and questions waiting for the user. */
import type { FileGrant, FileGrantStore, NewFileGrant } from './file-grants.ts';

/** `sign_raw` is added to `sign`: bare signatures, which can be anything. Nobody is asked for it. */
export const GRANT_SCOPES = [
  'user:read',
  'user:write',
  'certificates:read',
  'sign',
  'sign_raw',
  'application:read',
] as const;

export type GrantScope = (typeof GRANT_SCOPES)[number];

/** A site's permission. */
export interface SiteGrant {
  /** `https://portal.example`, exact, with its port unless that is 443. */
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
  /** The offered scopes: the usual ones and the wanted one for a site without a grant, else the missing one. */
  readonly scopes: readonly GrantScope[];
  /** The scopes that the waiting requests need. */
  readonly wanted: readonly GrantScope[];
  readonly askedAt: Date;
  readonly expiresAt: Date;
}

/**
 * How a site's request for a permission ended. `forgotten`: no answer in time. `nobody-to-ask`: no window is open.
 * `too-many`: more requests wait than are allowed.
 */
export type ConsentOutcome = 'granted' | 'refused' | 'forgotten' | 'nobody-to-ask' | 'too-many';

/**
 * Lifetime of a grant in days; null: until revoked. `once`: for the site's present action. Such a grant ends after five
 * minutes without a call, after an hour at the latest, and with the application. It is never stored, and a longer grant
 * of the site stays unchanged.
 */
type GrantDays = number | null | 'once';

/** A permission by the user, or by the command line. */
export interface NewGrant {
  /** Normalised by `readOrigin`; `REQUEST_INVALID` for an unacceptable origin. */
  readonly origin: string;
  readonly scopes: readonly GrantScope[];
  readonly days: GrantDays;
  /** The owner was warned that a plain http origin is no identity on a network. Its only scope is `sign`. */
  readonly insecure?: boolean;
}

export interface Consent {
  /**
   * Scopes of the origin's present grant; undefined if there is none, or if it has expired or was revoked. Does not
   * count as a use.
   */
  scopesOf(origin: string): readonly GrantScope[] | undefined;
  /** Undefined if there is no grant, or if it has expired or was revoked. Counts a use if `use` is true. */
  grantOf(origin: string, use: boolean): Promise<SiteGrant | undefined>;
  /**
   * Asks the user once for an origin, for any number of waiting requests. Answers `refused` without a question after a
   * recent refusal, after too many questions, or when the configuration decides about this origin. A request that hangs
   * up (`signal`) stops waiting; a question without waiting requests ends.
   */
  request(origin: string, scope: GrantScope, signal: AbortSignal): Promise<ConsentOutcome>;
  questions(): readonly ConsentQuestion[];
  /** `NOT_FOUND` if the question is no longer open. */
  answer(
    id: string,
    decision:
      | { readonly allow: true; readonly scopes: readonly GrantScope[]; readonly days: GrantDays }
      | { readonly allow: false },
  ): Promise<void>;
  grants(): Promise<readonly SiteGrant[]>;
  /**
   * Gives a grant, which replaces the origin's earlier one. `REQUEST_INVALID` for configured origins, and for a plain
   * http origin without `insecure` or with another scope than `sign`.
   */
  allow(grant: NewGrant): Promise<SiteGrant>;
  /**
   * Revokes a grant with its standing approvals and file grants. `NOT_FOUND`; `REQUEST_INVALID` for configured origins.
   */
  revoke(origin: string): Promise<void>;
  standingApprovals(): Promise<readonly StandingApproval[]>;
  /** `REQUEST_INVALID` for a plain http origin, whose transactions are each asked. */
  allowSignatures(approval: StandingApproval): Promise<void>;
  /** The site's signatures with this certificate need approval again. An expired approval is no error. */
  endStandingApproval(origin: string, certificateFingerprint: string): Promise<void>;
  /** Takes `count` signatures from a standing approval; false without a sufficient approval. */
  takeSignatures(origin: string, certificateFingerprint: string, count: number): Promise<boolean>;
  /** Folders and stores that callers may name, by caller and root, without expired grants. */
  fileGrants(): readonly FileGrant[];
  /** Gives a grant, which replaces the caller's earlier one for this root. `REQUEST_INVALID`. */
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

/** Uses of a grant that are not stored yet. */
export interface GrantUses {
  readonly origin: string;
  readonly uses: number;
  readonly lastUsedAt: Date;
}

/** Stores the user's decisions about sites. Rejects with `STORAGE_UNAVAILABLE` or `STORAGE_FULL`. */
export interface ConsentStore extends FileGrantStore {
  /** All grants by origin, including expired grants. Their source is `user`. */
  grants(): Promise<readonly SiteGrant[]>;
  /** Stores a grant, which replaces the origin's earlier one. */
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
  /** Subtracts `count` in one step or not at all; expired and used-up approvals are removed. */
  takeSignatures(origin: string, certificateFingerprint: string, count: number, now: Date): Promise<boolean>;
}
