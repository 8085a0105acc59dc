import type { Request, RequestHandler, Response } from 'express';
import { isPermitted, type Administrators } from '../service/administration/index.ts';
import type { AliasSight } from '../service/certificates/index.ts';
import { isNamedApplication, type Consent, type ConsentOutcome, type GrantScope } from '../service/consent/index.ts';
import { ServiceError } from '../service/errors/index.ts';
import { BRIDGE_KEY_HEADER, BRIDGE_ORIGIN_HEADER, type BridgeKeys } from './bridge/bridge-keys.ts';
import { sessionAnswerHeader, sessionHeaderSpellings } from './client-spellings.ts';
import { HttpError, type HttpErrorCode } from './http-error.ts';
import {
  clientAddress,
  limitKeyOf,
  listenerOfConnection,
  plainAddress,
  type Listener,
  type RemoteListener,
} from './listeners/listener.ts';
import {
  judgeRequest,
  refusalDetails,
  type GuardClass,
  type GuardQuestion,
  type GuardVerdict,
  type RouteAccess,
} from './local-guard.ts';
import { channelOf } from './peer/channel-connections.ts';
import { checkProof, PROOF_HEADER, type InstanceProof } from './peer/instance-proof.ts';
import type { PeerUser } from './peer/peer-user.ts';

/** The kind of caller as determined by the guard; stored in `response.locals.caller`. */
export type Caller = 'native-program' | 'own-page' | 'site';

/** Services of the guard: the peer's user, and the user's grants for sites. */
export interface GuardParts {
  readonly peerUser: PeerUser;
  /** Checks the proof of programs when the system does not report their user. Absent: every proof is refused. */
  readonly proof?: InstanceProof;
  readonly consent: Pick<Consent, 'scopesOf' | 'grantOf' | 'request' | 'fileGrants' | 'countFileUse'>;
  /** The keys of the bridge windows. Absent: every key is unknown. */
  readonly bridgeKeys?: BridgeKeys;
  /** The site that created a transaction, for the background of its extension; undefined for other transactions. */
  readonly siteOfTransaction?: (tcn: string) => Promise<string | undefined>;
  /**
   * Called for requests with a foreign origin, with the browser's user agent: `passed`, `asked`, or the code of the
   * refusal. Preflights are reported only when refused.
   */
  readonly noteVisit?: (origin: string, userAgent: string | undefined, outcome: string) => void;
  /** Recognizes tokens of administrators on listeners for other computers. Absent: there are no administrators. */
  readonly administrators?: Pick<Administrators, 'authenticate' | 'act'>;
}

/** The properties of a route that the guard needs; without an operation there is no such route. */
export interface GuardedRoute {
  readonly guard: GuardClass;
  readonly operation?: string;
  /** The permitted remote callers of the operation, for this request. */
  readonly access?: (request: Request) => RouteAccess;
}

/**
 * Runs before every handler: asks the guard, and then passes the request on, holds the request until the user has
 * decided, or refuses.
 */
export function guardRequest(
  route: GuardedRoute | ((request: Request) => GuardedRoute),
  parts: GuardParts,
): RequestHandler {
  return async (request, response, next) => {
    const guarded = typeof route === 'function' ? route(request) : route;
    const question = await readQuestion(request, response, guarded, parts);
    const verdict = judgeRequest(question);
    const outcome = outcomeOf(verdict, request.method);
    const visitor = question.bridge?.origin ?? question.origin;
    if (visitor !== undefined && outcome !== undefined) {
      parts.noteVisit?.(visitor, request.get('User-Agent'), outcome);
    }
    switch (verdict.kind) {
      case 'busy':
        throw new ServiceError('BUSY', 'Too many files are open to tell which program calls: try again.', {
          retryAfter: 1,
        });
      case 'refuse':
        // A site with a grant may read the reason of a refusal.
        if (question.grant !== undefined && question.origin !== undefined) {
          letReadDirectly(question, response, question.origin);
        }
        throw new HttpError(verdict.refusal, refusalDetails[verdict.refusal], {
          headers: verdict.refusal === 'ADMINISTRATOR_REQUIRED' ? { 'WWW-Authenticate': 'Bearer realm="Sinete"' } : {},
        });
      case 'preflight':
        answerPreflight(response, verdict.origin);
        return;
      case 'ask':
        letReadDirectly(question, response, verdict.origin);
        noteBridge(question, request, response, parts);
        await askUser(parts, verdict, request, response);
        await passSite(parts, verdict.origin, response);
        break;
      case 'extension':
        await passExtension(parts, request, response);
        break;
      case 'pass':
        response.locals.caller = verdict.caller;
        response.locals.isOwner = verdict.caller !== 'site' && question.remote === undefined;
        response.locals.isOwnerByChannel = isOwnerByChannel(question, request);
        if (verdict.caller !== 'site') break;
        if (request.method === 'OPTIONS') {
          answerPreflight(response, verdict.origin);
          return;
        }
        letReadDirectly(question, response, verdict.origin);
        noteBridge(question, request, response, parts);
        await passSite(parts, verdict.origin, response);
    }
    await noteAdministrator(request, response, guarded, parts);
    next();
  };
}

