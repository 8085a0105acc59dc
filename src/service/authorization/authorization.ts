/** Access tokens: permissions of applications by people, with a lifetime. */

export const SCOPES = [
  'single_signature',
  'multi_signature',
  'signature_session',
  'authentication_session',
  'certificate_info',
  // The Cloud Signature Consortium's: to use its interface, and to sign hashes by it.
  'service',
  'credential',
  // OpenID Connect Core §11: the permission may be renewed as long as it lasts.
  'offline_access',
] as const;

export type Scope = (typeof SCOPES)[number];

/** The hashes that a person let a token sign, although nobody here can show what they stand for. */
export interface HashPermission {
  /** Most hashes in all calls together. */
  readonly most: number;
  /** SHA-256 of the only certificate; absent: any certificate of the person. */
  readonly certificate?: string;
  /** The only hashes, each `sha256:<lower-case hex>`; absent: any. */
  readonly values?: readonly string[];
}

/** A call that signs hashes by a token. */
export interface HashCallClaim {
  /** The same for a repeated call: a digest of everything that the call asks. */
  readonly call: string;
  /** The hashes, each `sha256:<lower-case hex>`. */
  readonly hashes: readonly string[];
  /** SHA-256 of the certificate that signs. */
  readonly certificate: string;
}

/** The meaning of a token. */
export interface AccessGrant {
  /** Stable id of the token inside this instance, different from the token itself. */
  readonly id: string;
  /** CPF or CNPJ of the person; null for a token by client credentials. */
  readonly username: string | null;
  /** Null for a person's own session (Basic with `X-Session-Options`). */
  readonly clientId: string | null;
  readonly scopes: readonly Scope[];
  /**
   * True if the person consented on the authorize page, with the application and its permissions in view: this scope is
   * the approval.
   */
  readonly consented: boolean;
  /** Until this time the token approves, because its person has just given a one-time password; null: never. */
  readonly approvesUntil: Date | null;
  /** Absent: the token signs no hashes through the interfaces of other protocols. */
  readonly hashes?: HashPermission;
  readonly expiresAt: Date;
}

export interface IssuedToken {
  /** 256 random bits, URL-safe; stored hashed. */
  readonly accessToken: string;
  readonly expiresAt: Date;
  readonly scopes: readonly Scope[];
  /** Renews the token once; absent: the permission cannot be renewed. */
  readonly refresh?: { readonly token: string; readonly expiresAt: Date };
}

/** The meaning of a refresh token (RFC 6749 §1.5). */
export interface RefreshGrant {
  readonly clientId: string;
  readonly username: string;
  /** Scopes of the whole permission; a request may ask for fewer. */
  readonly scopes: readonly Scope[];
  /** The end of the permission, as shown to its person. */
  readonly expiresAt: Date;
}

/** The meaning of an authorization code (RFC 6749 §4.1.2). */
export interface CodeGrant {
  readonly clientId: string;
  readonly username: string;
  readonly redirectUri: string;
  /** The authorization request named the redirect address, so the token request has to name the same address. */
  readonly redirectUriGiven: boolean;
  readonly scopes: readonly Scope[];
  /** RFC 7636, S256. */
  readonly codeChallenge: string | undefined;
  /** Requested lifetime in seconds, limited; undefined: the default. */
  readonly lifetime: number | undefined;
  /** The hashes that the page named. */
  readonly hashes?: HashPermission;
}

/** A request for a token. */
export interface TokenRequest {
  readonly username: string | null;
  readonly clientId: string | null;
  readonly scopes: readonly Scope[];
  readonly lifetime: number | undefined;
  readonly hashes?: HashPermission;
  /** True if the person has just allowed this request in the window. Default: false. */
  readonly consented?: boolean;
}

