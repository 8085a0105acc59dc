import type { Application, Applications } from '../../service/applications/index.ts';
import { type AuthorizationDetails, isRenewable, type Scope, SCOPES } from '../../service/authorization/index.ts';
import { askedHashes, needsChallenge } from './hash-permission.ts';
import { failureOf, innerOf, libraryRequest, OAuth2Server, OAuthRefusal, type Parameters } from './oauth-library.ts';

/** The default scope. */
const defaultScope: Scope = 'signature_session';

/** How a check of an authorization request ended. */
export type AuthorizationCheck =
  | { readonly kind: 'ok'; readonly details: AuthorizationDetails }
  /** The application gets the error at its own address. */
  | { readonly kind: 'redirect'; readonly redirectUri: string; readonly error: string; readonly description: string }
  /**
   * The client or its address cannot be trusted, so the person sees the error and is not redirected (RFC 6749
   * §4.1.2.1).
   */
  | { readonly kind: 'show'; readonly problem: RefusedRequest };

/** Reasons for showing an error to the person instead of redirecting to the application. */
export type RefusedRequest = 'client' | 'redirect-uri' | 'no-redirect-uri' | 'request-uri';

/** Characters of a CPF or CNPJ with punctuation. */
const longestHint = 20;

/** Seconds. Required by the library; the service sets the real lifetime of a code. */
const codeLifetime = 60;

/**
 * Checks an authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3) with the library, without issuing anything. `state`
 * is not checked: any text is allowed and returned unchanged.
 */
export async function checkAuthorization(
  applications: Pick<Applications, 'find'>,
  parameters: Parameters,
  wrong: readonly string[],
  /** Most hashes that a person can permit at once; 0: none. */
  mostHashes = 0,
): Promise<AuthorizationCheck> {
  const clientId = parameters.client_id ?? '';
  const application = wrong.includes('client_id') ? undefined : await applications.find(clientId);
  if (application === undefined) return { kind: 'show', problem: 'client' };
  const redirectUri = parameters.redirect_uri ?? application.redirectUris[0];
  if (redirectUri === undefined) return { kind: 'show', problem: 'no-redirect-uri' };
  if (wrong.includes('redirect_uri') || !isRegistered(application, redirectUri)) {
    return { kind: 'show', problem: 'redirect-uri' };
  }
  try {
    const details = await checkRest(application, redirectUri, parameters, { wrong, mostHashes });
    return { kind: 'ok', details };
  } catch (error) {
    const failure = failureOf(error);
    if (failure === undefined) throw innerOf(error);
    return { kind: 'redirect', redirectUri, error: failure.error, description: failure.description };
  }
}

/**
 * True for a registered address. On loopback the port does not count (RFC 8252 §7.3), because native programs listen on
 * a port that the system gives them.
 */
function isRegistered({ redirectUris }: Application, redirectUri: string): boolean {
  if (redirectUris.includes(redirectUri)) return true;
  const asked = withoutLoopbackPort(redirectUri);
  return asked !== undefined && redirectUris.some((registered) => withoutLoopbackPort(registered) === asked);
}

/** An http address on loopback without its port; undefined for every other address. */
function withoutLoopbackPort(address: string): string | undefined {
  const [, host, rest] =
    /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?((?:[/?].*)?)$/.exec(address) ?? [];
  return host === undefined || !URL.canParse(address) ? undefined : `${host}${rest}`;
}