/** The outcome to report for a site's request; undefined for other requests and for answered preflights. */
function outcomeOf(verdict: GuardVerdict, method: string): string | undefined {
  if (verdict.kind === 'refuse') return verdict.refusal;
  if (verdict.kind === 'busy' || verdict.kind === 'extension') return undefined;
  if (method === 'OPTIONS' || verdict.kind === 'preflight') return undefined;
  if (verdict.kind === 'ask') return 'asked';
  return verdict.caller === 'site' ? 'passed' : undefined;
}

/** True if the local channel shows that the owner is calling: by the user of the connection, or by a proof. */
function isOwnerByChannel({ peer, hasProof }: GuardQuestion, { socket }: Request): boolean {
  return channelOf(socket) !== undefined && (peer === 'same-user' || hasProof);
}

/** The origin of the calling site as determined by the guard; undefined for other callers. */
export function siteOf(response: Response): string | undefined {
  const { caller, origin } = response.locals;
  return caller === 'site' && typeof origin === 'string' ? origin : undefined;
}

/**
 * True if the caller is the owner of the data folder: a program or one of our pages, accepted by the guard on a
 * loopback listener. Web sites and callers from other computers are never the owner, whatever their credentials.
 */
export function isOwner(response: Response): boolean {
  return response.locals.isOwner === true;
}

/** True if the site came through the bridge window. */
export function isByBridge(response: Response): boolean {
  return response.locals.isByBridge === true;
}

/** The caller's view of certificate names: whole for the owner and for sites with `certificates:read`, else masked. */
export function aliasSightOf(response: Response): AliasSight {
  return isOwner(response) || response.locals.readsCertificates === true ? 'whole' : 'masked';
}

/** True for a site with the permission to ask for bare signatures. */
export function siteSignsRaw(response: Response): boolean {
  return response.locals.signsRaw === true;
}

/** Tells whether the request came over a listener beyond loopback. */
export function isRemote(response: Response): boolean {
  return remoteAddressOf(response) !== undefined;
}

/** The address of a client on another computer, shortened as limits count it; undefined on this computer. */
export function remoteAddressOf(response: Response): string | undefined {
  const { remoteAddress } = response.locals;
  return typeof remoteAddress === 'string' ? remoteAddress : undefined;
}

/**
 * The origin under which attempts with a one-time password are limited: the address of another computer, a web origin,
 * `window` or `program`.
 */
export function attemptOriginOf(response: Response): string {
  const address = remoteAddressOf(response);
  if (address !== undefined) return `address ${address}`;
  return siteOf(response) ?? (response.locals.caller === 'own-page' ? 'window' : 'program');
}

/**
 * `http://127.0.0.1:17171` or the public address: the address that this client uses for this server, accepted by the
 * guard.
 */
export function baseUrlOf(request: Request): string {
  const { remote } = listenerOfConnection(request.socket) ?? {};
  if (remote !== undefined) return remote.publicUrl;
  return `http://${request.headers.host ?? ''}`;
}