/** Functions for the token endpoint, the authorize page and endpoint 1. `http` translates OAuth2's own messages. */
export interface Authorization {
  /** Undefined: unknown, expired or revoked. */
  readToken(accessToken: string): Promise<AccessGrant | undefined>;
  /**
   * Uses up a grant's right to sign: `single_signature` permits a single document in a single transaction,
   * `multi_signature` a single transaction. Afterwards the token cannot sign any more. `SCOPE_NOT_ALLOWED` (403) names
   * the missing permission.
   */
  useForSigning(grant: AccessGrant, documents: number): Promise<void>;
  /**
   * Uses up a grant's right to sign these hashes. A repeated call is no further use, also when the token is spent.
   * `SCOPE_NOT_ALLOWED` (403): the token permits no hashes, or not these; `REQUEST_INVALID`: more hashes than permitted;
   * `INVALID_CREDENTIALS` (401): the token was spent by another call.
   */
  useForHashes(grant: AccessGrant, claim: HashCallClaim): Promise<void>;
  /** Issues a code that is valid for 60 seconds and a single use. */
  issueCode(grant: CodeGrant): Promise<string>;
  /** Undefined if unknown or expired. A used code is undefined as well, and revokes its tokens. */
  findCode(code: string): Promise<(CodeGrant & { readonly expiresAt: Date }) | undefined>;
  /** Marks a code as used: true for the first caller only, which may get the token. */
  spendCode(code: string): Promise<boolean>;
  /** Issues the token of a used code. */
  issueForCode(code: string, grant: CodeGrant): Promise<IssuedToken>;
  /** A token by client credentials, or by a person's one-time password. */
  issueToken(request: TokenRequest): Promise<IssuedToken>;
  /** A person's own session: `lifetime` seconds, clamped. */
  issueSession(username: string, lifetime: number | undefined): Promise<IssuedToken>;
  /**
   * Undefined if unknown or expired. A refresh token that was used before is undefined as well, and revokes all tokens
   * of its permission (RFC 9700 §4.14.2).
   */
  readRefreshToken(refreshToken: string): Promise<RefreshGrant | undefined>;
  /** Marks a refresh token as used: true for the first caller only, which may get the next tokens. */
  spendRefreshToken(refreshToken: string): Promise<boolean>;
  /**
   * Issues the next tokens after a used refresh token; `INVALID_CREDENTIALS` if the permission was ended in the
   * meantime.
   */
  issueForRefresh(
    refreshToken: string,
    /** The grant of the refresh token, with the scopes of the new access token. */
    grant: Omit<RefreshGrant, 'expiresAt'>,
  ): Promise<IssuedToken>;
  /** RFC 7009: unknown tokens are no error. A refresh token ends with all tokens of its permission. */
  revoke(token: string): Promise<void>;
  /** All tokens of a person, or of an application. */
  revokeAll(of: { readonly username: string } | { readonly clientId: string }): Promise<void>;
}

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

/** A stored refresh token. It is kept until its end, so that a second use is noticed. */
export interface StoredRefreshToken extends RefreshGrant {
  /** SHA-256 of the token. */
  readonly hash: Buffer;
  /** SHA-256 of the permission's code: shared by all its tokens. */
  readonly codeHash: Buffer;
  readonly createdAt: Date;
  readonly usedAt: Date | null;
}

/** A use of a token's permission for hashes. */
export interface HashUse {
  readonly tokenId: string;
  readonly call: string;
  /** Number of hashes of the call, and the most of all calls together. */
  readonly hashes: number;
  readonly most: number;
  /** The token signs in a single call only. */
  readonly isOneCall: boolean;
  readonly at: Date;
  readonly expiresAt: Date;
}

/** Stores codes and tokens. Rejects with `ServiceError` `STORAGE_UNAVAILABLE` or `STORAGE_FULL`. */
export interface TokenStore {
  insertCode(code: StoredCode): Promise<void>;
  findCode(hash: Buffer): Promise<StoredCode | undefined>;
  /** True for the first call only. */
  spendCode(hash: Buffer, at: Date): Promise<boolean>;
  removeCode(hash: Buffer): Promise<void>;
  insertToken(token: StoredToken): Promise<void>;
  findToken(hash: Buffer): Promise<(AccessGrant & { readonly spentAt: Date | null }) | undefined>;
  /** Uses up a token's single right to sign: true for the first call only. */
  spendToken(id: string, at: Date): Promise<boolean>;
  /**
   * Records a call that signs hashes, unless its token has no right left: `repeated`: recorded before; `spent`: removed,
   * used for its single call, or without a hash left; `exceeded`: too few hashes are left. One call after the other.
   */
  claimHashes(use: HashUse): Promise<'claimed' | 'repeated' | 'spent' | 'exceeded'>;
  insertRefreshToken(token: StoredRefreshToken): Promise<void>;
  findRefreshToken(hash: Buffer): Promise<StoredRefreshToken | undefined>;
  /** True for the first call only. */
  spendRefreshToken(hash: Buffer, at: Date): Promise<boolean>;
  /** Removes access tokens, and the refresh tokens of a code, a person or an application. */
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
