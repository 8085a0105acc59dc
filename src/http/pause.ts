import type { RequestHandler } from 'express';
import { ServiceError } from '../service/index.ts';
import type { GuardClass } from './local-guard.ts';

/** Seconds after which a paused caller may try again. */
const retryAfter = 30;

/** What answers all the same: the owner's own window, what a person opens, and what is public. */
const staysOpen: ReadonlySet<string> = new Set(['ui', 'page', 'form', 'asset', 'discovery', 'none']);

/** Refuses requests of programs and sites with `BUSY` while the owner has paused them; nothing of them is read. */
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