/**
 * True if the caller itself is on this computer. A web site counts as a caller from its origin, although a browser here
 * sends its requests: a site must not choose addresses that its own server cannot reach.
 */
export function isOnThisComputer(request: Request, response: Response): boolean {
  // A proxy on this computer connects from loopback on behalf of clients anywhere.
  if (isRemote(response)) return false;
  const isLocalPeer =
    channelOf(request.socket) !== undefined || /^(::1$|(::ffff:)?127\.)/.test(request.socket.remoteAddress ?? '');
  const site = siteOf(response);
  return isLocalPeer && (site === undefined || /^https?:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(site));
}

/**
 * The reason of `hangUpOf`. One shared error: hundreds of callers may hang up together, and each stack trace takes
 * time.
 */
const hungUp = new Error('The caller hung up before the answer was complete.');

/** Aborted when the caller hangs up before the answer is complete. */
export function hangUpOf(response: Response): AbortSignal {
  const left = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) left.abort(hungUp);
  });
  return left.signal;
}

async function readQuestion(
  request: Request,
  response: Response,
  guarded: GuardedRoute,
  parts: GuardParts,
): Promise<GuardQuestion> {
  const { peerUser, proof, consent } = parts;
  const { headers, socket, method } = request;
  const { origin, upgrade } = headers;
  const bridge = readBridge(request, parts.bridgeKeys);
  const site = bridge?.origin ?? origin;
  const channel = channelOf(socket);
  const listener = listenerOfConnection(socket);
  const host = readHost(request);
  // Must run before the first await, so that no part of the body arrives earlier.
  const hasProof = proof !== undefined && headers[PROOF_HEADER] !== undefined && checkProof(request, proof);
  const about = {
    method,
    route: guarded.guard,
    host,
    origin,
    upgrade,
    hasProof,
    fetchSite: oneHeader(headers['sec-fetch-site']),
    fetchMode: oneHeader(headers['sec-fetch-mode']),
    fetchDest: oneHeader(headers['sec-fetch-dest']),
    grant: site === undefined ? undefined : consent.scopesOf(site),
    ...(bridge === undefined ? {} : { bridge }),
  };
  const access = guarded.access?.(request);
  const isServed = access === undefined || listener === undefined || isServedBy(access, listener);
  if (listener?.remote !== undefined) {
    const hosts = remoteHosts(listener.remote, socket);
    const isForUs = isServed && hosts.has((host ?? '').toLowerCase());
    const remote = await readRemote(request, response, { remote: listener.remote, access, isForUs }, parts);
    return { ...about, peer: 'not-loopback', ownHosts: hosts, isServed, remote };
  }
  return {
    ...about,
    isServed,
    peer: await (channel?.peer ?? peerUser.identify(socket)),
    // The local channel has no host name: its requests carry the address of the TCP listener.
    ownHosts: channel === undefined ? ownHosts(socket.localPort) : new Set([host ?? '']),
  };
}

const isServedBy = ({ service }: RouteAccess, { services }: Listener): boolean =>
  service === 'common' || services.has(service);

/** Reads the guard's input on a listener for other computers. Rejects with `TOO_MANY_ATTEMPTS`. */
async function readRemote(
  request: Request,
  response: Response,
  about: { readonly remote: RemoteListener; readonly access: RouteAccess | undefined; readonly isForUs: boolean },
  { administrators }: GuardParts,
): Promise<NonNullable<GuardQuestion['remote']>> {
  const { remote, access, isForUs } = about;
  const address = clientAddress(remote, request.socket.remoteAddress, request.get('X-Forwarded-For'));
  response.locals.remoteAddress = limitKeyOf(address);
  const origin = remote.publicUrl;
  if (access?.remote !== 'administrator') return { access: 'open', administrator: 'nobody', origin };
  const [, token] = /^Bearer +(\S+)$/i.exec(request.get('Authorization') ?? '') ?? [];
  // The token is not checked when the request is for another host or service.
  const known =
    token === undefined || !isForUs ? undefined : await administrators?.authenticate(token, limitKeyOf(address));
  if (known === undefined) return { access: 'administrator', administrator: 'nobody', origin };
  if (access.scope === undefined || !isPermitted(known, access.scope)) {
    return { access: 'administrator', administrator: 'without-scope', origin };
  }
  response.locals.administrator = known.name;
  return { access: 'administrator', administrator: 'permitted', origin };
}

