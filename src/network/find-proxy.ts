import { parseAddress, matchesPattern, parseHostPattern } from './host-pattern.ts';
import { knownAddress, targetOf, type FindProxy } from './connections.ts';

/**
 * The proxy for libraries with an HTTP client of their own: the configured proxy, else the answer of `findSystemProxy`;
 * none for this computer and for the hosts of `noProxy`. Throws `NETWORK_REFUSED` for an unreadable entry of `noProxy`.
 */
export function proxyFinder(
  { proxy, noProxy }: { readonly proxy: URL | undefined; readonly noProxy: readonly string[] },
  findSystemProxy?: FindProxy,
): FindProxy {
  const exceptions = noProxy.map(parseHostPattern);
  return async (url) => {
    const target = targetOf(url);
    const isHere = parseAddress(knownAddress(target.hostname) ?? '')?.range() === 'loopback';
    if (isHere || exceptions.some((entry) => matchesPattern(entry, target, undefined, true))) return undefined;
    return proxy ?? findSystemProxy?.(url);
  };
}
