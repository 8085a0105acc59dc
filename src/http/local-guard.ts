import type { AdministratorScope } from '../service/administration/index.ts';
import { isPlainHttpOrigin, type GrantScope } from '../service/consent/index.ts';
import type { HttpErrorCode } from './http-error.ts';
import type { ListenerService } from './listeners/listener.ts';

/** Classes of routes for web sites with a grant. */
type SiteClass = Exclude<GrantScope, 'sign_raw'> | 'granted' | 'download';

/**
 * Permitted callers of a route:
 * - `api`: native programs of the data folder's owner, and pages served by this server.
 * - a scope (`sign`, `user:read`, …): as `api`, and web sites with this scope in their grant.
 * - `granted`: as `api`, and web sites with any grant.
 * - `download`: as `granted`, a top-level navigation from anywhere, and links of our own pages.
 * - `ui`: as `api`; the handlers check a session besides.
 * - `page`: a page for a person's browser; never inside a frame.
 * - `form`: as `page`, and forms of our own pages.
 * - `bridge`: the bridge window itself: a window of its own, opened by any page, and the end of its key.
 * - `token`: as `api`, and web sites without a grant: the code or token in the request is itself the permission.
 * - `asset`: resources of our own pages.
 * - `discovery`: nothing about users, so any program and any site may read the answer.
 * - `none`: there is no such route; callers learn nothing but the refusal.
 */
export type GuardClass =
  'api' | SiteClass | 'ui' | 'page' | 'form' | 'bridge' | 'token' | 'asset' | 'discovery' | 'none';

/**
 * The user at the other end of the connection. `not-identified`: the system reports the users of connections, but not
 * of this one (for instance because its socket is closing). `not-told`: the system never reports users. `not-asked`:
 * the system could not be asked at this moment, because the process or the computer has too many open files.
 */
export type Peer = 'same-user' | 'other-user' | 'not-identified' | 'not-told' | 'not-asked' | 'not-loopback';

/**
 * Permitted callers of a route on a listener of other computers, as far as the guard decides: anyone (`open`), or
 * holders of an administrator's token.
 */
export type RemoteAccess = 'open' | 'administrator';

/**
 * The token of a request on a listener for other computers: no administrator's token, or a token with or without the
 * required scope.
 */
export type AdministratorState = 'nobody' | 'permitted' | 'without-scope';

/**
 * Who may call an operation on a listener for other computers, and to which service of the listener the operation
 * belongs.
 */
export interface RouteAccess {
  /** `common`: on every listener. */
  readonly service: ListenerService | 'common';
  /** `credentials`: the handler checks the caller's own. `session`: checked before the handler, on loopback too. */
  readonly remote: RemoteAccess | 'credentials' | 'session';
  /** The scope of the administrator's token, for `administrator`. */
  readonly scope?: AdministratorScope;
  /** Requests without credentials are counted for each client address. */
  readonly isCounted?: true;
}

/** The input of the guard. Header values are as received; undefined when absent. */
export interface GuardQuestion {
  readonly peer: Peer;
  /** True if the request proves that its program can read the files of the owner (`X-Sinete-Proof`). */
  readonly hasProof: boolean;
  /** Our own names with port, in lower case: `127.0.0.1:17171`. A literal list, never "Origin equals Host". */
  readonly ownHosts: ReadonlySet<string>;
  readonly method: string;
  readonly route: GuardClass;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
  readonly fetchMode: string | undefined;
  readonly fetchDest: string | undefined;
  /** The `Upgrade` header. */
  readonly upgrade: string | undefined;
  /** Scopes of the origin's grant; undefined without a grant, or without an origin. */
  readonly grant: readonly GrantScope[] | undefined;
  /** Present for a request of a bridge window: the verdict on its key, and the origin of the page that it works for. */
  readonly bridge?: { readonly key: 'good' | 'bound' | 'unknown'; readonly origin: string };
  /** Absent on a loopback listener. `origin`: this server's own origin there, as in `https://sign.example`. */
  readonly remote?: {
    readonly access: RemoteAccess;
    readonly administrator: AdministratorState;
    readonly origin: string;
  };
  /** True if the listener serves the service of this route; a listener may leave services out. */
  readonly isServed?: boolean;
}

