/** Connections, kept open for a while, separate for each client certificate, and only to permitted addresses. */
import { createHash } from 'node:crypto';
import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { getCACertificates, type SecureContextOptions } from 'node:tls';
import { Agent, ProxyAgent, buildConnector, type Dispatcher } from 'undici';
import type { HttpRequest } from '../signing/index.ts';
import {
  refused,
  type AddressGuard,
  matchesPattern,
  parseHostPattern,
  type HostPattern,
  type HostTarget,
} from './host-pattern.ts';

type ClientCertificate = NonNullable<HttpRequest['clientCertificate']>;

/** The proxy for an address, `http:` or `https:`; undefined without a proxy, or when the proxy is unknown. */
export type FindProxy = (url: URL) => Promise<URL | undefined>;

/** How connections are made. */
export interface ConnectionSettings {
  readonly guard: AddressGuard;
  /** Milliseconds for the connection, TLS included. */
  readonly connectTimeout: number;
  /** `http:` or `https:`, with user and password if necessary. */
  readonly proxy: URL | undefined;
  /** Called for each address when `proxy` is undefined. */
  readonly findProxy: FindProxy | undefined;
  /** Hosts reached without the proxy, subdomains included. */
  readonly noProxy: readonly string[];
  /** PEM; trusted in addition to Node's authorities. */
  readonly certificateAuthorities: readonly string[];
  readonly lookup: LookupFunction | undefined;
}

/** Maximum number of connection pools; further client certificates close the least recently used pool. */
const MAX_POOLS = 16;
const NO_TIME_LIMIT = 0;

/** Host and port of a URL. */
export function targetOf(url: URL): HostTarget {
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return { hostname: url.hostname.replace(/^\[|\]$/g, ''), port };
}

/** The address of a host without a look-up: `localhost` is always this computer (RFC 6761 §6.3). */
export function knownAddress(hostname: string): string | undefined {
  if (isIP(hostname) !== 0) return hostname;
  return /(^|\.)localhost\.?$/.test(hostname) ? '127.0.0.1' : undefined;
}

/** Chooses and keeps the dispatchers of undici. */
export class Connections {
  readonly #settings: ConnectionSettings;
  readonly #lookup: LookupFunction;
  readonly #noProxy: readonly HostPattern[];
  readonly #pools = new Map<string, Dispatcher>();

  constructor(settings: ConnectionSettings) {
    this.#settings = settings;
    this.#lookup = settings.lookup ?? systemLookup;
    this.#noProxy = settings.noProxy.map(parseHostPattern);
  }

  /** A dispatcher for the URL's host. Rejects with `NETWORK_REFUSED` when the refusal is known before connecting. */
  async open(url: URL, certificate: ClientCertificate | undefined): Promise<Dispatcher> {
    const target = targetOf(url);
    this.checkKnown(url);
    const proxy = await this.#proxyFor(url, target);
    if (proxy === undefined) return this.#pool('direct', certificate, () => this.#directAgent(certificate));
    await this.#checkBeforeProxy(target);
    return this.#pool(`proxy ${proxy.href}`, certificate, () => this.#proxyAgent(proxy, certificate));
  }

  /** Throws `NETWORK_REFUSED` for a forbidden address known without a look-up. */
  checkKnown(url: URL): void {
    const target = targetOf(url);
    const known = knownAddress(target.hostname);
    if (known !== undefined && !this.#settings.guard.allows(target, known)) throw refused(target);
  }

  async #proxyFor(url: URL, target: HostTarget): Promise<URL | undefined> {
    const { proxy, findProxy } = this.#settings;
    if (this.#noProxy.some((entry) => matchesPattern(entry, target, undefined, true))) return undefined;
    return proxy ?? findProxy?.(url);
  }

  async close(): Promise<void> {
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  #pool(way: string, certificate: ClientCertificate | undefined, make: () => Dispatcher): Dispatcher {
    const holder = certificate && createHash('sha256').update(JSON.stringify(certificate)).digest('base64');
    const key = `${way} ${holder ?? ''}`;
    const pool = this.#pools.get(key) ?? make();
    this.#pools.delete(key);
    this.#pools.set(key, pool);
    const [oldest] = this.#pools;
    if (this.#pools.size > MAX_POOLS && oldest !== undefined) {
      this.#pools.delete(oldest[0]);
      // `close` lets running exchanges finish.
      void oldest[1].close();
    }
    return pool;
  }

  #tls(certificate: ClientCertificate | undefined): Pick<SecureContextOptions, 'ca' | 'cert' | 'key'> {
    const { certificateAuthorities } = this.#settings;
    return {
      ...(certificateAuthorities.length === 0
        ? {}
        : { ca: [...getCACertificates('default'), ...certificateAuthorities] }),
      cert: certificate?.certificate,
      key: certificate?.privateKey,
    };
  }

  #directAgent(certificate: ClientCertificate | undefined): Agent {
    const { guard, connectTimeout } = this.#settings;
    const tls = this.#tls(certificate);
    const connect: buildConnector.connector = (options, callback) => {
      const hostname = options.hostname.replace(/^\[|\]$/g, '');
      const target = { hostname, port: Number(options.port) || (options.protocol === 'https:' ? 443 : 80) };
      // Node calls `lookup` for names only, so a literal address is checked here.
      if (isIP(hostname) !== 0 && !guard.allows(target, hostname)) {
        callback(refused(target), null);
        return;
      }
      const lookup = guard.guardLookup(target, this.#lookup);
      buildConnector({ ...tls, lookup, timeout: connectTimeout, allowH2: false })(options, callback);
    };
    return new Agent({ connect, headersTimeout: NO_TIME_LIMIT, bodyTimeout: NO_TIME_LIMIT });
  }

  #proxyAgent(proxy: URL, certificate: ClientCertificate | undefined): ProxyAgent {
    const timeout = this.#settings.connectTimeout;
    return new ProxyAgent({
      uri: proxy.href,
      requestTls: { ...this.#tls(certificate), timeout, allowH2: false },
      proxyTls: { ...this.#tls(undefined), timeout, allowH2: false },
      headersTimeout: NO_TIME_LIMIT,
      bodyTimeout: NO_TIME_LIMIT,
      allowH2: false,
    });
  }

  /**
   * The proxy resolves names itself, so its answer cannot be checked. A name with a forbidden address by our own
   * look-up is refused; a name that cannot be resolved here, as is usual behind a proxy, is left to the proxy's rules.
   */
  #checkBeforeProxy(target: HostTarget): Promise<void> {
    if (isIP(target.hostname) !== 0) return Promise.resolve();
    const lookup = this.#settings.guard.guardLookup(target, this.#lookup);
    return new Promise((resolve, reject) => {
      lookup(target.hostname, { all: true }, (error) => {
        if (error !== null && 'code' in error && error.code === 'NETWORK_REFUSED') reject(error);
        else resolve();
      });
    });
  }
}
