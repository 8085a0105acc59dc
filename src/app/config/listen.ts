import { isIP } from 'node:net';
import { z } from 'zod';
import { AddressList, LISTENER_SERVICES, type ListenerService } from '../../http/listeners/listener.ts';
import { AppError } from '../app-error.ts';

/** A listener beside the usual loopback listener, checked. */
export type ConfiguredListener = ListenerRules & (AddressPlace | SocketPlace);

/** The place of a listener: an IP address with a port. */
export interface AddressPlace {
  readonly host: string;
  readonly port: number;
  readonly socket?: undefined;
}

/** The place of a listener: a Unix socket, for a proxy on this computer. */
export interface SocketPlace {
  /** An absolute path. */
  readonly socket: string;
  /** Name or number of the group that may connect; absent: the group of this process. */
  readonly group?: string;
}

interface ListenerRules {
  readonly services: readonly ListenerService[];
  /** Paths of PEM files. */
  readonly tls?: { readonly certificate: string; readonly key: string };
  /** Present for a listener for other computers. */
  readonly remote?: { readonly publicUrl: string; readonly trustedProxies?: readonly string[] };
}

/** Bytes of a path of a socket (unix(7); 104 on macOS, with the final zero). */
const MOST_SOCKET_BYTES = 103;

const filePath = z.string().regex(/^(\/|[A-Za-z]:[\\/])/, 'must be an absolute path');
const address = z.string().refine((text) => isIP(text) !== 0, 'must be an IP address, as "0.0.0.0" or "::"');
const network = z.string().refine(isNetwork, 'must be an address or a network, as "10.0.0.5" or "10.0.0.0/8"');

/** An entry `[[listen]]` of the configuration. */
export const listenEntry = z.strictObject({
  host: address.optional(),
  port: z.number().int().min(0).max(65_535).optional(),
  socket: z
    .string()
    .regex(/^\//, 'must be an absolute path')
    .refine((path) => Buffer.byteLength(path) <= MOST_SOCKET_BYTES, `may have ${MOST_SOCKET_BYTES} bytes`)
    .optional(),
  socket_group: z.string().min(1).optional(),
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
  return entries.map((entry) => (entry.socket === undefined ? addressListener(entry, ownUrl) : socketListener(entry, ownUrl))); // prettier-ignore
}

type Entry = z.output<typeof listenEntry>;

function addressListener(entry: Entry, ownUrl: string | undefined): ConfiguredListener {
  const { host, port, tls, behind_proxy: isBehindProxy = false, trusted_proxies: proxies } = entry;
  if (host === undefined || port === undefined || entry.socket_group !== undefined) {
    throw new AppError(2, 'An entry of "listen" needs host and port, or socket, with socket_group if need be.');
  }
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
  return { host, port, services, remote: remoteRules(at, ownUrl, proxies), tls };
}

/** The rights of a socket's file decide who may connect, so a socket is for a proxy alone. */
function socketListener(entry: Entry, ownUrl: string | undefined): ConfiguredListener {
  const { socket = '', socket_group: group, trusted_proxies: proxies } = entry;
  const at = `The entry of "listen" for the socket ${socket}`;
  if (process.platform === 'win32') throw new AppError(2, `${at} cannot be used on Windows: name host and port.`);
  if (entry.host !== undefined || entry.port !== undefined || entry.tls !== undefined) {
    throw new AppError(2, `${at} has neither host, port nor tls: a proxy on this computer ends TLS.`);
  }
  if (entry.behind_proxy !== true) throw new AppError(2, `${at} needs behind_proxy = true.`);
  return { socket, group, services: entry.services ?? usualServices, remote: remoteRules(at, ownUrl, proxies) };
}

function remoteRules(
  at: string,
  ownUrl: string | undefined,
  trustedProxies: readonly string[] | undefined,
): NonNullable<ListenerRules['remote']> {
  if (ownUrl === undefined) {
    throw new AppError(2, `${at} needs "public_url", the https address by which clients reach it.`);
  }
  return { publicUrl: new URL(ownUrl).origin, trustedProxies };
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