/** The guard's reasons for a refusal: codes of `HttpError`. */
export type GuardRefusal = Extract<
  HttpErrorCode,
  | 'HOST_NOT_OURS'
  | 'USER_NOT_ALLOWED'
  | 'PROOF_REQUIRED'
  | 'ADMINISTRATOR_REQUIRED'
  | 'ADMINISTRATOR_SCOPE_MISSING'
  | 'ADDRESS_NOT_FOUND'
  | 'NAVIGATION_REFUSED'
  | 'ORIGIN_OPAQUE'
  | 'ORIGIN_NOT_SECURE'
  | 'ORIGIN_NOT_GRANTED'
  | 'SITE_SCOPE_MISSING'
  | 'BLIND_REQUEST_REFUSED'
  | 'CROSS_SITE_REFUSED'
  | 'BRIDGE_KEY_UNKNOWN'
  | 'BRIDGE_BOUND'
  | 'BRIDGE_REFUSED'
>;

export type GuardVerdict =
  | { readonly kind: 'pass'; readonly caller: 'native-program' | 'own-page' }
  /** A web page of a foreign origin with permission to read the answer. */
  | { readonly kind: 'pass'; readonly caller: 'site'; readonly origin: string }
  /**
   * The background of a browser extension, which names no origin: the request passes if an extension that is let in
   * created the transaction.
   */
  | { readonly kind: 'extension' }
  /** A browser asks whether a foreign page may call; the request itself follows later. */
  | { readonly kind: 'preflight'; readonly origin: string }
  /** The request waits until the user has granted this origin access. */
  | { readonly kind: 'ask'; readonly origin: string; readonly scope: GrantScope }
  /** The system could not be asked for the peer's user. The caller is asked to try again instead of being refused. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'refuse'; readonly refusal: GuardRefusal };

/**
 * Decides whether a request may reach its handler. Pure: the rows of its test are requests recorded from browsers.
 *
 * 1. `Host` is literally one of our names (a rebound DNS name brings its own), and the listener serves the route.
 * 2. The other end belongs to the owner of the data folder: all users of a computer share loopback. Where the system
 *    does not tell, a native program proves it. On a listener of other computers nobody is the owner.
 * 3. Navigations, subresources and WebSockets act without CORS: only allowed for pages.
 * 4. `Origin: null` comes from a form on a hostile page.
 * 5. `no-cors` requests are blind writes.
 * 6. A request of the bridge window is judged as the origin of the page behind it, never as our own page.
 * 7. Our own origin passes if the browser agrees; foreign origins need a grant.
 * 8. No `Origin`, but a foreign `Sec-Fetch-Site`: an image or a script on a foreign page.
 * 9. Neither: a native program.
 */
export function judgeRequest(question: GuardQuestion): GuardVerdict {
  const { host, origin, fetchSite, fetchMode, route, remote } = question;
  if (host === undefined || !question.ownHosts.has(host.toLowerCase())) return refuse('HOST_NOT_OURS');
  if (question.isServed === false) return refuse('ADDRESS_NOT_FOUND');
  const stranger = remote === undefined ? judgePeer(question) : judgeRemote(remote);
  if (stranger === 'busy') return { kind: 'busy' };
  if (stranger !== undefined) return refuse(stranger);
  if (question.upgrade?.toLowerCase() === 'websocket') return refuse('BLIND_REQUEST_REFUSED');
  if (question.bridge !== undefined) return judgeBridge(question, question.bridge);
  if (route === 'bridge' && fetchMode !== 'navigate') return refuse('NAVIGATION_REFUSED');
  if (fetchMode === 'navigate' || isSubresource(question)) return judgeNavigation(question);
  if (origin === 'null') return refuse('ORIGIN_OPAQUE');
  if (fetchMode === 'no-cors') {
    return route === 'download' && fetchSite === 'same-origin' ? ownPage : refuse('BLIND_REQUEST_REFUSED');
  }
  if (origin !== undefined) return judgeOrigin(question, origin);
  if (fetchSite === undefined) return { kind: 'pass', caller: 'native-program' };
  if (fetchSite === 'same-origin') return ownPage;
  return judgeWithoutOrigin(question);
}

