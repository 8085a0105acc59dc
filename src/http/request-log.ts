import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { maskEveryNumber } from '../text/taxpayer-number.ts';
import { onBehalfOf, type Span } from '../service/monitoring/index.ts';
import { isAssistantPath } from './assistant/operations.ts';
import { sendDetail } from './assistant/send-detail.ts';
import { isOurFault, sendError } from './problems/send-error.ts';

/** A log entry of a request, without its address (which may contain a TCN), body and headers. */
export interface RequestEntry {
  readonly requestId: string;
  readonly method: string;
  /** The route's operation, or `none`. */
  readonly route: string;
  readonly status: number;
  /** True when the client went away before the answer was complete. */
  readonly broken: boolean;
  readonly milliseconds: number;
}

/** The log of the HTTP layer. */
export interface HttpLog {
  request(entry: RequestEntry): void;
  /** An internal failure. */
  failure(requestId: string, error: unknown): void;
}

/**
 * Gives each request an id, sends it as `X-Request-Id`, and logs the finished request. A caller's own id is used if it
 * is harmless.
 */
export function logRequests(log: HttpLog): RequestHandler {
  return (request, response, next) => {
    const requestId = saneId(request.get('X-Request-Id')) ?? randomUUID();
    const started = performance.now();
    response.locals.requestId = requestId;
    response.set('X-Request-Id', requestId);
    const logEnd = (): void => {
      const { operation } = response.locals;
      log.request({
        requestId,
        method: request.method,
        route: typeof operation === 'string' ? operation : 'none',
        status: response.statusCode,
        broken: !response.writableFinished,
        milliseconds: Math.round(performance.now() - started),
      });
    };
    // The line belongs to the span of the request, and the event comes from the socket.
    response.once('close', AsyncLocalStorage.bind(logEnd));
    onBehalfOf(requestId, next);
  };
}

/**
 * Keeps the request's id for log entries, and its span, during the handler. Reading a body loses the asynchronous
 * context, so the context is restored here.
 */
export function underRequestId(handler: RequestHandler): RequestHandler {
  return (request, response, next) =>
    inSpanOf(response, () => onBehalfOf(String(response.locals.requestId), () => handler(request, response, next)));
}

/** A caller's own id, unless the text could be a TCN, a taxpayer number or a forged log line. */
function saneId(given: string | undefined): string | undefined {
  if (given === undefined || !/^[A-Za-z0-9][A-Za-z0-9._-]{7,63}$/.test(given)) return undefined;
  return given.length === 26 || maskEveryNumber(given) !== given ? undefined : given;
}

/** The last handler: every error ends here and becomes a problem. */
export function answerErrors(log: HttpLog): ErrorRequestHandler {
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- Express knows an error handler by its four parameters.
  return (error: unknown, request, response, _next) => {
    if (isOurFault(error)) log.failure(String(response.locals.requestId), error);
    if (isAssistantPath(request.path)) sendDetail(error, request, response);
    else sendError(error, request, response);
  };
}

/** Runs `action` in the span of the request, if it has one. */
function inSpanOf<Result>(response: Response, action: () => Result): Result {
  const { span } = response.locals as { readonly span?: Span };
  return span === undefined ? action() : span.run(action);
}
