import type { HttpErrorCode } from './http-error.ts';

/**
 * What a route lets through:
 * - `api`: native programs of the data folder's owner, and pages that this server serves itself.
 * - `download`: as `api`, and a navigation that starts on one of our own pages.
 * - `ui`: as `api`; the handlers ask for a session besides.
 * - `page`: something a person may open in a browser; never inside a frame.
 * - `asset`: what our own pages load.
 * - `discovery`: tells nothing about users, so any program and any site may read it.
 * - `none`: there is no such route; nothing but the refusal may be learnt.
 */
export type GuardClass = 'api' | 'download' | 'ui' | 'page' | 'asset' | 'discovery' | 'none';

/** Who holds the other end of the connection. `not-checked`: this system offers no way to ask; loopback is sure. */
export type Peer = 'same-user' | 'other-user' | 'not-checked' | 'not-loopback';

/** Everything that the guard looks at. Header values are as received; undefined when absent. */
export interface GuardQuestion {
  readonly peer: Peer;
  /** Our own names with port, in lower case: `127.0.0.1:17171`. A literal list, never "Origin equals Host". */
  readonly ownHosts: ReadonlySet<string>;
  readonly method: string;
  readonly route: GuardClass;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
  readonly fetchMode: string | undefined;
  readonly fetchDest: string | undefined;
}

/** Why the guard refuses: codes of `HttpError`. */
export type GuardRefusal = Extract<
  HttpErrorCode,
  | 'HOST_NOT_OURS'
  | 'USER_NOT_ALLOWED'
  | 'NAVIGATION_REFUSED'
  | 'ORIGIN_OPAQUE'
  | 'ORIGIN_NOT_GRANTED'
  | 'BLIND_REQUEST_REFUSED'
  | 'CROSS_SITE_REFUSED'
>;

export type GuardVerdict =
  /** `site`: a web page of a foreign origin, which may read the answer. */
  | { readonly allowed: true; readonly caller: 'native-program' | 'own-page' }
  | { readonly allowed: true; readonly caller: 'site'; readonly origin: string }
  | { readonly allowed: false; readonly refusal: GuardRefusal };

/**
 * Decides whether a request may reach its handler. Pure: the rows of its test are requests recorded from browsers.
 *
 * 1. `Host` is literally one of our names (a rebound DNS name brings its own).
 * 2. The other end belongs to the owner of the data folder: loopback is shared by all users of a computer.
 * 3. Navigations and subresources act without the page being able to see the answer: only where a page is meant.
 * 4. `Origin: null` is what a form on a hostile page sends.
 * 5. `no-cors` requests are blind writes.
 * 6. Our own origin passes, provided the browser agrees that the page is ours; foreign origins need a grant.
 * 7. Without `Origin`, but with `Sec-Fetch-Site` of elsewhere: an image or a script on a foreign page.
 * 8. Neither: a native program.
 */
export function judgeRequest(question: GuardQuestion): GuardVerdict {
  const { host, origin, fetchSite, fetchMode, fetchDest, route } = question;
  if (host === undefined || !question.ownHosts.has(host.toLowerCase())) return refuse('HOST_NOT_OURS');
  if (question.peer === 'not-loopback') return refuse('USER_NOT_ALLOWED');
  if (question.peer === 'other-user' && route !== 'discovery') return refuse('USER_NOT_ALLOWED');
  if (fetchMode === 'navigate' || (fetchDest !== undefined && fetchDest !== 'empty')) return judgeNavigation(question);
  if (origin === 'null') return refuse('ORIGIN_OPAQUE');
  if (fetchMode === 'no-cors') {
    return route === 'download' && fetchSite === 'same-origin' ? ownPage : refuse('BLIND_REQUEST_REFUSED');
  }
  if (origin !== undefined) return judgeOrigin(question, origin);
  if (fetchSite === undefined) return { allowed: true, caller: 'native-program' };
  if (fetchSite === 'same-origin') return ownPage;
  return refuse('CROSS_SITE_REFUSED');
}

/** What each refusal tells: a sentence that says what to do. */
export const refusalDetails: Record<GuardRefusal, string> = {
  HOST_NOT_OURS: 'Call this instance by its own address, 127.0.0.1 or localhost with its port.',
  USER_NOT_ALLOWED: 'Only programs of the user who runs this instance may call it: start an instance of your own.',
  NAVIGATION_REFUSED:
    'This address answers programs; a browser may not open it, embed it or post a form to it. Use fetch in mode cors.',
  ORIGIN_OPAQUE: 'The request hides where it comes from (Origin: null): call from a page with an origin of its own.',
  ORIGIN_NOT_GRANTED: 'This site has no permission to use Sinete on this computer.',
  BLIND_REQUEST_REFUSED: 'Requests in mode no-cors are refused, because their sender cannot see the answer: use cors.',
  CROSS_SITE_REFUSED: 'Another site asked for this without saying which: call with fetch in mode cors.',
};

const ownPage: GuardVerdict = { allowed: true, caller: 'own-page' };

function judgeNavigation({ method, route, fetchSite, fetchMode, fetchDest }: GuardQuestion): GuardVerdict {
  if (method !== 'GET' && method !== 'HEAD') return refuse('NAVIGATION_REFUSED');
  const toWindow = fetchMode === 'navigate' && (fetchDest === undefined || fetchDest === 'document');
  if (route === 'page' && toWindow) return ownPage;
  if (fetchSite !== 'same-origin') return refuse('NAVIGATION_REFUSED');
  if (route === 'download') return ownPage;
  return (route === 'asset' || route === 'page') && fetchMode !== 'navigate' ? ownPage : refuse('NAVIGATION_REFUSED');
}

function judgeOrigin({ host, route, fetchSite, ownHosts }: GuardQuestion, origin: string): GuardVerdict {
  const ownOrigin = origin.startsWith('http://') && ownHosts.has(origin.slice('http://'.length));
  const browserAgrees = fetchSite === undefined ? origin === `http://${host ?? ''}` : fetchSite === 'same-origin';
  if (ownOrigin && browserAgrees) return ownPage;
  return route === 'discovery' ? { allowed: true, caller: 'site', origin } : refuse('ORIGIN_NOT_GRANTED');
}

function refuse(refusal: GuardRefusal): GuardVerdict {
  return { allowed: false, refusal };
}
