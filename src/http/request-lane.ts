import type { Request, Response } from 'express';
import { siteOf } from './guard-request.ts';

/**
 * Whose turn a request takes where many want in: each application's, token's, person's and site's own, and one of all
 * programs without credentials. Nothing is checked here, and it is kept no longer than the request.
 */
export function laneOf(request: Request, response: Response): string {
  const site = siteOf(response);
  if (site !== undefined) return `site ${site}`;
  const [scheme = '', credentials = ''] = (request.get('Authorization') ?? '').trim().split(/\s+/, 2);
  if (!/^(basic|sinete)$/i.test(scheme)) return `${scheme} ${credentials}`;
  const name = Buffer.from(credentials, 'base64').toString().split(':', 1)[0] ?? '';
  return `${scheme} ${name}`;
}
