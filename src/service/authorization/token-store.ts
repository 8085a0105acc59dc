import type { AccessGrant, CodeGrant } from './authorization.ts';

/** A stored token: its hash, never the token itself. */
export interface StoredToken extends AccessGrant {
  /** SHA-256 of the token. */
  readonly hash: Buffer;
  /** SHA-256 of the token's code. */
  readonly codeHash: Buffer | null;
  readonly createdAt: Date;
}

/** A stored code. */
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
  /** Uses a token's single right to sign: true once. */
  spendToken(id: string, at: Date): Promise<boolean>;
  removeTokens(
    of:
      | { readonly hash: Buffer }
      | { readonly codeHash: Buffer }
      | { readonly username: string }
      | { readonly clientId: string },
  ): Promise<void>;
  /** Removes tokens expired before `now`, and codes expired before `codesBefore`. */
  removeEnded(now: Date, codesBefore: Date): Promise<void>;
}
