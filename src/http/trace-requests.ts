import type { Request, RequestHandler, Response } from 'express';
import type { Span, Tracer } from '../service/monitoring/index.ts';
import { listenerOfConnection } from './listeners/listener.ts';
import { routes } from './routes.ts';

/** How requests are traced. */
export interface RequestTracing {
  readonly tracer: Tracer;
  /** Callers whose `traceparent` header is continued. */
  readonly callers: 'loopback' | 'all' | 'none';
}

/** Probes of monitors and load balancers come every few seconds and tell nothing. */
const untraced: ReadonlySet<string> = new Set(routes.filter(({ isProbe }) => isProbe).flatMap(({ paths }) => paths));
/** Other methods are chosen by a stranger. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']);

/** The pattern of each operation's path: a path itself may contain a TCN. */
const patterns: ReadonlyMap<unknown, string> = new Map(routes.map(({ id, paths }) => [id, paths[0]]));

/**
 * Gives each request a span, from its headers to the end of its answer. The span has the pattern of the route, the
 * method and the status: no path, query, header or address of a client.
 */
export function traceRequests({ tracer, callers }: RequestTracing): RequestHandler {
  return (request, response, next) => {
    if (untraced.has(request.path)) {
      next();
      return;
    }
    const method = methods.has(request.method) ? request.method : 'HTTP';
    const span = tracer.start(method, {
      kind: 'server',
      attributes: { 'http.request.method': method === 'HTTP' ? '_OTHER' : method },
      parent: { from: 'caller', traceParent: acceptedParent(request, callers) },
    });
    response.locals.span = span;
    response.once('close', () => endSpan(span, method, response));
    span.run(next);
  };
}

/** The caller's span; of a header that comes twice Node makes one unreadable value. */
function acceptedParent({ headers, socket }: Request, callers: RequestTracing['callers']): string | undefined {
  const isAccepted =
    callers === 'all' || (callers === 'loopback' && listenerOfConnection(socket)?.remote === undefined);
  const { traceparent } = headers;
  return isAccepted && typeof traceparent === 'string' ? traceparent : undefined;
}

function endSpan(span: Span, method: string, response: Response): void {
  const { operation } = response.locals;
  const route = patterns.get(operation);
  if (route !== undefined) {
    span.rename(`${method} ${route}`);
    span.note({ 'http.route': route, 'sinete.operation': String(operation) });
  }
  span.note({ 'http.response.status_code': response.statusCode });
  if (!response.writableFinished) span.note({ 'sinete.broken': true });
  if (response.statusCode >= 500) span.fail(String(response.statusCode));
  span.end();
}