/** The sentence of each refusal, with the remedy. */
export const refusalDetails: Record<GuardRefusal, string> = {
  HOST_NOT_OURS: 'Call this instance by its own address, 127.0.0.1 or localhost with its port.',
  USER_NOT_ALLOWED: 'Only programs of the user who runs this instance may call it: start an instance of your own.',
  PROOF_REQUIRED:
    "The system does not tell which user's program calls. Prove it: read the key in the instance's file, ask GET /.well-known/sinete?challenge=… for a nonce, and send X-Sinete-Proof. docs/integrators describes the steps.",
  ADMINISTRATOR_REQUIRED:
    'From another computer this needs an administrator\'s token with the right scope: Authorization: Bearer <token>. "sinete admin tokens add" makes one.',
  ADMINISTRATOR_SCOPE_MISSING:
    'This administrator\'s token does not have the scope for it: make another one with "sinete admin tokens add".',
  ADDRESS_NOT_FOUND: 'There is nothing at this address. /docs lists the endpoints.',
  NAVIGATION_REFUSED:
    'This address answers programs; a browser may not open it, embed it or post a form to it. Use fetch in mode cors.',
  ORIGIN_OPAQUE: 'The request hides where it comes from (Origin: null): call from a page with an origin of its own.',
  ORIGIN_NOT_SECURE:
    'Only pages served over https, or from this computer, may use Sinete: serve the page over https. The owner can let a plain http site sign through the bridge window: "sinete sites allow <origin> --insecure".',
  ORIGIN_NOT_GRANTED: 'Web sites may not call this address.',
  SITE_SCOPE_MISSING:
    'This site lacks the permission for it, which is never asked for: the user gives it in Sites, or with "sinete sites allow".',
  BLIND_REQUEST_REFUSED:
    'Requests in mode no-cors and WebSockets are refused, because their sender is not held to CORS: use fetch in mode cors.',
  CROSS_SITE_REFUSED: 'Another site asked for this without saying which: call with fetch in mode cors.',
  BRIDGE_KEY_UNKNOWN: 'This bridge window has ended: open it again from a click.',
  BRIDGE_BOUND: 'This bridge window works for the site that used it first: open another window for this site.',
  BRIDGE_REFUSED: 'Sites cannot call this address through the bridge window.',
};

const ownPage: GuardVerdict = { kind: 'pass', caller: 'own-page' };

/**
 * True if a page loads this as a resource rather than calls it. Our script module is fetched in mode cors, so that its
 * page may read the module.
 */
function isSubresource({ fetchDest, fetchMode, route }: GuardQuestion): boolean {
  if (fetchDest === undefined || fetchDest === 'empty') return false;
  return !(route === 'discovery' && fetchMode === 'cors' && fetchDest === 'script');
}

function judgePeer(question: GuardQuestion): GuardRefusal | 'busy' | undefined {
  const { peer, route, hasProof } = question;
  switch (peer) {
    case 'same-user':
      return undefined;
    case 'not-loopback':
      return 'USER_NOT_ALLOWED';
    case 'other-user':
      return route === 'discovery' ? undefined : 'USER_NOT_ALLOWED';
    case 'not-identified':
      return route === 'discovery' || hasProof ? undefined : 'PROOF_REQUIRED';
    case 'not-asked':
      return route === 'discovery' || hasProof ? undefined : 'busy';
    case 'not-told':
      return hasProof || isAnswerableToAnyUser(question) ? undefined : 'PROOF_REQUIRED';
  }
}

/** Classes of routes whose handlers check credentials themselves, or whose answers say nothing about the owner. */
const anyUser: ReadonlySet<GuardClass> = new Set([
  'discovery',
  'ui',
  'page',
  'form',
  'bridge',
  'token',
  'asset',
  'none',
]);

/**
 * Requests that are answered even when the system does not report users: routes with their own credential, and web
 * sites, whose browser cannot compute a proof. A site still needs its grant, and each signature its approval.
 */
function isAnswerableToAnyUser({ route, origin, ownHosts, bridge }: GuardQuestion): boolean {
  return anyUser.has(route) || bridge?.key === 'good' || (origin !== undefined && !isOwnOrigin(origin, ownHosts));
}

