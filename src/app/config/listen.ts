import { isIP } from 'node:net';
import { z } from 'zod';
import { AddressList, LISTENER_SERVICES, type ListenerService } from '../../http/listeners/listener.ts';
import { AppError } from '../app-error.ts';

/** A listener beside the usual loopback listener, checked. */
export interface ConfiguredListener {
  /** An IP address. */
  readonly host: string;
  readonly port: number;
  readonly services: readonly ListenerService[];
  /** Paths of PEM files. */
  readonly tls?: { readonly certificate: string; readonly key: string };
  /** Present for a listener for other computers. */
  readonly remote?: { readonly publicUrl: string; readonly trustedProxies?: readonly string[] };
}

const filePath = z.string().regex(/^(\/|[A-Za-z]:[\\/])/, 'must be an absolute path');
const address = z.string().refine((text) => isIP(text) !== 0, 'must be an IP address, as "0.0.0.0" or "::"');
const network = z.string().refine(isNetwork, 'must be an address or a network, as "10.0.0.5" or "10.0.0.0/8"');

/** An entry `[[listen]]` of the configuration. */
export const listenEntry = z.strictObject({
  host: address,
  port: z.number().int().min(0).max(65_535),
  services: z.array(z.enum(LISTENER_SERVICES)).min(1).optional(),
  tls: z.strictObject({ certificate: filePath, key: filePath }).optional(),
  behind_proxy: z.boolean().optional(),
  trusted_proxies: z.array(network).min(1).optional(),
});

/** The origin by which other computers know this instance. */
export const publicUrl = z
  .url({ protocol: /^https?$/ })
  .refine(isPublicUrl, 'must be https://NAME, or http with a loopback name, without a path');

/** All services except the window, which is served to other computers only if an entry names it. */
const usualServices = LISTENER_SERVICES.filter((service) => service !== 'window');

/** Checks the entries against each other. Throws `AppError` with exit code 2, so that nothing is exposed by mistake. */
export function readListeners(
  entries: readonly z.output<typeof listenEntry>[],
  ownUrl: string | undefined,
): readonly ConfiguredListener[] {
  return entries.map((entry): ConfiguredListener => {
    const { host, port, tls, behind_proxy: isBehindProxy = false, trusted_proxies: proxies } = entry;
    const at = `The entry of "listen" for ${host}:${port}`;
    const services = entry.services ?? usualServices;
    if (isBehindProxy !== (proxies !== undefined)) {
      throw new AppError(2, `${at} needs both behind_proxy = true and trusted_proxies, or neither.`);
    }
    if (isLoopbackAddress(host) && tls === undefined && !isBehindProxy) return { host, port, services };
    if (tls === undefined && !isBehindProxy) {
      const remedy = 'give tls.certificate and tls.key, or behind_proxy = true with trusted_proxies';
      throw new AppError(2, `${at} would be open to other computers without TLS: ${remedy}.`);
    }
    if (ownUrl === undefined) {
      throw new AppError(2, `${at} needs "public_url", the https address by which clients reach it.`);
    }
    const remote = { publicUrl: new URL(ownUrl).origin, trustedProxies: proxies };
    return { host, port, services, remote, tls };
  });
}

/** True if an address is a loopback address, which only programs on this computer reach. */
function isLoopbackAddress(host: string): boolean {
  return host === '::1' || /^127\./.test(host);
}

function isNetwork(text: string): boolean {
  try {
    return new AddressList([text]).has('0.0.0.0') || isIP(text.split('/', 1)[0] ?? '') !== 0;
  } catch {
    return false;
  }
}

function isPublicUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '') return false;
  return url.protocol === 'https:' || ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
}
