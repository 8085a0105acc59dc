import type { Request, RequestHandler, Response } from 'express';
import { ServiceError } from '../../service/errors/index.ts';
import { attemptOriginOf, siteOf } from '../guard-request.ts';
import { problemOf } from '../send-error.ts';
import { readLifetime } from './check-authorization.ts';
import { failureOf, innerOf, libraryRequest, OAuth2Server, OAuthRefusal, type Parameters } from './oauth-library.ts';
import { readOAuthBody } from './read-parameters.ts';
import { asRefusal, helperClientId, TokenModel, type TokenOutcome, type TokenServices } from './token-model.ts';

/** Endpoint 9: `POST /oauth` (RFC 6749 §4.1.3, §4.3.2, §4.4.2) as JSON or form. */
export function issueToken(
  services: TokenServices,
  now: () => Date,
  onFault: (error: unknown) => void,
): RequestHandler {
  return async (request, response) => {
    try {
      const parameters = await readOAuthBody(request, response);
      const model = new TokenModel(services, {
        parameters,
        lifetime: readLifetime(parameters.lifetime),
        attemptOrigin: attemptOriginOf(response),
        isSite: siteOf(response) !== undefined,
      });
      await runLibrary(model, request, parameters);
      if (model.outcome === undefined) throw new Error('The library ended without a token.');
      response.set('Pragma', 'no-cache').json(tokenBody(model.outcome, now()));
    } catch (error) {
      sendOAuthError(error, request, response, onFault);
    }
  };
}

/** `POST /oauth/revoke` (RFC 7009): 200 also for unknown tokens. The application authenticates itself. */
export function revokeToken(services: TokenServices, onFault: (error: unknown) => void): RequestHandler {
  return async (request, response) => {
    try {
      const parameters = await readOAuthBody(request, response);
      const { token } = parameters;
      if (token === undefined) throw new OAuthRefusal('invalid_request', 'Missing parameter: token.');
      await authenticateOwner(services, request, parameters, token);
      await services.authorization.revoke(token);
      response.status(200).end();
    } catch (error) {
      sendOAuthError(error, request, response, onFault);
    }
  };
}

/** Grants with a mandatory secret in the library; public applications have a code verifier instead. */
const requireClientAuthentication = { authorization_code: true, client_credentials: true, password: false };

async function runLibrary(model: TokenModel, request: Request, parameters: Parameters): Promise<void> {
  const { authorization } = request.headers;
  const isHelper =
    parameters.grant_type === 'password' && parameters.client_id === undefined && authorization === undefined;
  const body = isHelper ? { ...parameters, client_id: helperClientId } : parameters;
  if (!isHelper && parameters.client_id === helperClientId) {
    throw new OAuthRefusal('invalid_client', 'The application is not known.');
  }
  const server = new OAuth2Server({ model, requireClientAuthentication });
  await server.token(
    libraryRequest(body, authorization === undefined ? {} : { authorization }),
    new OAuth2Server.Response({}),
  );
}

/** The client's answer; `authorization` is the value for the header `Authorization`. */
function tokenBody({ issued, person }: TokenOutcome, now: Date): Record<string, unknown> {
  const { accessToken, expiresAt, scopes } = issued;
  return {
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: Math.max(0, Math.round((expiresAt.getTime() - now.getTime()) / 1000)),
    scope: scopes.join(' '),
    authorization: `Bearer ${accessToken}`,
    ...(person === undefined ? {} : { user: { name: person.name, username: person.username, photo: person.photo } }),
  };
}

/**
 * RFC 7009 §2.1: only the owner of a token may revoke the token. A token without an application is proof enough by
 * itself.
 */
async function authenticateOwner(
  { applications, authorization }: TokenServices,
  request: Request,
  parameters: Parameters,
  token: string,
): Promise<void> {
  const { clientId, clientSecret } = clientCredentials(request, parameters);
  const known =
    clientId === undefined || clientSecret === undefined
      ? undefined
      : await applications.authenticate(clientId, clientSecret).catch((error: unknown) => {
          throw asRefusal(error);
        });
  if (clientSecret !== undefined && known === undefined) {
    throw new OAuthRefusal('invalid_client', 'Client id or secret is wrong.');
  }
  const grant = await authorization.readToken(token);
  if (grant?.clientId == null || known?.clientId === grant.clientId) return;
  const owner = await applications.find(grant.clientId);
  if (owner?.isPublic === true && clientId === owner.clientId) return;
  throw new OAuthRefusal('invalid_client', 'The application that was given this token has to prove itself.');
}

function clientCredentials(
  request: Request,
  parameters: Parameters,
): { readonly clientId: string | undefined; readonly clientSecret: string | undefined } {
  const basic = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(request.get('Authorization') ?? '')?.[1];
  if (basic === undefined) return { clientId: parameters.client_id, clientSecret: parameters.client_secret };
  const text = Buffer.from(basic, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return { clientId: text.slice(0, colon), clientSecret: text.slice(colon + 1) };
}

/** RFC 6749 §5.2. Internal faults become `server_error`, with their usual status. */
function sendOAuthError(error: unknown, request: Request, response: Response, onFault: (error: unknown) => void): void {
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
