import type { Account } from './accounts.ts';

/** An account with what proves who uses it. */
export interface StoredAccount extends Account {
  /** The TOTP secret, sealed for this username. */
  readonly sealedSecret: Buffer;
}

/** An account that was confirmed and is to be kept. */
export interface NewAccount {
  readonly name: string;
  readonly username: string;
  readonly photo: string | null;
  readonly sealedSecret: Buffer;
  /** The time step (RFC 6238 §4.2) whose code confirmed it: that code is spent. */
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
  /** With its recovery codes; the one that was removed. */
  remove(id: number): Promise<Account | undefined>;
  /**
   * Spends a time step: true once for each step, and never for one just before another that was spent (two steps at
   * most). One that was spent while the clock was far ahead locks nobody out when it is put right.
   */
  spendStep(id: number, step: number): Promise<boolean>;
  /** Spends a recovery code by its SHA-256: true once. */
  spendRecoveryCode(id: number, hash: Buffer): Promise<boolean>;
}

/** What is counted under one key: failures since `since`, and until when no attempt is made. */
export interface AttemptRecord {
  readonly failures: number;
  readonly lastAt: Date;
  readonly blockedUntil: Date | null;
}

/** Where failed attempts are counted, so that a restart forgives nothing. */
export interface AttemptStore {
  /**
   * Reads the records of all keys and writes those that `decide` answers, in one transaction: attempts that come at
   * once are counted one after the other. `undefined` removes a record.
   */
  update<Answer>(
    keys: readonly string[],
    decide: (records: readonly (AttemptRecord | undefined)[]) => {
      readonly records: readonly (AttemptRecord | undefined)[];
      readonly answer: Answer;
    },
  ): Promise<Answer>;
  /** Removes the records whose last failure is older. */
  forgetBefore(time: Date): Promise<void>;
}
