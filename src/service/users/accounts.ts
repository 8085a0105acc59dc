/** The people enrolled on this computer, and their one-time passwords. */

/** An enrolled person or company. The TOTP secret never leaves the service. */
export interface Account {
  /** Positive integer; never used again. */
  readonly id: number;
  readonly name: string;
  /** CPF (11 digits) or CNPJ (14 characters, letters possible), without punctuation. */
  readonly username: string;
  /** Thumbnail as a data URI (RFC 2397), or null. */
  readonly photo: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Number of unused recovery codes. */
  readonly recoveryCodes: number;
}

/** The secrets of an enrolment, shown once, for typing or scanning into an authenticator. */
export interface EnrolmentOffer {
  /** Id of the unconfirmed enrolment; 128 random bits; valid for ten minutes. */
  readonly enrolment: string;
  /** `otpauth://totp/…` with secret, issuer, period 30, 6 digits, SHA-1 (the parameters of common authenticators). */
  readonly otpauthUri: string;
  /** Base32, for typing. */
  readonly secret: string;
}

/** The origin under which attempts are limited: a web origin, `program` or `window`. */
export type AttemptOrigin = string;

export interface Accounts {
  /** Checks name, username (check digits) and photo (PNG, JPEG or WebP data URI, at most 256 kB); `REQUEST_INVALID`. */
  begin(person: { readonly name: string; readonly username: string; readonly photo?: string }): Promise<EnrolmentOffer>;
  /**
   * Confirms an enrolment by its first code; only this answer contains the recovery codes. `INVALID_CREDENTIALS`,
   * `NOT_FOUND`.
   */
  confirm(
    enrolment: string,
    code: string,
  ): Promise<{ readonly account: Account; readonly recoveryCodes: readonly string[] }>;
  list(): Promise<readonly Account[]>;
  find(username: string): Promise<Account | undefined>;
  /** Changes name and photo; null removes the photo. */
  change(id: number, change: { readonly name?: string; readonly photo?: string | null }): Promise<Account>;
  /** Removes the account, its tokens and its sessions. `NOT_FOUND`. */
  remove(id: number): Promise<void>;
  /**
   * RFC 6238, one step of drift; each code is accepted once; a recovery code works once. Rejects with
   * `INVALID_CREDENTIALS` (also for unknown users, in the same time) and `TOO_MANY_ATTEMPTS` with `retryAfter`.
   */
  authenticate(username: string, code: string, origin: AttemptOrigin): Promise<Account>;
}

/** An account with its sealed TOTP secret. */
export interface StoredAccount extends Account {
  /** The TOTP secret, sealed for this username. */
  readonly sealedSecret: Buffer;
}

/** A confirmed account to be stored. */
export interface NewAccount {
  readonly name: string;
  readonly username: string;
  readonly photo: string | null;
  readonly sealedSecret: Buffer;
  /** The time step (RFC 6238 §4.2) of the confirming code, which is then used up. */
  readonly lastStep: number;
  /** SHA-256 of each recovery code. */
  readonly recoveryHashes: readonly Buffer[];
  readonly at: Date;
}

/** Stores accounts. Rejects with `ServiceError` `STORAGE_UNAVAILABLE` or `STORAGE_FULL`. */
export interface AccountStore {
  /** Undefined when the username is taken. */
  insert(account: NewAccount): Promise<Account | undefined>;
  /** By name, then id. */
  list(): Promise<readonly Account[]>;
  find(username: string): Promise<StoredAccount | undefined>;
  change(
    id: number,
    change: { readonly name?: string; readonly photo?: string | null },
    at: Date,
  ): Promise<Account | undefined>;
  /** Removes the account with its recovery codes; answers the removed account. */
  remove(id: number): Promise<Account | undefined>;
  /**
   * Uses up a time step: true once for each step, and never for a step just before a used one (two steps at most). A
   * step used while the clock was far ahead locks nobody out after the clock is corrected.
   */
  spendStep(id: number, step: number): Promise<boolean>;
  /** Uses up a recovery code by its SHA-256: true once. */
  spendRecoveryCode(id: number, hash: Buffer): Promise<boolean>;
}

/** The count under a key: failures since `since`, and the end of the pause. */
export interface AttemptRecord {
  readonly failures: number;
  readonly lastAt: Date;
  readonly blockedUntil: Date | null;
}

/** Stores failed attempts, so that a restart does not reset the counts. */
export interface AttemptStore {
  /**
   * Reads the records of all keys and writes the answers of `decide`, in a single transaction: simultaneous attempts
   * are counted in order. `undefined` removes a record.
   */
  update<Answer>(
    keys: readonly string[],
    decide: (records: readonly (AttemptRecord | undefined)[]) => {
      readonly records: readonly (AttemptRecord | undefined)[];
      readonly answer: Answer;
    },
  ): Promise<Answer>;
  /** Removes records with an older last failure. */
  forgetBefore(time: Date): Promise<void>;
  /** Records with a pause after `time`, the longest pause first; at most 100. */
  pausedAt(time: Date): Promise<readonly (AttemptRecord & { readonly key: string })[]>;
}
