import type { RequestHandler } from 'express';
import { ServiceError } from '../service/errors/index.ts';
import type { Operation } from './operation.ts';
import type { LifeBody } from './signing-service/schemas.ts';

/**
 * Which requests an instance accepts. `DRAINING`: the instance is shutting down. `READ_ONLY`: the instance waits for
 * `sinete recover`.
 */
export type Readiness = 'READY' | 'PAUSED' | 'READ_ONLY' | 'DRAINING';

/** The life of an instance, as its HTTP servers see it. */
export interface Life {
  readonly readiness: () => Readiness;
  /**
   * Calls `listener` when event streams must end, or at once if they must have ended already. Returns the function that
   * stops listening.
   */
  readonly onEnd: (listener: () => void) => () => void;
}

/** An instance that is never paused and never ends. */
export const alwaysReady: Life = { readiness: () => 'READY', onEnd: () => () => undefined };

/** Seconds until a paused caller may try again. */
const PAUSED_RETRY = 30;
/** Seconds until a caller may try again, at another node or at the next start of this one. */
const DRAINING_RETRY = 5;

/** Guard classes that a pause does not affect: the owner's own window, pages for a person, and public addresses. */
const staysOpen: ReadonlySet<string> = new Set(['ui', 'page', 'form', 'asset', 'discovery', 'none']);

/**
 * Refuses requests with `BUSY` before their bodies are read: those of programs and sites while the owner has paused the
 * interface, and new work while the instance shuts down. Reading requests and the owner's window continue to work until
 * the end.
 */
export function refuseUnlessTaken(
  { guard, answersWhilePaused }: Pick<Operation, 'guard' | 'answersWhilePaused'>,
  life: Life,
): RequestHandler {
  return ({ method }, _response, next) => {
    const readiness = answersWhilePaused === true ? 'READY' : life.readiness();
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

/**
 * Closes each connection after its answer while the instance shuts down, so that the next request goes to another node.
 */
export function closeWhileDraining(life: Life): RequestHandler {
  return (_request, response, next) => {
    if (life.readiness() === 'DRAINING') response.set('Connection', 'close');
    next();
  };
}

/** `GET /live`: 200 as long as the process can answer. */
export const checkLiveness: RequestHandler = (_request, response) => {
  response.json({ status: 'LIVE' });
};

/** `GET /ready`: 200 while new work is accepted, 503 otherwise; for load balancers and supervisors. */
export function checkReadiness(life: Life): RequestHandler {
  return (_request, response) => {
    const status = life.readiness();
    if (status !== 'READY') response.status(503).set('Retry-After', String(DRAINING_RETRY));
    response.json({ status } satisfies LifeBody);
  };
}
