import type { RequestHandler } from 'express';
import { ServiceError } from '../service/errors/index.ts';
import type { Route } from './routes.ts';
import type { LifeBody } from './signing-service/schemas.ts';

/** How far an instance takes requests: `DRAINING` is on its way to its end, `READ_ONLY` waits for `sinete recover`. */
export type Readiness = 'READY' | 'PAUSED' | 'READ_ONLY' | 'DRAINING';

/** The life of an instance, as its HTTP servers see it. */
export interface Life {
  readonly readiness: () => Readiness;
  /** Calls `listener` when event streams must end, at once where that time has come; returns the way to stop listening. */
  readonly onEnd: (listener: () => void) => () => void;
}

/** The life of an instance that nobody pauses or ends. */
export const alwaysReady: Life = { readiness: () => 'READY', onEnd: () => () => undefined };

/** Seconds until a paused caller may try again. */
const PAUSED_RETRY = 30;
/** Seconds until a caller may try again, at another node or at the next start of this one. */
const DRAINING_RETRY = 5;

/** Guard classes unaffected by a pause: the owner's own window, pages for a person, and public addresses. */
const staysOpen: ReadonlySet<string> = new Set(['ui', 'page', 'form', 'asset', 'discovery', 'none']);

const isProbe = (operation: Route['operation']): boolean =>
  operation === 'checkLiveness' || operation === 'checkReadiness';

/**
 * Refuses requests with `BUSY`, before their bodies are read: those of programs and sites while the owner has paused the
 * interface, and new work while the instance ends. Reading goes on to the end, and so does the window of the owner.
 */
export function refuseUnlessTaken(
  { guard, operation }: Pick<Route, 'guard' | 'operation'>,
  life: Life,
): RequestHandler {
  return ({ method }, _response, next) => {
    const readiness = isProbe(operation) ? 'READY' : life.readiness();
    if (readiness === 'PAUSED' && !staysOpen.has(guard)) {
      throw new ServiceError('BUSY', 'The owner of this computer has paused Sinete.', { retryAfter: PAUSED_RETRY });
    }
    if (readiness === 'DRAINING' && guard !== 'ui' && method !== 'GET' && method !== 'HEAD') {
      const detail = 'This instance is being stopped and takes no new work: send the request again.';
      throw new ServiceError('BUSY', detail, { retryAfter: DRAINING_RETRY });
    }
    next();
  };
}

/** Ends each connection with its answer while the instance ends, so that the next request goes to another node. */
export function closeWhileDraining(life: Life): RequestHandler {
  return (_request, response, next) => {
    if (life.readiness() === 'DRAINING') response.set('Connection', 'close');
    next();
  };
}

/** `GET /live`: 200 while the process answers at all. */
export const checkLiveness: RequestHandler = (_request, response) => {
  response.json({ status: 'LIVE' });
};

/** `GET /ready`: 200 while new work is taken, 503 otherwise; for load balancers and supervisors. */
export function checkReadiness(life: Life): RequestHandler {
  return (_request, response) => {
    const status = life.readiness();
    if (status !== 'READY') response.status(503).set('Retry-After', String(DRAINING_RETRY));
    response.json({ status } satisfies LifeBody);
  };
}
