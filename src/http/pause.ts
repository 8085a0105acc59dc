import type { RequestHandler } from 'express';
import { ServiceError } from '../service/errors/index.ts';
import type { GuardClass } from './local-guard.ts';

/** Seconds until a paused caller may try again. */
const retryAfter = 30;

/** Guard classes unaffected by a pause: the owner's own window, pages for a person, and public addresses. */
const staysOpen: ReadonlySet<string> = new Set(['ui', 'page', 'form', 'asset', 'discovery', 'none']);

/**
 * Refuses requests of programs and sites with `BUSY` while the owner has paused the interface; the requests are not
 * read.
 */
export function refuseWhilePaused(guard: GuardClass, isPaused: () => boolean): readonly RequestHandler[] {
  if (staysOpen.has(guard)) return [];
  return [
    (_request, _response, next) => {
      if (isPaused()) {
        throw new ServiceError('BUSY', 'The owner of this computer has paused Sinete.', { retryAfter });
      }
      next();
    },
  ];
}
