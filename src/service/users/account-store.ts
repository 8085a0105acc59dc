import type { Account } from './accounts.ts';

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
  /** The time step (RFC 6238 §4.2) of the confirming code, which is spent. */
  readonly lastStep: number;
  /** SHA-256 of each recovery code. */
  readonly recoveryHashes: readonly Buffer[];
  readonly at: Date;
}

/** Where accounts rest. Rejects with `ServiceError` `STORAGE_UNAVAILABLE` or `STORAGE_FULL`. */
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
   * Spends a time step: true once for each step, and never for a step just before a spent step (two steps at most). A
   * step spent while the clock was far ahead locks nobody out after the clock is corrected.
   */
  spendStep(id: number, step: number): Promise<boolean>;
  /** Spends a recovery code by its SHA-256: true once. */
  spendRecoveryCode(id: number, hash: Buffer): Promise<boolean>;
}

/** The count under a key: failures since `since`, and the end of the pause. */
export interface AttemptRecord {
  readonly failures: number;
  readonly lastAt: Date;
  readonly blockedUntil: Date | null;
}

/** The store of failed attempts: a restart forgives nothing. */
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
}
