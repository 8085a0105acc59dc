/** Access tokens: who let which application do what, and for how long. */

export const SCOPES = [
  'single_signature',
  'multi_signature',
  'signature_session',
  'authentication_session',
  'certificate_info',
] as const;

export type Scope = (typeof SCOPES)[number];

/** What a token stands for. */
export interface AccessGrant {
  /** Stable name of the token inside this instance; not the token. */
  readonly id: string;
  /** CPF or CNPJ of the person; null for a token by client credentials. */
  readonly username: string | null;
  /** Null for a person's own session (Basic with `X-Session-Options`). */
  readonly clientId: string | null;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date;
}

export interface IssuedToken {
  /** 256 random bits, URL-safe; stored hashed. */
  readonly accessToken: string;
  readonly expiresAt: Date;
  readonly scopes: readonly Scope[];
}

/** What the token endpoint, the authorize page and endpoint 1 need. OAuth2's own messages are translated in `http`. */
export interface Authorization {
  /** Undefined: unknown, expired or revoked. */
  readToken(accessToken: string): Promise<AccessGrant | undefined>;
  /**
   * Takes the right to sign from a grant: `single_signature` allows one document in one transaction, `multi_signature`
   * one transaction; afterwards the token is spent for signing. `SCOPE_NOT_ALLOWED` (403) says what is missing.
   */
  useForSigning(grant: AccessGrant, documents: number): Promise<void>;
  /** A person's own session: `lifetime` seconds, clamped. */
  issueSession(username: string, lifetime: number | undefined): Promise<IssuedToken>;
  /** RFC 7009: unknown tokens are no error. */
  revoke(accessToken: string): Promise<void>;
  /** All tokens of a person, or of an application. */
  revokeAll(of: { readonly username: string } | { readonly clientId: string }): Promise<void>;
}