/** Records changes by administrators in the audit log; requests that only read leave no row. */
async function noteAdministrator(
  { method }: Request,
  response: Response,
  { operation }: GuardedRoute,
  { administrators }: GuardParts,
): Promise<void> {
  const { administrator } = response.locals;
  if (typeof administrator !== 'string' || operation === undefined || method === 'GET' || method === 'HEAD') return;
  await administrators?.act(administrator, operation);
}

/**
 * The host that the request is for. A request with two Host headers is refused, and the authority of a target in
 * absolute form counts instead of the header (RFC 9112 §3.2, §3.2.2).
 */
function readHost(request: Request): string | undefined {
  const names = request.rawHeaders.filter((_text, index) => index % 2 === 0);
  if (names.filter((name) => name.toLowerCase() === 'host').length > 1) {
    throw new HttpError('REQUEST_MALFORMED', 'The request has more than one Host header: send one.');
  }
  if (request.headers.host === undefined && request.httpVersion === '1.1') {
    throw new HttpError(
      'REQUEST_MALFORMED',
      'The request has no Host header: send the name and the port of the address.',
    );
  }
  if (!request.originalUrl.startsWith('/')) request.headers.host = URL.parse(request.originalUrl)?.host ?? '';
  return request.headers.host;
}

function oneHeader(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.join(', ');
}

async function askUser(
  { consent, noteVisit }: GuardParts,
  { origin, scope }: { readonly origin: string; readonly scope: GrantScope },
  request: Request,
  response: Response,
): Promise<void> {
  const outcome = await consent.request(origin, scope, hangUpOf(response));
  if (outcome === 'granted') return;
  const { code, detail } = outcomes[outcome];
  noteVisit?.(origin, request.get('User-Agent'), code);
  throw new HttpError(code, detail, outcome === 'too-many' ? { headers: { 'Retry-After': '10' } } : {});
}

const outcomes: Record<
  Exclude<ConsentOutcome, 'granted'>,
  { readonly code: HttpErrorCode; readonly detail: string }
> = {
  refused: {
    code: 'CONSENT_REFUSED',
    detail: 'The user of this computer does not let this site do it. Sites are let in on the page Sites.',
  },
  forgotten: {
    code: 'CONSENT_TIMEOUT',
    detail: 'The user of this computer was asked to let this site in and did not answer in time: try again.',
  },
  'nobody-to-ask': {
    code: 'CONSENT_UNAVAILABLE',
    detail:
      'This site is not let in, and no window is open in which the user could be asked: open it ("sinete link"), run "sinete sites allow", or name the site in the configuration ("sites").',
  },
  'too-many': {
    code: 'TOO_MANY_HELD_REQUESTS',
    detail: 'Too many requests wait for the user to let their sites in: wait for the decision, then try again.',
  },
};

async function passSite({ consent }: GuardParts, origin: string, response: Response): Promise<void> {
  response.locals.caller = 'site';
  response.locals.origin = origin;
  const scopes = consent.scopesOf(origin) ?? [];
  response.locals.readsCertificates = scopes.includes('certificates:read');
  response.locals.signsRaw = scopes.includes('sign_raw');
  await consent.grantOf(origin, true);
}

/** The key and the origin of a request of a bridge window; undefined for other requests. */
function readBridge(request: Request, keys: BridgeKeys | undefined): GuardQuestion['bridge'] {
  const key = request.get(BRIDGE_KEY_HEADER);
  if (key === undefined) return undefined;
  const origin = request.get(BRIDGE_ORIGIN_HEADER) ?? '';
  return { key: keys?.use(key, origin) ?? 'unknown', origin };
}

