import type { Request, Response } from 'express';
import type { Requester } from '../../service/transactions/index.ts';
import { siteOf } from '../guard-request.ts';

/** Longest displayed name of a program. */
const nameLimit = 80;

/**
 * The requester for the approval: a site by its origin, confirmed by its browser; a program by its own user agent,
 * without control or direction characters.
 */
export function requesterOf(request: Request, response: Response): Requester {
  const site = siteOf(response);
  if (site !== undefined) return { kind: 'site', name: site };
  if (response.locals.caller === 'own-page') return { kind: 'user-interface', name: 'A page of Sinete' };
  const product = (request.get('User-Agent') ?? '').replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim();
  return { kind: 'native-program', name: product === '' ? 'A program on this computer' : product.slice(0, nameLimit) };
}
