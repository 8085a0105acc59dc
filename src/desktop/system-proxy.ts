import type { Session } from 'electron';
import type { FindProxy } from '../network/index.ts';

/** Asks the system for the proxy of an address: fixed settings, PAC files and WPAD alike. */
export function systemProxy(session: Pick<Session, 'resolveProxy'>): FindProxy {
  return async ({ href }) => parseProxyList(await session.resolveProxy(href).catch(() => 'DIRECT'));
}

/**
 * The first usable entry of a PAC list: `PROXY a:1; DIRECT`. SOCKS proxies are skipped, because the network layer
 * supports only HTTP proxies.
 */
export function parseProxyList(list: string): URL | undefined {
  for (const entry of list.split(';')) {
    const [kind = '', host] = entry.trim().split(/\s+/);
    if (kind.toUpperCase() === 'DIRECT') return undefined;
    const scheme = { PROXY: 'http', HTTP: 'http', HTTPS: 'https' }[kind.toUpperCase()];
    const url = scheme === undefined || host === undefined ? null : URL.parse(`${scheme}://${host}`);
    if (url !== null) return url;
  }
  return undefined;
}
