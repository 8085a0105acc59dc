import type { Application, Applications } from '../../service/applications/index.ts';
import {
  hashPermissionOf,
  type Authorization,
  type CodeGrant,
  type IssuedToken,
  type RefreshGrant,
  type Scope,
} from '../../service/authorization/index.ts';
import type { HashCalls } from '../../service/hash-calls/index.ts';
import { ServiceError } from '../../service/errors/index.ts';
import type { Account, Accounts } from '../../service/users/index.ts';
import { knownScopes } from './check-authorization.ts';
import type { OAuth2Server } from './oauth-library.ts';
import { OAuthRefusal, type Parameters } from './oauth-library.ts';

/** Services of the token endpoint. */
export interface TokenServices {
  readonly accounts: Pick<Accounts, 'authenticate'>;
  readonly applications: Pick<Applications, 'find' | 'authenticate'>;
  readonly authorization: Authorization;
  /** Hashes that applications sign with tokens, and the people whom they may find. */
  readonly hashCalls: Pick<HashCalls, 'most' | 'noteAuthorized' | 'personOfSlot'>;
}

/** A token request. */
export interface TokenRequestContext {
  readonly parameters: Parameters;
  /** Requested lifetime in seconds. */
  readonly lifetime: number | undefined;
  /** The origin whose failed one-time passwords are counted together. */
  readonly attemptOrigin: string;
  /** The origin of the calling page. A page may only exchange its own code and renew its own tokens. */
  readonly site: string | undefined;
}

/** The grants of a web page. */
export const grantsOfPages: ReadonlySet<string> = new Set(['authorization_code', 'refresh_token']);

/** The issued token, for the answer. */
export interface TokenOutcome {
  readonly issued: IssuedToken;
  /** The person, proven by a one-time password. */
  readonly person: Pick<Account, 'name' | 'username' | 'photo'> | undefined;
  /** The CPF or CNPJ of the token's person; undefined: a token of the application itself. */
  readonly username: string | undefined;
  /** Names the person to the application in later requests; undefined without an application. */
  readonly slot: string | undefined;
}

/**
 * The id under which the helper requests a person's token before its own registration. No application can have this id.
 */
export const helperClientId = ':helper';

type Model = OAuth2Server.AuthorizationCodeModel &
  OAuth2Server.PasswordModel &
  OAuth2Server.ClientCredentialsModel &
  OAuth2Server.RefreshTokenModel;

/** The library's model for a single request; `outcome` holds the issued token afterwards. */
export class TokenModel implements Model {
  outcome: TokenOutcome | undefined;
  readonly #services: TokenServices;
  readonly #context: TokenRequestContext;
  #code: { readonly code: string; readonly grant: CodeGrant } | undefined;
  #refresh: { readonly token: string; readonly grant: RefreshGrant } | undefined;
  #person: TokenOutcome['person'];

  constructor(services: TokenServices, context: TokenRequestContext) {
    this.#services = services;
    this.#context = context;
  }

