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
  /** Given on the authorize page, which names the application and what it may do: the scope is itself the approval. */
  readonly consented: boolean;
  readonly expiresAt: Date;
}

export interface IssuedToken {
  /** 256 random bits, URL-safe; stored hashed. */
  readonly accessToken: string;
  readonly expiresAt: Date;
  readonly scopes: readonly Scope[];
}

/** What an authorization code stands for (RFC 6749 §4.1.2). */
export interface CodeGrant {
  readonly clientId: string;
  readonly username: string;
  readonly redirectUri: string;
  /** The authorization request named it, so the token request has to name it too. */
  readonly redirectUriGiven: boolean;
  readonly scopes: readonly Scope[];
  /** RFC 7636, S256. */
  readonly codeChallenge: string | undefined;
  /** Seconds, as asked for; clamped. Undefined: the default. */
  readonly lifetime: number | undefined;
}

/** What a token is issued for. */
export interface TokenRequest {
  readonly username: string | null;
  readonly clientId: string | null;
  readonly scopes: readonly Scope[];
  readonly lifetime: number | undefined;
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
  /** A code that lives 60 seconds and works once. */
  issueCode(grant: CodeGrant): Promise<string>;
  /** Undefined: unknown or over. A code that was spent before is undefined as well, and its tokens end. */
  findCode(code: string): Promise<(CodeGrant & { readonly expiresAt: Date }) | undefined>;
  /** True once: whoever spends a code may have its token. */
  spendCode(code: string): Promise<boolean>;
  /** The token of a spent code. */
  issueForCode(code: string, grant: CodeGrant): Promise<IssuedToken>;
  /** A token by client credentials, or by a person's one-time password. */
  issueToken(request: TokenRequest): Promise<IssuedToken>;
  /** A person's own session: `lifetime` seconds, clamped. */
  issueSession(username: string, lifetime: number | undefined): Promise<IssuedToken>;
  /** RFC 7009: unknown tokens are no error. */
  revoke(accessToken: string): Promise<void>;
  /** All tokens of a person, or of an application. */
  revokeAll(of: { readonly username: string } | { readonly clientId: string }): Promise<void>;
}