function judgeRemote({ access, administrator }: NonNullable<GuardQuestion['remote']>): GuardRefusal | undefined {
  if (access === 'open' || administrator === 'permitted') return undefined;
  return administrator === 'nobody' ? 'ADMINISTRATOR_REQUIRED' : 'ADMINISTRATOR_SCOPE_MISSING';
}

function judgeNavigation(question: GuardQuestion): GuardVerdict {
  const { method, route, fetchSite, fetchMode, fetchDest } = question;
  const toWindow = fetchMode === 'navigate' && (fetchDest === undefined || fetchDest === 'document');
  if (method === 'POST') return route === 'form' && toWindow ? judgeForm(question) : refuse('NAVIGATION_REFUSED');
  if (method !== 'GET' && method !== 'HEAD') return refuse('NAVIGATION_REFUSED');
  if (route === 'bridge') return isBridgeWindow(question) ? ownPage : refuse('NAVIGATION_REFUSED');
  const isPage = route === 'page' || route === 'form';
  if (isPage && toWindow) return ownPage;
  // A person may follow a link to a result: the answer is an attachment, which no page can read.
  if (route === 'download' && fetchMode === 'navigate' && fetchDest === 'document') return ownPage;
  if (fetchSite !== 'same-origin') return refuse('NAVIGATION_REFUSED');
  if (route === 'download') return ownPage;
  return (route === 'asset' || isPage) && fetchMode !== 'navigate' ? ownPage : refuse('NAVIGATION_REFUSED');
}

/** The bridge is a window of its own on this computer's address: a browser says so, and a program does not need it. */
function isBridgeWindow({ fetchMode, fetchDest, remote }: GuardQuestion): boolean {
  return fetchMode === 'navigate' && fetchDest === 'document' && remote === undefined;
}

/**
 * Judges a request that the bridge window forwards, as the origin of the page behind the window. The browser has to say
 * that the request comes from our own page; the key says which document of ours, and its first origin.
 */
function judgeBridge(question: GuardQuestion, { key, origin }: NonNullable<GuardQuestion['bridge']>): GuardVerdict {
  const { route, host, fetchSite, fetchMode, method, remote } = question;
  const isOwnOrigin = question.origin === undefined || question.origin === `http://${host ?? ''}`.toLowerCase();
  if (remote !== undefined) return refuse('BRIDGE_REFUSED');
  if (fetchSite !== 'same-origin' || (fetchMode !== 'cors' && fetchMode !== 'same-origin') || !isOwnOrigin) {
    return refuse('CROSS_SITE_REFUSED');
  }
  if (key === 'unknown') return refuse('BRIDGE_KEY_UNKNOWN');
  if (route === 'bridge') return method === 'DELETE' ? ownPage : refuse('BRIDGE_REFUSED');
  if (key === 'bound') return refuse('BRIDGE_BOUND');
  if (origin === 'null' || origin === '') return refuse('ORIGIN_OPAQUE');
  const need = neededScopes[route];
  if (need === undefined || need === 'user:write' || need === 'application:read') return refuse('BRIDGE_REFUSED');
  return isPlainHttpOrigin(origin) ? judgePlainSite(question, need, origin) : judgeSite(question, origin);
}

/**
 * A plain http origin is no identity on a network. Where the owner named it after a warning, its pages may sign through
 * the bridge; it never causes a question about itself.
 */
function judgePlainSite({ grant }: GuardQuestion, need: GrantScope | 'any', origin: string): GuardVerdict {
  if (grant === undefined) return refuse('ORIGIN_NOT_SECURE');
  const isPermitted = grant.includes('sign') && (need === 'sign' || need === 'any');
  return isPermitted ? { kind: 'pass', caller: 'site', origin } : refuse('SITE_SCOPE_MISSING');
}

/**
 * A request without an origin, which no native program sent. Extensions with a permission for this computer send such
 * requests from their background (`Sec-Fetch-Site: none`, mode `cors`): these may find the helper, and read a
 * transaction whose TCN they know. No page can send them.
 */
