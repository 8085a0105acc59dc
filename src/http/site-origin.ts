import type { GrantScope } from '../service/index.ts';

/** Classes of routes that web sites may call, with a grant. */
export type SiteClass = GrantScope | 'granted' | 'download';

/** `http://` and literally one of our names, which browsers write in lower case. */
export function isOwnOrigin(origin: string, ownHosts: ReadonlySet<string>): boolean {
  return origin.startsWith('http://') && ownHosts.has(origin.slice('http://'.length));
}

const SECURE = /^https:\/\/[^/?#@\s]+$/;
const ON_THIS_COMPUTER = /^http:\/\/(localhost|[a-z0-9-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/;

/**
 * Whether the user may be asked to let this origin in: https, or http from this computer, where pages are developed.
 * An origin of plain http could be anyone on the way; one of another scheme is no web site.
 */
export function mayBeAsked(origin: string): boolean {
  return SECURE.test(origin) || ON_THIS_COMPUTER.test(origin);
}
