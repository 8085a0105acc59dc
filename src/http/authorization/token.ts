import type { Request, RequestHandler, Response } from 'express';
import { ServiceError } from '../../service/errors/index.ts';
import { SCOPES, type AccessGrant } from '../../service/authorization/index.ts';
import { attemptOriginOf, baseUrlOf, siteOf } from '../guard-request.ts';
import { problemOf } from '../problems/send-error.ts';
import {
  readBasicClient,
  failureOf,
  innerOf,
  libraryRequest,
  OAuth2Server,
  OAuthRefusal,
  type Parameters,
  readOAuthBody,
  readParameters,
} from './oauth-library.ts';
import { accessTokenOf } from './credentials.ts';
import { readLifetime } from './check-authorization.ts';
import {
  asRefusal,
  helperClientId,
  TokenModel,
  grantsOfPages,
  type TokenOutcome,
  type TokenServices,
} from './token-model.ts';

/** Endpoint 9: `POST /oauth` (RFC 6749 §4.1.3, §4.3.2, §4.4.2) as JSON or form. */
export function issueToken(
  services: TokenServices,
  now: () => Date,
  onFault: (error: unknown) => void,
): RequestHandler {
  return async (request, response) => {
    try {
      const parameters = withBasicClient(request, await readOAuthBody(request));
      const site = siteOf(response);
      if (site !== undefined) expectGrantOfPage(parameters);
      const model = new TokenModel(services, {
        parameters,
        lifetime: readLifetime(parameters.lifetime),
        attemptOrigin: attemptOriginOf(response),
        site,
      });
      await runLibrary(model, request, parameters);
      if (model.outcome === undefined) throw new Error('The library ended without a token.');
      response.set('Pragma', 'no-cache').json(tokenBody(model.outcome, now()));
    } catch (error) {
      sendOAuthError(error, request, response, onFault);
    }
  };
}

/** A page exchanges codes and renews tokens; secrets and passwords that a page sends are not even tried. */
function expectGrantOfPage({ grant_type: grant }: Parameters): void {
  if (grant === undefined || grantsOfPages.has(grant)) return;
  throw new OAuthRefusal('unauthorized_client', 'A web page exchanges codes and renews tokens, and nothing else.');
}

/** `POST /oauth/revoke` (RFC 7009): 200 also for unknown tokens. The application authenticates itself. */
export function revokeToken(services: TokenServices, onFault: (error: unknown) => void): RequestHandler {
  return async (request, response) => {
    try {
      const parameters = withBasicClient(request, await readOAuthBody(request));
      const { token } = parameters;
      if (token === undefined) throw new OAuthRefusal('invalid_request', 'Missing parameter: token.');
      const bearer = accessTokenOf(request.get('Authorization') ?? '');
      await authenticateOwner(services, parameters, { origin: attemptOriginOf(response), bearer }, token);
      await services.authorization.revoke(token);
      response.status(200).end();
    } catch (error) {
      sendOAuthError(error, request, response, onFault);
    }
  };
}

/**
 * `POST /oauth/introspect` (RFC 7662): describes an application's own tokens. Every other token, and a token that is
 * unknown, expired or revoked, is `{"active": false}`.
 */
export function introspectToken(services: TokenServices, onFault: (error: unknown) => void): RequestHandler {
  return async (request, response) => {
    try {
      const parameters = withBasicClient(request, await readOAuthBody(request));
      const { token, client_id: clientId, client_secret: clientSecret } = parameters;
      if (clientId === undefined || clientSecret === undefined) {
        throw new OAuthRefusal('invalid_client', 'Send client id and client secret of the application.');
      }
      const application = await services.applications
        .authenticate(clientId, clientSecret, attemptOriginOf(response))
        .catch((error: unknown) => {
          throw asRefusal(error);
        });
      if (application === undefined) throw new OAuthRefusal('invalid_client', 'Client id or secret is wrong.');
      if (token === undefined) throw new OAuthRefusal('invalid_request', 'Missing parameter: token.');
      const grant = await services.authorization.readToken(token);
      const isOwn = grant?.clientId === application.clientId;
      response.set('Pragma', 'no-cache').json(isOwn ? introspectionBody(grant, baseUrlOf(request)) : { active: false });
    } catch (error) {
      sendOAuthError(error, request, response, onFault);
    }
  };
}

function introspectionBody(
  { scopes, clientId, username, expiresAt }: AccessGrant,
  iss: string,
): Record<string, unknown> {
  return {
    active: true,
    scope: scopes.join(' '),
    client_id: clientId,
    token_type: 'bearer',
    iss,
    exp: Math.floor(expiresAt.getTime() / 1000),
    ...(username === null ? {} : { username, sub: username }),
  };
}

/** `GET /.well-known/oauth-authorization-server` (RFC 8414): the endpoints and the values that they accept. */
export const describeServer: RequestHandler = (request, response) => {
  const issuer = baseUrlOf(request);
  const clientAuthentication = ['client_secret_basic', 'client_secret_post'];
  response.json({
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    pushed_authorization_request_endpoint: `${issuer}/oauth/par`,
    require_pushed_authorization_requests: false,
    introspection_endpoint: `${issuer}/oauth/introspect`,
    service_documentation: `${issuer}/docs`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'password', 'client_credentials'],
    scopes_supported: SCOPES,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: [...clientAuthentication, 'none'],
    revocation_endpoint_auth_methods_supported: [...clientAuthentication, 'none'],
    introspection_endpoint_auth_methods_supported: clientAuthentication,
    authorization_response_iss_parameter_supported: true,
    ui_locales_supported: ['pt-BR', 'en'],
  });
};

