import { createServer, type Server } from 'node:http';
import {
  createServer as createTlsServer,
  type Server as TlsServer,
  type ServerOptions as TlsOptions,
} from 'node:https';
import { TLSSocket } from 'node:tls';
import express, { type Express, type Request, type RequestHandler } from 'express';
import helmet from 'helmet';
import { FairScheduler } from '../service/scheduling/index.ts';
import type { NodeSignals } from '../service/transactions/index.ts';
import { guardRequest, remoteAddressOf, type GuardedRoute, type GuardParts } from './guard-request.ts';
import { HttpError } from './http-error.ts';
import { buildOpenApi } from './openapi.ts';
import { asVersion30 } from './openapi/version-3-0.ts';
import { alwaysReady, closeWhileDraining, refuseUnlessTaken, type Life } from './life.ts';
import { paceLongPolls } from './peer/pace-long-polls.ts';
import { noteChannelConnection } from './peer/channel-connections.ts';
import { ClientBudget, limitClients } from './listeners/limit-clients.ts';
import { lingerAfterEarlyAnswers, usualLingerLimits, watchBody } from './listeners/linger.ts';
import { inviteBody, noteExpectation } from './listeners/invite-body.ts';
import { limitPipelining } from './listeners/limit-pipelining.ts';
import { BridgeKeys } from './bridge/bridge-keys.ts';
import { noteListener, type Listener } from './listeners/listener.ts';
import {
  connectionLimits,
  limitConnections,
  readDescriptorLimit,
  refuseBeyondLimit,
} from './peer/limit-connections.ts';
import { identifyChannelPeer } from './peer/socket-credentials.ts';
import { readJsonBody, readFormBody } from './read-body.ts';
import { answerClientError, sendUnreadable } from './problems/client-errors.ts';
import { answerErrors, logRequests, underRequestId, type HttpLog } from './request-log.ts';
import { addresses, routes, type Route, type RouteParts, type SameAddress } from './routes.ts';
import { traceRequests, type RequestTracing } from './trace-requests.ts';
import { countingLog, type Metrics } from './signing-service/monitoring.ts';
import { StreamCounter } from './signing-service/transaction-events.ts';
import type { UploadLimits } from './signing-service/read-form.ts';
import { requireSession } from './ui/bridge.ts';

/** Dependencies of the HTTP layer. */
export interface HttpDependencies
  extends GuardParts, Omit<RouteParts, keyof GuardParts | 'life' | 'streams' | 'openApi'> {
  readonly limits: HttpLimits;
  readonly log: HttpLog;
  /** Absent: not switched on. */
  readonly metrics?: Pick<Metrics, 'request' | 'read'>;
  /** Absent: requests are not traced. */
  readonly tracing?: RequestTracing | undefined;
  /** Messages to and from the other nodes; absent for a single instance. */
  readonly nodes?: NodeSignals;
  /** Default: an instance that is never paused and never ends. */
  readonly life?: Life;
}

/** Limits of a request. */
export interface HttpLimits extends UploadLimits {
  /** Maximum number of bytes of a JSON body, including data URLs. */
  readonly jsonBody: number;
  /** Milliseconds from the first byte of a request to its last. */
  readonly requestTimeout: number;
}

/**
 * Maximum number of bytes of long JSON bodies in memory at a time; a longer body is read alone. Each body costs about
 * three times its size.
 */
const BODIES_AT_ONCE = 8 * 2 ** 20;

/** Certificate and private key of a listener with TLS, in PEM. */
export type TlsFiles = Pick<TlsOptions, 'cert' | 'key'>;

/** A server that, with TLS, can replace its certificate while running. */
export type ListenerServer = Server & { readonly setSecureContext?: TlsServer['setSecureContext'] };

/** Servers with the same handlers, before they listen. */
export interface Servers {
  /** The caller binds it to a loopback address. */
  readonly server: Server;
  /** The caller binds it to a path that other users cannot reach. */
  readonly channel: Server;
  /** Makes a server for a further listener, with TLS if `tls` is given. */
  readonly forListener: (listener: Listener, tls?: TlsFiles) => ListenerServer;
}

