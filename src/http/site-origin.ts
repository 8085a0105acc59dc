import type { GrantScope } from '../service/consent/index.ts';

/** Classes of routes for web sites with a grant. */
export type SiteClass = GrantScope | 'granted' | 'download';

/** `http://` and literally one of our names in lower case, as browsers write names. */
export function isOwnOrigin(origin: string, ownHosts: ReadonlySet<string>): boolean {
  return origin.startsWith('http://') && ownHosts.has(origin.slice('http://'.length));
}

const SECURE = /^https:\/\/[^/?#@\s]+$/;
const ON_THIS_COMPUTER = /^http:\/\/(localhost|[a-z0-9-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/;

/**
 * True for an origin that the user may be asked about: https, or http from this computer, for developers. Anybody on
 * the way could be an origin of plain http; another scheme is no web site.
 */
export function mayBeAsked(origin: string): boolean {
  return SECURE.test(origin) || ON_THIS_COMPUTER.test(origin);
}
