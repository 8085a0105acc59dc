import type { Request, RequestHandler, Response } from 'express';
import type { Consent, ConsentOutcome, GrantScope } from '../service/consent/index.ts';
import { HttpError, type HttpErrorCode } from './http-error.ts';
import { judgeRequest, refusalDetails, type GuardClass, type GuardQuestion, type GuardVerdict } from './local-guard.ts';
import { channelOf } from './peer/channel-connections.ts';
import { checkProof, type InstanceProof } from './peer/instance-proof.ts';
import type { PeerUser } from './peer/peer-user.ts';

/** The kind of caller, found by the guard; kept in `response.locals.caller`. */
export type Caller = 'native-program' | 'own-page' | 'site';

/** Services of the guard: the peer's user, and the user's grants for sites. */
export interface GuardParts {
  readonly peerUser: PeerUser;
  /** Checks the proof of programs whose user the system does not tell; absent: no proof is accepted. */
  readonly proof?: InstanceProof;
  readonly consent: Pick<Consent, 'scopesOf' | 'grantOf' | 'request' | 'fileGrants' | 'countFileUse'>;
  /**
   * Called for requests with a foreign origin, with the browser's user agent: `passed`, `asked`, or the code of the
   * refusal. Preflights are reported only when refused.
   */
  readonly noteVisit?: (origin: string, userAgent: string | undefined, outcome: string) => void;
}

/** Stands before every handler: asks the guard, and lets through, holds until the user has decided, or refuses. */
export function guardRequest(
  route: GuardClass | ((request: Request) => GuardClass),
  parts: GuardParts,
): RequestHandler {
  return async (request, response, next) => {
    const question = await readQuestion(request, typeof route === 'function' ? route(request) : route, parts);
    const verdict = judgeRequest(question);
    const outcome = outcomeOf(verdict, request.method);
    if (question.origin !== undefined && outcome !== undefined) {
      parts.noteVisit?.(question.origin, request.get('User-Agent'), outcome);
    }
    switch (verdict.kind) {
      case 'refuse':
        // A site with a grant may read the reason of a refusal.
        if (question.grant !== undefined && question.origin !== undefined) letRead(response, question.origin);
        throw new HttpError(verdict.refusal, refusalDetails[verdict.refusal]);
      case 'preflight':
        answerPreflight(response, verdict.origin);
        return;
      case 'ask':
        letRead(response, verdict.origin);
        await askUser(parts.consent, verdict, response);
        await passSite(parts, verdict.origin, response);
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
        letRead(response, verdict.origin);
        await passSite(parts, verdict.origin, response);
    }
    next();
  };
}

/** The reported outcome of a site's request; undefined for other requests, and for answered preflights. */
function outcomeOf(verdict: GuardVerdict, method: string): string | undefined {
  if (verdict.kind === 'refuse') return verdict.refusal;
  if (method === 'OPTIONS' || verdict.kind === 'preflight') return undefined;
  if (verdict.kind === 'ask') return 'asked';
  return verdict.caller === 'site' ? 'passed' : undefined;
}

/** Whether the local channel knows that the owner calls: by the user at its other end, or by a proof. */
function isOwnerByChannel({ peer, hasProof }: GuardQuestion, { socket }: Request): boolean {
  return channelOf(socket) !== undefined && (peer === 'same-user' || hasProof);
}

/** The calling site, found by the guard; undefined for other callers. */
export function siteOf(response: Response): string | undefined {
  const { caller, origin } = response.locals;
  return caller === 'site' && typeof origin === 'string' ? origin : undefined;
}

/**
 * Whether the caller is the owner of the data folder: a program or a page of this instance that the guard let through on
 * a loopback listener. Never a web site, and never a caller from another computer, whatever its credentials.
 */
export function isOwner(response: Response): boolean {
  return response.locals.isOwner === true;
}

/** Where an attempt with a one-time password comes from, for its limit: a web origin, `window` or `program`. */
export function attemptOriginOf(response: Response): string {
  return siteOf(response) ?? (response.locals.caller === 'own-page' ? 'window' : 'program');
}