/** The server for TCP, and the server for the local channel. */
export function buildServers(dependencies: HttpDependencies): Servers {
  const app = limitPipelining(paceLongPolls(buildApp(dependencies)));
  const server = plainServer(dependencies).on('request', app);
  const connections = connectionLimits(readDescriptorLimit());
  limitConnections(server, dependencies.peerUser, connections);
  const channel = plainServer(dependencies);
  channel.on('connection', (socket) => {
    const address = channel.address();
    const path = typeof address === 'string' ? address : '';
    noteChannelConnection(socket, { path, peer: identifyChannelPeer(socket, path) });
  });
  channel.on('request', (request, response) => {
    // The addresses in answers are those of the TCP listener.
    const address = server.address();
    request.headers.host = typeof address === 'object' ? `127.0.0.1:${address?.port ?? 0}` : '';
    app(request, response);
  });
  const forListener: Servers['forListener'] = (listener, tls) => {
    const further = plainServer(dependencies, tls);
    further.on('request', app);
    // Registered first, so that a refused connection costs no TLS handshake.
    if (listener.remote === undefined) limitConnections(further, dependencies.peerUser, connections);
    else limitClients(further, listener.remote);
    noteListener(further, listener, tls !== undefined);
    return further;
  };
  return { server, channel, forListener };
}