/** Grants whose secret the library requires; public applications send a code verifier instead. */
const requireClientAuthentication = {
  authorization_code: true,
  client_credentials: true,
  password: false,
  // The model finds an application without a secret only when the application is public.
  refresh_token: false,
};

async function runLibrary(model: TokenModel, request: Request, parameters: Parameters): Promise<void> {
  const { client_id: clientId, grant_type: grantType } = parameters;
  if (clientId === helperClientId) throw new OAuthRefusal('invalid_client', 'The application is not known.');
  // Credentials of another scheme must not be ignored: the token would not belong to the application that sent them.
  const isHelper = grantType === 'password' && clientId === undefined && request.get('Authorization') === undefined;
  const server = new OAuth2Server({ model, requireClientAuthentication });
  await server.token(
    libraryRequest(isHelper ? { ...parameters, client_id: helperClientId } : parameters),
    new OAuth2Server.Response({}),
  );
}

/** The answer to the client; `authorization` is the value for the header `Authorization`. */
function tokenBody({ issued, person, username, slot }: TokenOutcome, now: Date): Record<string, unknown> {
  const { accessToken, expiresAt, scopes, refresh } = issued;
  return {
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: secondsUntil(expiresAt, now),
    scope: scopes.join(' '),
    authorization: `Bearer ${accessToken}`,
    // The members of DOC-ICP-17.01.
    ...(username === undefined ? {} : identificationOf(username)),
    slot_alias: slot,
    refresh_token: refresh?.token,
    refresh_token_expires_in: refresh === undefined ? undefined : secondsUntil(refresh.expiresAt, now),
    user: person === undefined ? undefined : { name: person.name, username: person.username, photo: person.photo },
  };
}

/** The person in the words of DOC-ICP-17.01; a CNPJ has 14 characters. */
const identificationOf = (username: string): Record<string, string> => ({
  authorized_identification_type: username.length === 14 ? 'CNPJ' : 'CPF',
  authorized_identification: username,
});

const secondsUntil = (end: Date, now: Date): number => Math.max(0, Math.round((end.getTime() - now.getTime()) / 1000));

/** The place of a revocation, and the token in its header. */
interface Revoker {
  readonly origin: string;
  readonly bearer: string | undefined;
}

/**
 * Only the owner of a token may revoke the token (RFC 7009 §2.1). For a token without an application, knowing the token
 * is proof enough.
 */
async function authenticateOwner(
  { applications, authorization }: TokenServices,
  { client_id: clientId, client_secret: clientSecret }: Parameters,
  { origin, bearer }: Revoker,
  token: string,
): Promise<void> {
  const known =
    clientId === undefined || clientSecret === undefined
      ? undefined
      : await applications.authenticate(clientId, clientSecret, origin).catch((error: unknown) => {
          throw asRefusal(error);
        });
  if (clientSecret !== undefined && known === undefined) {
    throw new OAuthRefusal('invalid_client', 'Client id or secret is wrong.');
  }
  const grant = (await authorization.readToken(token)) ?? (await authorization.readRefreshToken(token));
  if (grant?.clientId == null || known?.clientId === grant.clientId) return;
  // Programs for certificate clouds send the token itself, or the token of the application.
  const proof = bearer === undefined ? undefined : await authorization.readToken(bearer);
  if (proof?.clientId === grant.clientId && (bearer === token || proof.username === null)) return;
  const owner = await applications.find(grant.clientId);
  if (owner?.isPublic === true && clientId === owner.clientId) return;
  throw new OAuthRefusal('invalid_client', 'The application that was given this token has to prove itself.');
}

/** Adds the client's id and secret when the client sent them in the header instead (RFC 6749 §2.3.1). */
export function withBasicClient(request: Request, parameters: Parameters): Parameters {
  const client = readBasicClient(request.get('Authorization'));
  if (client === undefined) return parameters;
  return readParameters({ ...parameters, client_id: client.name, client_secret: client.secret }).parameters;
}

/** RFC 6749 §5.2. Internal faults become `server_error`, with their usual status. */
export function sendOAuthError(
  error: unknown,
  request: Request,
  response: Response,
  onFault: (error: unknown) => void,
): void {
  const failure = failureOf(error);
  if (failure === undefined) {
    const cause = innerOf(error);
    const { kind, detail, headers } = problemOf(cause);
    if (!(cause instanceof ServiceError)) onFault(cause);
    response.set(headers).status(kind.status).json({ error: 'server_error', error_description: detail });
    return;
  }
  response.set('Pragma', 'no-cache').set(failure.headers);
  if (failure.status === 401 && request.get('Authorization') !== undefined) {
    response.set('WWW-Authenticate', 'Basic realm="Sinete"');
  }
  response.status(failure.status).json({ error: failure.error, error_description: failure.description });
}
