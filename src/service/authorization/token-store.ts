import type { AccessGrant, CodeGrant } from './authorization.ts';

/** A token as it rests: its hash, never itself. */
export interface StoredToken extends AccessGrant {
  /** SHA-256 of the token. */
  readonly hash: Buffer;
  /** SHA-256 of the code that it was issued for. */
  readonly codeHash: Buffer | null;
  readonly createdAt: Date;
}

/** A code as it rests. */
export interface StoredCode extends CodeGrant {
  /** SHA-256 of the code. */
  readonly hash: Buffer;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
}

/** Where codes and tokens rest. Rejects with `ServiceError` `STORAGE_UNAVAILABLE` or `STORAGE_FULL`. */
export interface TokenStore {
  insertCode(code: StoredCode): Promise<void>;
  findCode(hash: Buffer): Promise<StoredCode | undefined>;
  /** True once. */
  spendCode(hash: Buffer, at: Date): Promise<boolean>;
  removeCode(hash: Buffer): Promise<void>;
  insertToken(token: StoredToken): Promise<void>;
  findToken(hash: Buffer): Promise<(AccessGrant & { readonly spentAt: Date | null }) | undefined>;
  /** Uses the one right to sign of a token: true once. */
  spendToken(id: string, at: Date): Promise<boolean>;
  removeTokens(
    of:
      | { readonly hash: Buffer }
      | { readonly codeHash: Buffer }
      | { readonly username: string }
      | { readonly clientId: string },
  ): Promise<void>;
  /** Removes what is over: tokens that ended before `now`, and codes that ended before `codesBefore`. */
  removeEnded(now: Date, codesBefore: Date): Promise<void>;
}
