import type { Request, Response } from 'express';
import { remoteAddressOf, siteOf } from './guard-request.ts';

/**
 * The queue of a request under load: a queue for each application, token, person and site, and one for all programs
 * without credentials. Nothing is checked here, and nothing is stored beyond the request.
 */
export function laneOf(request: Request, response: Response): string {
  const site = siteOf(response);
  if (site !== undefined) return `site ${site}`;
  const [scheme = '', credentials = ''] = (request.get('Authorization') ?? '').trim().split(/\s+/, 2);
  const address = remoteAddressOf(response);
  if (scheme === '' && address !== undefined) return `address ${address}`;
  if (!/^(basic|sinete)$/i.test(scheme)) return `${scheme} ${credentials}`;
  const name = Buffer.from(credentials, 'base64').toString().split(':', 1)[0] ?? '';
  return `${scheme} ${name}`;
}