function plainServer({ limits }: HttpDependencies, tls?: TlsFiles): ListenerServer {
  // The guard refuses a request without Host, with a sentence.
  const options = { requestTimeout: limits.requestTimeout, headersTimeout: 15_000, requireHostHeader: false };
  const server =
    tls === undefined
      ? createServer(options)
      : createTlsServer({ ...options, ...tls, minVersion: 'TLSv1.2', handshakeTimeout: 10_000 });
  server.maxHeadersCount = 100;
  server.keepAliveTimeout = 30_000;
  lingerAfterEarlyAnswers(server, usualLingerLimits, tls === undefined ? 'connection' : 'secureConnection');
  // A client with `Expect: 100-continue` sends its body after the guard has accepted the request (RFC 9110 §10.1.1).
  server.on('checkContinue', (request, response) => {
    noteExpectation(request, response);
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (request, response) => {
    watchBody(request, response);
    sendUnreadable(response, new HttpError('EXPECTATION_FAILED', 'Leave the header Expect out, or send 100-continue.'));
  });
  server.on('clientError', answerClientError);
  return server;
}

/** The Express application: the guard first, then the handlers of all routes. */
export function buildApp(given: HttpDependencies): Express {
  const dependencies = { ...given, bridgeKeys: given.bridgeKeys ?? new BridgeKeys(given.now) };
  const log = countingLog(dependencies.log, dependencies.metrics);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  if (dependencies.tracing !== undefined) app.use(traceRequests(dependencies.tracing));
  app.use(logRequests(log));
  app.use(answerHeaders, closeWhileDraining(dependencies.life ?? alwaysReady), refuseBeyondLimit);
  const parts = routeParts(dependencies);
  const bodies = new FairScheduler({ overall: BODIES_AT_ONCE, waiting: 500, waitingPerQueue: 250 });
  const budget = new ClientBudget(openRate);
  if (dependencies.nodes !== undefined) budget.share(dependencies.nodes);
  for (const route of routes) {
    // The table of routes declares the parameters of the paths, so handlers may name the types of theirs.
    registerRoute(app, { route, handler: route.handle(parts) as RequestHandler, bodies, budget }, dependencies);
  }
  for (const [path, sameAddress] of addresses.values()) {
    const refuse = refuseMethod([...new Set(sameAddress.flatMap(methodsOf))].join(', '));
    // `app.all` would compile the path once for each method that HTTP knows.
    app.route(path).all(guardRequest(guardByMethod(sameAddress), dependencies), refuse);
  }
  app.use(guardRequest({ guard: 'none' }, dependencies), () => {
    throw new HttpError('ADDRESS_NOT_FOUND', 'There is nothing at this address. /docs lists the endpoints.');
  });
  app.use(answerErrors(log));
  return app;
}

/** The services of the handlers, with the state that the operations of one server share. */
function routeParts(dependencies: HttpDependencies & Pick<RouteParts, 'bridgeKeys'>): RouteParts {
  // Built for the first reader: most instances end without one, and building takes a tenth of a second.
  let document: ReturnType<typeof buildOpenApi> | undefined;
  let older: object | undefined;
  return {
    ...dependencies,
    life: dependencies.life ?? alwaysReady,
    streams: new StreamCounter(),
    openApi: (version) => {
      document ??= buildOpenApi(dependencies.product.version);
      return version === '3.1' ? document : (older ??= asVersion30(document));
    },
  };
}

const guardedRoute = ({ guard, id, access, accessFor }: Route): GuardedRoute => ({
  guard,
  operation: id,
  access: ({ query }) => accessFor?.(query) ?? access,
});

/** A preflight is judged as the request that it announces; any other method as the first route of the address. */
function guardByMethod([first, ...others]: SameAddress): (request: Request) => GuardedRoute {
  return (request) => {
    const announced = request.get('Access-Control-Request-Method')?.toLowerCase();
    const meant = request.method === 'OPTIONS' ? others.find(({ method }) => method === announced) : undefined;
    return guardedRoute(meant ?? first);
  };
}

/** Registers a route in a fixed order: guard, caller, body, handler. */
function registerRoute(
  app: Express,
  parts: { route: Route; handler: RequestHandler; bodies: FairScheduler; budget: ClientBudget },
  dependencies: HttpDependencies,
): void {
  const { route, handler, bodies, budget } = parts;
  const name: RequestHandler = (_request, response, next) => {
    response.locals.operation = route.id;
    next();
  };
  const session = route.access.remote === 'session' ? [requireSession(dependencies.bridge.sessions)] : [];
  const guard = [
    guardRequest(guardedRoute(route), dependencies),
    refuseUnlessTaken(route, dependencies.life ?? alwaysReady),
    ...(route.access.isCounted === true ? [countClient(budget)] : []),
  ];
  app[route.method](
    [...route.paths],
    name,
    guard,
    session,
    invite(route, dependencies.limits),
    bodyReader(route, dependencies.limits, bodies),
    underRequestId(handler),
  );
}

/** Requests of one address on another computer, to routes that need no credentials. */
const openRate = { perMinute: 60, atOnce: 30 };

/** Refuses requests of an address on another computer that exceed the rate. */
function countClient(budget: ClientBudget): RequestHandler {
  return (_request, response, next) => {
    const address = remoteAddressOf(response);
    const wait = address === undefined ? 0 : budget.take(address);
    if (wait === 0) {
      next();
      return;
    }
    const headers = { 'Retry-After': String(wait) };
    throw new HttpError('TOO_MANY_REQUESTS', `Too many requests come from your address: wait ${wait} s.`, { headers });
  };
}

/** Invites the body, unless its length alone refuses it. */
function invite({ body }: Route, { jsonBody }: HttpLimits): RequestHandler {
  return (request, _response, next) => {
    const isTooLong = body === 'json' && Number(request.get('Content-Length')) > jsonBody;
    // An upload is judged by its transaction, its length and the disk before it is invited.
    if (body !== 'upload' && !isTooLong) inviteBody(request);
    next();
  };
}

function bodyReader({ body }: Route, { jsonBody }: HttpLimits, bodies: FairScheduler): RequestHandler[] {
  switch (body) {
    case 'json':
      return [readJsonBody(jsonBody, bodies)];
    case 'form':
      return [readFormBody];
    case 'stream':
    case 'upload':
    case 'none':
      return [];
  }
}

/** Headers of every answer, refusals included. */
const answerHeaders: RequestHandler[] = [
  helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    frameguard: { action: 'deny' },
    // Loopback uses plain HTTP: this header would lock the user's browser out. Listeners with TLS set it below.
    strictTransportSecurity: false,
  }),
  ({ socket }, response, next) => {
    // Only when this process ends TLS; behind a proxy the proxy sets the header (RFC 6797 §7.2).
    if (socket instanceof TLSSocket) response.set('Strict-Transport-Security', 'max-age=63072000');
    response.set('Cache-Control', 'no-store');
    response.vary('Origin');
    next();
  },
];

function methodsOf({ method }: Route): readonly string[] {
  return method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()];
}

/** Names the methods that are allowed at the address (RFC 9110 §15.5.6). */
function refuseMethod(allowed: string): RequestHandler {
  return (request, response) => {
    response.set('Allow', allowed);
    if (request.method !== 'OPTIONS') throw new HttpError('METHOD_NOT_ALLOWED', `This address takes ${allowed}.`);
    response.status(204).end();
  };
}
