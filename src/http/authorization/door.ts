/** The parts that the interfaces of other protocols share: who calls, how bodies are read, and how errors are told. */
import type { Request, RequestHandler, Response } from 'express';
import { ServiceError } from '../../service/errors/index.ts';
import { HttpError } from '../http-error.ts';
import { problemOf } from '../problems/send-error.ts';
import { fieldsOf, readFormInto } from '../read-body.ts';
import { identifyBearer, type TokenBearer } from './credentials.ts';
import { failureOf, inLowerCase, innerOf, OAuthRefusal } from './oauth-library.ts';
import type { AuthorizationServices } from './operations.ts';

/** The limits of bodies with hashes. */
const bodyLimits = { bytes: 2 ** 20, fields: 6000 };

/** A handler whose errors have the form of RFC 6749 §5.2, as clients of these interfaces read them. */
export function doorHandler(
  services: Pick<AuthorizationServices, 'onFault' | 'hashCalls'>,
  handle: (request: Request, response: Response) => Promise<void>,
): RequestHandler {
  return async (request, response) => {
    try {
      if (services.hashCalls.most === 0) throw new ServiceError('HASHES_NOT_ALLOWED', 'This instance signs no hashes.');
      await handle(request, response);
    } catch (error) {
      sendDoorError(error, response, services.onFault);
    }
  };
}

/** The fields of a body in JSON or as a form, their names in lower case too. */
export async function readDoorBody(request: Request): Promise<Record<string, unknown>> {
  await readFormInto(request, bodyLimits);
  return inLowerCase(fieldsOf(request));
}

/**
 * The bearer of a person's token. A token by a one-time password approves by itself only for an application with the
 * owner's permission (`sign_raw`), because its person saw no page with the number of hashes.
 */
export async function identifyDoor(
  services: AuthorizationServices,
  request: Request,
  response: Response,
): Promise<TokenBearer> {
  const bearer = await identifyBearer(services, request, response);
  if (bearer.grant.username === null) {
    const detail = "This token is an application's own: only a token that a person gave can be used here.";
    throw new ServiceError('SCOPE_NOT_ALLOWED', detail);
  }
  if (bearer.grant.consented || bearer.application?.signsRaw === true) return bearer;
  return { ...bearer, authority: { ...bearer.authority, approvedBy: undefined } };
}

/** Status and name of an error for clients. */
interface DoorFailure {
  readonly status: number;
  readonly error: string;
}

/** The errors whose name does not follow from their status. */
const named: Readonly<Record<string, DoorFailure>> = {
  NOT_SIGNED_YET: { status: 408, error: 'authorization_pending' },
  SCOPE_NOT_ALLOWED: { status: 403, error: 'insufficient_scope' },
  CANCELLED: { status: 403, error: 'access_denied' },
  APPROVAL_EXPIRED: { status: 403, error: 'access_denied' },
  CERTIFICATE_NOT_FOUND: { status: 404, error: 'invalid_request' },
};

function failureFor(code: string, status: number): DoorFailure {
  const own = named[code];
  if (own !== undefined) return own;
  if (status === 401) return { status, error: 'invalid_token' };
  if (status === 403) return { status, error: 'access_denied' };
  if (status === 429 || status === 503) return { status, error: 'temporarily_unavailable' };
  if (status >= 500) return { status, error: 'server_error' };
  return { status: 400, error: 'invalid_request' };
}

function sendDoorError(error: unknown, response: Response, onFault: (error: unknown) => void): void {
  const refusal = failureOf(error);
  if (refusal !== undefined) {
    response.set(refusal.headers).status(refusal.status);
    response.json({ error: refusal.error, error_description: refusal.description });
    return;
  }
  const cause = innerOf(error);
  const { kind, code, detail, headers } = problemOf(cause);
  if (!(cause instanceof ServiceError || cause instanceof HttpError || cause instanceof OAuthRefusal)) onFault(cause);
  const failure = failureFor(code, kind.status);
  response.set(headers).status(failure.status).json({ error: failure.error, error_description: detail });
}
