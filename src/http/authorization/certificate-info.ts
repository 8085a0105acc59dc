import type { Request, RequestHandler } from 'express';
import type { Authorization } from '../../service/authorization/index.ts';
import type { CertificateInformation } from '../../service/certificates/index.ts';
import { hangUpOf } from '../guard-request.ts';
import { HttpError } from '../http-error.ts';
import { invalidFields } from '../read-json.ts';

/**
 * Endpoint 10: `GET /certificate/info?certificate_alias=` tells of the certificates of the token's user. The token
 * comes in `Authentication`, bare or behind `Bearer`, or in `Authorization: Bearer`.
 */
export function readCertificateInformation(
  authorization: Pick<Authorization, 'readToken'>,
  information: CertificateInformation,
): RequestHandler {
  return async (request, response) => {
    const grant = await authorization.readToken(readToken(request));
    if (grant === undefined) {
      throw unauthorized(
        'The access token is unknown, over or revoked: ask the user for another one.',
        'invalid_token',
      );
    }
    if (grant.username === null) {
      const detail = "This token is an application's own: only a token that a user gave tells of certificates.";
      throw unauthorized(detail, 'invalid_token');
    }
    const alias = readAlias(request.query.certificate_alias);
    const certificates = await information.read(grant.username, alias, hangUpOf(response));
    response.json({ certificates });
  };
}

const tokenForm = /^(?:bearer\s+)?([A-Za-z0-9._~+/-]+=*)$/i;
const bearerForm = /^bearer\s+([A-Za-z0-9._~+/-]+=*)$/i;

/** `Authentication` is the document's own header; both together must not contradict each other. */
function readToken(request: Request): string {
  const { authentication, authorization } = request.headers;
  const own = typeof authentication === 'string' ? tokenForm.exec(authentication.trim())?.[1] : undefined;
  const standard = authorization === undefined ? undefined : bearerForm.exec(authorization.trim())?.[1];
  if (own !== undefined && standard !== undefined && own !== standard) {
    throw unauthorized('Authentication and Authorization bring different tokens: send one.', 'invalid_request');
  }
  const token = own ?? standard;
  if (token !== undefined) return token;
  throw unauthorized('Send the access token: "Authentication: Bearer <token>", or "Authorization: Bearer <token>".');
}

function unauthorized(detail: string, error?: string): HttpError {
  const challenge = `Bearer realm="Sinete"${error === undefined ? '' : `, error="${error}"`}`;
  return new HttpError('CREDENTIALS_INVALID', detail, { headers: { 'WWW-Authenticate': challenge } });
}

function readAlias(alias: unknown): string | undefined {
  if (alias === undefined || alias === '') return undefined;
  if (typeof alias === 'string') return alias;
  const detail = 'Give one alias, or none for all certificates.';
  throw invalidFields([{ field: 'certificate_alias', code: 'INVALID_TYPE', detail }]);
}