function judgeWithoutOrigin({ method, route, fetchSite, fetchMode, fetchDest, remote }: GuardQuestion): GuardVerdict {
  const isBackground = fetchSite === 'none' && fetchMode === 'cors' && fetchDest !== 'document' && remote === undefined;
  const isReading = method === 'GET' || method === 'HEAD';
  if (!isBackground || !isReading) return refuse('CROSS_SITE_REFUSED');
  if (route === 'discovery') return ownPage;
  return route === 'granted' || route === 'download' ? { kind: 'extension' } : refuse('CROSS_SITE_REFUSED');
}

/** A form of our own page has both marks: the browser reports `same-origin`, and the `Origin` is ours. */
function judgeForm(question: GuardQuestion): GuardVerdict {
  const { fetchSite, origin } = question;
  return fetchSite === 'same-origin' && origin !== undefined && isOurs(question, origin)
    ? ownPage
    : refuse('NAVIGATION_REFUSED');
}

/** True if an origin is that of our own pages, on the listener of this request. */
function isOurs({ ownHosts, remote }: GuardQuestion, origin: string): boolean {
  return remote === undefined ? isOwnOrigin(origin, ownHosts) : origin === remote.origin;
}

function judgeOrigin(question: GuardQuestion, origin: string): GuardVerdict {
  const { host, route, fetchSite, remote } = question;
  if (isOurs(question, origin)) {
    const asAddressed = remote?.origin ?? `http://${host ?? ''}`.toLowerCase();
    const browserAgrees = fetchSite === undefined ? origin === asAddressed : fetchSite === 'same-origin';
    if (browserAgrees) return ownPage;
    if (route !== 'discovery') return refuse('ORIGIN_NOT_GRANTED');
  }
  if (route === 'discovery' || (route === 'token' && mayBeAsked(origin)))
    return { kind: 'pass', caller: 'site', origin };
  return judgeSite(question, origin);
}

function judgeSite({ method, route, grant, remote }: GuardQuestion, origin: string): GuardVerdict {
  const need = neededScopes[route];
  // A server has no user at a window who could decide, and remote callers must not trigger questions to the owner.
  if (need === undefined || (remote !== undefined && grant === undefined)) return refuse('ORIGIN_NOT_GRANTED');
  // A plain http origin with a grant may use the bridge, and nothing else.
  if (!mayBeAsked(origin) && (grant === undefined || isPlainHttpOrigin(origin))) return refuse('ORIGIN_NOT_SECURE');
  if (method === 'OPTIONS') return { kind: 'preflight', origin };
  if (grant !== undefined && (need === 'any' || grant.includes(need))) return { kind: 'pass', caller: 'site', origin };
  // Users are never asked to grant access to the secret of this computer's application: only the owner can grant that
  // scope, on the page of sites.
  if (need === 'application:read' || remote !== undefined || !mayBeAsked(origin)) return refuse('SITE_SCOPE_MISSING');
  return { kind: 'ask', origin, scope: need === 'any' ? 'sign' : need };
}

/** True for `http://` and exactly one of our host names; browsers write host names in lower case. */
function isOwnOrigin(origin: string, ownHosts: ReadonlySet<string>): boolean {
  return origin.startsWith('http://') && ownHosts.has(origin.slice('http://'.length));
}

const SECURE = /^https:\/\/[^/?#@\s]+$/;
const ON_THIS_COMPUTER = /^http:\/\/(localhost|[a-z0-9-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/;

/**
 * True for an origin that may be shown to the user in a question: https, or http on this computer, for developers.
 * Plain http origins can be forged on the network, and other schemes are not web sites.
 */
function mayBeAsked(origin: string): boolean {
  return SECURE.test(origin) || ON_THIS_COMPUTER.test(origin);
}

/** The scope that a site's grant must have for a route; undefined for routes closed to sites. */
const neededScopes: Record<GuardClass, GrantScope | 'any' | undefined> = {
  'user:read': 'user:read',
  'user:write': 'user:write',
  'certificates:read': 'certificates:read',
  sign: 'sign',
  'application:read': 'application:read',
  granted: 'any',
  download: 'any',
  api: undefined,
  ui: undefined,
  page: undefined,
  form: undefined,
  bridge: undefined,
  token: undefined,
  asset: undefined,
  discovery: undefined,
  none: undefined,
};

function refuse(refusal: GuardRefusal): GuardVerdict {
  return { kind: 'refuse', refusal };
}
