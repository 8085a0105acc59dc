import { attemptOriginOf } from '../guard-request.ts';
import type { RequestHandler } from 'express';
import type { Applications } from '../../service/applications/index.ts';
import type { HashCalls } from '../../service/hash-calls/index.ts';
import { pushedLifetime, type PushedRequests } from '../../service/authorization/index.ts';
import { checkAuthorization } from './check-authorization.ts';
import { OAuthRefusal, type Parameters, readOAuthBody } from './oauth-library.ts';
import { sendOAuthError, withBasicClient } from './token.ts';
import { asRefusal } from './token-model.ts';

/** Services of the endpoint for pushed requests. */
export interface PushServices {
  readonly applications: Pick<Applications, 'find' | 'authenticate'>;
  readonly pushed: PushedRequests;
  readonly hashCalls: Pick<HashCalls, 'most'>;
}

/** Parameters that authenticate the application and do not belong to the pushed request. */
const proofs = new Set(['client_secret', 'request_uri']);

/**
 * `POST /oauth/par` (RFC 9126): receives the parameters of an authorization request from the application itself, so
 * that the person's browser carries only a reference. 201 with `request_uri`.
 */
export function pushRequest(
  { applications, pushed, hashCalls }: PushServices,
  onFault: (error: unknown) => void,
): RequestHandler {
  return async (request, response) => {
    try {
      const parameters = withBasicClient(request, await readOAuthBody(request));
      if (parameters.request_uri !== undefined) {
        throw new OAuthRefusal('invalid_request', 'request_uri has no place in a pushed request.');
      }
      const origin = attemptOriginOf(response);
      const clientId = await authenticateClient(applications, parameters, origin);
      const check = await checkAuthorization(applications, parameters, [], hashCalls.most);
      if (check.kind === 'redirect') throw new OAuthRefusal(check.error, check.description);
      if (check.kind === 'show') {
        throw new OAuthRefusal('invalid_request', 'redirect_uri is not registered for this application.');
      }
      const kept = Object.fromEntries(Object.entries(parameters).filter(([name]) => !proofs.has(name)));
      const uri = await pushed.push(clientId, kept, parameters.client_secret === undefined ? origin : undefined);
      response.status(201).set('Pragma', 'no-cache').json({ request_uri: uri, expires_in: pushedLifetime });
    } catch (error) {
      sendOAuthError(error, request, response, onFault);
    }
  };
}

/** Authenticates as at the token endpoint: by the secret, or by the id alone for a public application. */
async function authenticateClient(
  applications: PushServices['applications'],
  { client_id: clientId, client_secret: clientSecret }: Parameters,
  origin: string,
): Promise<string> {
  if (clientId === undefined) throw new OAuthRefusal('invalid_client', 'Send the client id of the application.');
  if (clientSecret !== undefined) {
    const found = await applications.authenticate(clientId, clientSecret, origin).catch((error: unknown) => {
      throw asRefusal(error);
    });
    if (found !== undefined) return found.clientId;
    throw new OAuthRefusal('invalid_client', 'Client id or secret is wrong.');
  }
  const found = await applications.find(clientId);
  if (found?.isPublic === true) return found.clientId;
  throw new OAuthRefusal('invalid_client', 'Send client id and client secret of the application.');
}