/** Marks a request of a bridge window, and keeps the key of the window while the request runs. */
function noteBridge({ bridge }: GuardQuestion, request: Request, response: Response, { bridgeKeys }: GuardParts): void {
  if (bridge === undefined) return;
  response.locals.isByBridge = true;
  const release = bridgeKeys?.hold(request.get(BRIDGE_KEY_HEADER) ?? '');
  response.once('close', () => release?.());
}

/**
 * Passes the background of an extension on as the site that created the transaction of the request, if this site is an
 * extension or an application that is let in. Rejects with `CROSS_SITE_REFUSED`.
 */
async function passExtension(parts: GuardParts, request: Request, response: Response): Promise<void> {
  const [, tcn] = /^\/(?:signature-service|file-transfer)\/([^/?]+)/.exec(request.path) ?? [];
  const origin = tcn === undefined ? undefined : await parts.siteOfTransaction?.(decodeURIComponent(tcn));
  if (origin === undefined || !isNamedApplication(origin) || parts.consent.scopesOf(origin) === undefined) {
    throw new HttpError('CROSS_SITE_REFUSED', refusalDetails.CROSS_SITE_REFUSED);
  }
  await passSite(parts, origin, response);
}

/** The bridge window reads its answers as our own page, so only a direct request needs the headers of CORS. */
function letReadDirectly({ bridge }: GuardQuestion, response: Response, origin: string): void {
  if (bridge === undefined) letRead(response, origin);
}

/** Allows this origin to read the answer, without credentials (CORS, Fetch standard §3.2). */
function letRead(response: Response, origin: string): void {
  response.set('Access-Control-Allow-Origin', origin);
  response.set('Access-Control-Expose-Headers', exposedHeaders);
}

function answerPreflight(response: Response, origin: string): void {
  response.set('Access-Control-Allow-Origin', origin);
  response.set('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, DELETE');
  response.set('Access-Control-Allow-Headers', allowedHeaders);
  // Short, so that a site whose grant was removed cannot continue from the browser's cache.
  response.set('Access-Control-Max-Age', '60');
  response.status(204).end();
}

const allowedHeaders = [
  'Accept, Authorization, Authentication, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, Last-Event-ID, Prefer, Range, X-Request-Id, X-Session-Options',
  ...sessionHeaderSpellings.map(({ spelling }) => spelling),
].join(', ');
const exposedHeaders = [
  'Accept-Ranges, Content-Disposition, Content-Length, Content-Range, Digest, ETag, Idempotent-Replayed, Location, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id, X-Session-Token',
  sessionAnswerHeader.spelling,
].join(', ');

const hostsByPort = new Map<number, ReadonlySet<string>>();

function ownHosts(port = 0): ReadonlySet<string> {
  const known = hostsByPort.get(port);
  if (known !== undefined) return known;
  const end = port === 80 ? ['', ':80'] : [`:${port}`];
  const hosts = new Set(end.flatMap((one) => [`127.0.0.1${one}`, `localhost${one}`, `[::1]${one}`]));
  hostsByPort.set(port, hosts);
  return hosts;
}

const hostsOfListener = new WeakMap<RemoteListener, Map<string, ReadonlySet<string>>>();

/** The public name, and the exact address of the connection, which a foreign DNS name cannot imitate. */
function remoteHosts(
  remote: RemoteListener,
  { localAddress = '', localPort = 0 }: Request['socket'],
): ReadonlySet<string> {
  const byEnd = hostsOfListener.get(remote) ?? new Map<string, ReadonlySet<string>>();
  hostsOfListener.set(remote, byEnd);
  const end = `${localAddress} ${localPort}`;
  const known = byEnd.get(end);
  if (known !== undefined) return known;
  const { host, hostname, protocol } = new URL(remote.publicUrl);
  const address = plainAddress(localAddress);
  const literal = address.includes(':') ? `[${address}]` : address;
  const usual = protocol === 'https:' ? 443 : 80;
  // A Unix socket has no address.
  const own = localPort === 0 ? [] : [`${literal}:${localPort}`];
  const hosts = new Set([host, ...(host === hostname ? [`${host}:${usual}`] : []), ...own]);
  if (localPort === 443 || localPort === 80) hosts.add(literal);
  byEnd.set(end, hosts);
  return hosts;
}