/** `http://127.0.0.1:17171`: this client's address of us, approved by the guard. */
export function baseUrlOf(request: Request): string {
  return `http://${request.headers.host ?? ''}`;
}

/**
 * Whether the caller itself is on this computer. A web site is at its origin, although its requests come from a browser
 * here: a site may not choose addresses out of its server's reach.
 */
export function isOnThisComputer(request: Request, response: Response): boolean {
  const isLocalPeer =
    channelOf(request.socket) !== undefined || /^(::1$|(::ffff:)?127\.)/.test(request.socket.remoteAddress ?? '');
  const site = siteOf(response);
  return isLocalPeer && (site === undefined || /^https?:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(site));
}

/** Aborted when the caller hangs up before the answer is complete. */
export function hangUpOf(response: Response): AbortSignal {
  const left = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) left.abort();
  });
  return left.signal;
}

async function readQuestion(
  request: Request,
  route: GuardClass,
  { peerUser, proof, consent }: GuardParts,
): Promise<GuardQuestion> {
  const { headers, socket, method } = request;
  const { origin, upgrade } = headers;
  const channel = channelOf(socket);
  const host = readHost(request);
  // Before the first await: nothing of the body may arrive earlier.
  const hasProof = proof !== undefined && checkProof(request, proof);
  return {
    ...{ method, route, host, origin, upgrade, hasProof },
    peer: await (channel?.peer ?? peerUser.identify(socket)),
    // The channel has no name: its requests carry the address of our TCP listener.
    ownHosts: channel === undefined ? ownHosts(socket.localPort) : new Set([host ?? '']),
    fetchSite: oneHeader(headers['sec-fetch-site']),
    fetchMode: oneHeader(headers['sec-fetch-mode']),
    fetchDest: oneHeader(headers['sec-fetch-dest']),
    grant: origin === undefined ? undefined : consent.scopesOf(origin),
  };
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
  if (!request.originalUrl.startsWith('/')) request.headers.host = URL.parse(request.originalUrl)?.host ?? '';
  return request.headers.host;
}

function oneHeader(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.join(', ');
}

async function askUser(
  consent: GuardParts['consent'],
  { origin, scope }: { readonly origin: string; readonly scope: GrantScope },
  response: Response,
): Promise<void> {
  const outcome = await consent.request(origin, scope, hangUpOf(response));
  if (outcome === 'granted') return;
  const { code, detail } = outcomes[outcome];
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
  await consent.grantOf(origin, true);
}

/** CORS (Fetch standard §3.2): this origin may read the answer, without credentials. */
function letRead(response: Response, origin: string): void {
  response.set('Access-Control-Allow-Origin', origin);
  response.set('Access-Control-Expose-Headers', exposedHeaders);
}

function answerPreflight(response: Response, origin: string): void {
  response.set('Access-Control-Allow-Origin', origin);
  response.set('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, DELETE');
  response.set('Access-Control-Allow-Headers', allowedHeaders);
  // Short, so that a site without its grant does not continue from the browser's cache.
  response.set('Access-Control-Max-Age', '60');
  response.status(204).end();
}

const allowedHeaders =
  'Accept, Authorization, Authentication, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, Prefer, Range, VCSchemaCfg, VCSchemaData, X-Request-Id, X-Session-Options';
const exposedHeaders =
  'Accept-Ranges, Content-Disposition, Content-Length, Content-Range, Digest, ETag, Location, Preference-Applied, Retry-After, VCSchemaData, WWW-Authenticate, X-Request-Id, X-Session-Token';

const hostsByPort = new Map<number, ReadonlySet<string>>();

function ownHosts(port = 0): ReadonlySet<string> {
  const known = hostsByPort.get(port);
  if (known !== undefined) return known;
  const end = port === 80 ? ['', ':80'] : [`:${port}`];
  const hosts = new Set(end.flatMap((one) => [`127.0.0.1${one}`, `localhost${one}`, `[::1]${one}`]));
  hostsByPort.set(port, hosts);
  return hosts;
}
