import type { Request } from 'express';
import { HttpError } from '../http-error.ts';

/**
 * A program of this computer's user needs no credentials. Those that a request brings all the same are refused, not
 * ignored: this instance keeps no users, tokens or applications against which they could be valid.
 */
export function refuseCredentials(request: Request): void {
  if (request.get('Authorization') === undefined) return;
  throw new HttpError(
    'CREDENTIALS_INVALID',
    'No user, token or application is registered on this instance. Leave out Authorization to act for the user of this computer.',
    { headers: { 'WWW-Authenticate': 'Basic realm="Sinete", charset="UTF-8", Bearer realm="Sinete", Sinete' } },
  );
}
