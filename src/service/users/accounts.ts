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
  /** Names the unconfirmed enrolment; 128 random bits; ten minutes. */
  readonly enrolment: string;
  /** `otpauth://totp/…` with secret, issuer, period 30, 6 digits, SHA-1 (the parameters of common authenticators). */
  readonly otpauthUri: string;
  /** Base32, for typing. */
  readonly secret: string;
}

/** Where an attempt comes from, for its limit: a web origin, `program` or `window`. */
export type AttemptOrigin = string;

export interface Accounts {
  /** Checks name, username (check digits) and photo (PNG, JPEG or WebP data URI, at most 256 kB); `REQUEST_INVALID`. */
  begin(person: { readonly name: string; readonly username: string; readonly photo?: string }): Promise<EnrolmentOffer>;
  /** The first code confirms; the recovery codes are shown this once. `INVALID_CREDENTIALS`, `NOT_FOUND`. */
  confirm(
    enrolment: string,
    code: string,
  ): Promise<{ readonly account: Account; readonly recoveryCodes: readonly string[] }>;
  list(): Promise<readonly Account[]>;
  find(username: string): Promise<Account | undefined>;
  /** Name and photo; null removes the photo. */
  change(id: number, change: { readonly name?: string; readonly photo?: string | null }): Promise<Account>;
  /** Removes the account, its tokens and its sessions. `NOT_FOUND`. */
  remove(id: number): Promise<void>;
  /**
   * RFC 6238, one step of drift; each code is accepted once; a recovery code works once. Rejects with
   * `INVALID_CREDENTIALS` (also for unknown users, in the same time) and `TOO_MANY_ATTEMPTS` with `retryAfter`.
   */
  authenticate(username: string, code: string, origin: AttemptOrigin): Promise<Account>;
}