  /** A confidential application needs its secret, even when it also sends a code verifier. */
  async getClient(clientId: string, clientSecret: string | null | undefined): Promise<OAuth2Server.Client | undefined> {
    const { applications } = this.#services;
    if (clientId === helperClientId) return { id: clientId, grants: this.#allowed(['password']) };
    if (clientSecret != null) {
      const application = await applications
        .authenticate(clientId, clientSecret, this.#context.attemptOrigin)
        .catch((error: unknown) => {
          throw asRefusal(error);
        });
      return (
        application &&
        this.#client(application, ['authorization_code', 'refresh_token', 'password', 'client_credentials'])
      );
    }
    const application = await applications.find(clientId);
    return application?.isPublic === true
      ? this.#client(application, ['authorization_code', 'refresh_token'])
      : undefined;
  }

  /** The library compares client, address, time and challenge; the service keeps person and scopes. */
  async getAuthorizationCode(code: string): Promise<OAuth2Server.AuthorizationCode | undefined> {
    const found = await this.#services.authorization.findCode(code);
    if (found === undefined) return undefined;
    this.#code = { code, grant: found };
    return {
      authorizationCode: code,
      expiresAt: found.expiresAt,
      redirectUri: this.#expectedRedirect(found),
      client: { id: found.clientId, grants: [] },
      user: {},
      codeChallenge: found.codeChallenge ?? '',
      codeChallengeMethod: 'S256',
    };
  }

  async revokeAuthorizationCode({ authorizationCode }: OAuth2Server.AuthorizationCode): Promise<boolean> {
    return this.#services.authorization.spendCode(authorizationCode);
  }

  /** The library compares the client and the scopes. */
  async getRefreshToken(refreshToken: string): Promise<OAuth2Server.RefreshToken | undefined> {
    const found = await this.#services.authorization.readRefreshToken(refreshToken);
    if (found === undefined) return undefined;
    await this.#expectOwnSite(found.clientId);
    this.#refresh = { token: refreshToken, grant: found };
    return {
      refreshToken,
      refreshTokenExpiresAt: found.expiresAt,
      scope: [...found.scopes],
      client: { id: found.clientId, grants: [] },
      user: { username: found.username },
    };
  }

  async revokeToken({ refreshToken }: OAuth2Server.RefreshToken): Promise<boolean> {
    return this.#services.authorization.spendRefreshToken(refreshToken);
  }

  /** Some clients put the slot of user-discovery into `username`. */
  async getUser(username: string, password: string, client?: OAuth2Server.Client): Promise<OAuth2Server.User> {
    try {
      const named = client === undefined ? undefined : await this.#services.hashCalls.personOfSlot(client.id, username);
      this.#person = await this.#services.accounts.authenticate(
        named ?? username,
        password,
        this.#context.attemptOrigin,
      );
      return { username: this.#person.username };
    } catch (error) {
      throw asRefusal(error);
    }
  }

  /** Client credentials stand for the application alone, so no user is found. */
  async getUserFromClient(): Promise<OAuth2Server.User> {
    return Promise.resolve({});
  }

  async validateScope(
    _user: OAuth2Server.User,
    _client: OAuth2Server.Client,
    scope?: string[],
  ): Promise<string[] | false> {
    const known = knownScopes(scope);
    return Promise.resolve(known === undefined ? false : [...known]);
  }

  /** Replaces the library's own token: the service makes the token and stores only its hash. */
  async saveToken(
    token: OAuth2Server.Token,
    client: OAuth2Server.Client,
    user: OAuth2Server.User,
  ): Promise<OAuth2Server.Token> {
    const issued = await this.#issue(token, client, user);
    const username = this.#code?.grant.username ?? this.#refresh?.grant.username ?? this.#person?.username;
    // A token that only renews an authorization tells of no new one.
    const isNew = username !== undefined && client.id !== helperClientId && this.#refresh === undefined;
    const slot = isNew ? await this.#services.hashCalls.noteAuthorized(client.id, username) : undefined;
    this.outcome = { issued, person: this.#person, username, slot };
    return { accessToken: issued.accessToken, client, user };
  }

  async getAccessToken(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async saveAuthorizationCode(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async #issue(token: OAuth2Server.Token, client: OAuth2Server.Client, user: OAuth2Server.User): Promise<IssuedToken> {
    const { authorization } = this.#services;
    if (this.#code !== undefined) {
      return authorization.issueForCode(this.#code.code, this.#code.grant).catch((error: unknown) => {
        throw asRefusal(error);
      });
    }
    if (this.#refresh !== undefined) {
      const grant = { ...this.#refresh.grant, scopes: (token.scope ?? []) as readonly Scope[] };
      return authorization.issueForRefresh(this.#refresh.token, grant).catch((error: unknown) => {
        throw asRefusal(error);
      });
    }
    const isHelper = client.id === helperClientId;
    // Only a consent on the authorize page can be renewed.
    const scopes = ((token.scope ?? []) as readonly Scope[]).filter((scope) => scope !== 'offline_access');
    return authorization.issueToken({
      username: typeof user.username === 'string' ? user.username : null,
      clientId: isHelper ? null : client.id,
      scopes,
      hashes:
        isHelper || this.#person === undefined ? undefined : hashPermissionOf(scopes, this.#services.hashCalls.most),
      lifetime: this.#context.lifetime,
    });
  }

  /**
   * The redirect address that the token request must repeat (RFC 6749 §4.1.3): mandatory when the authorization request
   * had one; otherwise optional, but it must match.
   */
  #expectedRedirect({ redirectUri, redirectUriGiven }: CodeGrant): string {
    const named = this.#context.parameters.redirect_uri;
    if (named === undefined && !redirectUriGiven) return '';
    if (named === redirectUri) return redirectUri;
    throw new OAuthRefusal('invalid_grant', 'redirect_uri is not the one of the authorization request.');
  }

  /** A page may only renew tokens of its own application; `expectTokenOfSite` checks their use in the same way. */
  async #expectOwnSite(clientId: string): Promise<void> {
    const { site } = this.#context;
    if (site === undefined) return;
    const application = await this.#services.applications.find(clientId);
    const origins = (application?.redirectUris ?? []).map((uri) => URL.parse(uri)?.origin);
    if (origins.includes(site)) return;
    throw new OAuthRefusal('invalid_grant', 'This token belongs to an application of another origin.');
  }

  #client({ clientId }: Application, grants: readonly string[]): OAuth2Server.Client {
    return { id: clientId, grants: this.#allowed(grants) };
  }

  #allowed(grants: readonly string[]): string[] {
    return grants.filter((grant) => this.#context.site === undefined || grantsOfPages.has(grant));
  }
}

/** Translates refusals of the service into the errors of RFC 6749 §5.2. */
export function asRefusal(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  if (error.code === 'INVALID_CREDENTIALS') return new OAuthRefusal('invalid_grant', error.message);
  if (error.code !== 'TOO_MANY_ATTEMPTS') return error;
  const headers = { 'Retry-After': String(error.retryAfter ?? 60) };
  return new OAuthRefusal('temporarily_unavailable', error.message, { status: 429, headers });
}