async function checkRest(
  application: Application,
  redirectUri: string,
  parameters: Parameters,
  { wrong, mostHashes }: { readonly wrong: readonly string[]; readonly mostHashes: number },
): Promise<AuthorizationDetails> {
  if (wrong.length > 0) {
    throw new OAuthRefusal('invalid_request', `These parameters are repeated or too long: ${wrong.join(', ')}.`);
  }
  if (parameters.response_type !== 'code') {
    const given = parameters.response_type === undefined ? 'missing' : 'not supported';
    const error = parameters.response_type === undefined ? 'invalid_request' : 'unsupported_response_type';
    throw new OAuthRefusal(error, `response_type is ${given}: send response_type=code.`);
  }
  const lifetime = readLifetime(parameters.lifetime);
  const codeChallenge = readChallenge(application, parameters);
  const scopes = await libraryScopes(application, redirectUri, withScopeOfDetails(parameters));
  if (codeChallenge === undefined && needsChallenge(scopes)) {
    throw new OAuthRefusal('invalid_request', 'code_challenge is required with this scope (PKCE, S256).');
  }
  if (scopes.includes('offline_access') && !isRenewable(scopes)) {
    throw new OAuthRefusal('invalid_scope', 'offline_access does not go with single_signature or multi_signature.');
  }
  const { clientId, name } = application;
  const loginHint = parameters.login_hint?.slice(0, longestHint);
  return {
    application: { clientId, name },
    redirectUri,
    redirectUriGiven: parameters.redirect_uri !== undefined,
    state: parameters.state,
    scopes,
    codeChallenge,
    lifetime,
    hashes: askedHashes(scopes, parameters, mostHashes),
    loginHint,
  };
}

/** `authorization_details` ask for a credential without a scope (RFC 9396 §3.1). */
const withScopeOfDetails = (parameters: Parameters): Parameters =>
  parameters.authorization_details === undefined || parameters.scope !== undefined
    ? parameters
    : { ...parameters, scope: 'credential' };

/**
 * Reads a lifetime in seconds. RFC 6749 has no such parameter; a wrong value is reported like any other wrong
 * parameter.
 */
export function readLifetime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,12}$/.test(text) && Number(text) > 0) return Number(text);
  throw new OAuthRefusal('invalid_request', 'lifetime: give a whole number of seconds, 1 or more.');
}

/** The requested scopes, or the default scope; undefined for an unknown scope. */
export function knownScopes(names: readonly string[] | undefined): readonly Scope[] | undefined {
  const asked = names?.filter((name) => name !== '') ?? [];
  if (asked.length === 0) return [defaultScope];
  if (asked.every((name) => name === 'offline_access')) return [defaultScope, 'offline_access'];
  const known = SCOPES.filter((scope) => asked.includes(scope));
  return known.length === new Set(asked).size ? known : undefined;
}

function readChallenge({ isPublic }: Application, parameters: Parameters): string | undefined {
  const challenge = parameters.code_challenge;
  if (challenge === undefined) {
    if (!isPublic && parameters.code_challenge_method === undefined) return undefined;
    throw new OAuthRefusal('invalid_request', 'code_challenge is required: this application is public (PKCE, S256).');
  }
  if (/^[A-Za-z0-9_-]{43}$/.test(challenge)) return challenge;
  throw new OAuthRefusal('invalid_request', 'code_challenge: give the base64url of a SHA-256, 43 characters.');
}

/**
 * Runs the library's own authorize flow with a model that stores nothing. A refusal of the library is final. The address
 * was checked before: the library knows no address with another port.
 */
async function libraryScopes(
  { clientId }: Application,
  redirectUri: string,
  parameters: Parameters,
): Promise<readonly Scope[]> {
  const client = { id: clientId, grants: ['authorization_code'], redirectUris: [redirectUri] };
  const person = { username: '' };
  let scopes: readonly Scope[] = [];
  const model: OAuth2Server.AuthorizationCodeModel = {
    getClient: async () => Promise.resolve(client),
    validateScope: async (_user, _client, scope) => {
      const known = knownScopes(scope);
      scopes = known ?? [];
      return Promise.resolve(known === undefined ? false : [...known]);
    },
    saveAuthorizationCode: async (code) => Promise.resolve({ ...code, client, user: person }),
    getAuthorizationCode: async () => Promise.resolve(undefined),
    revokeAuthorizationCode: async () => Promise.resolve(false),
    getAccessToken: async () => Promise.resolve(undefined),
    saveToken: async () => Promise.resolve(undefined),
  };
  const withoutState = { ...parameters, redirect_uri: redirectUri, state: '' };
  const server = new OAuth2Server({ model, allowEmptyState: true, authorizationCodeLifetime: codeLifetime });
  await server.authorize(libraryRequest(withoutState), new OAuth2Server.Response({}), {
    authenticateHandler: { handle: () => person },
  });
  return scopes;
}
