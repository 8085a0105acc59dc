import type { Certificate } from '../certificates/certificate.ts';
import { buildPath, type PathRequest } from '../certificates/path/build-path.ts';
import type { PathResult } from '../certificates/path/path-result.ts';
import { readCertificates } from '../certificates/trust/read-certificates.ts';
import type { HttpClient } from '../http-client.ts';
import { CachedLoader, type RevocationCache } from './cache/revocation-cache.ts';
import { fetchBytes, readRevocationSources } from './revocation-sources.ts';
import { problemOf } from './revocation-result.ts';

/** Services and limits for fetching issuers. */
export interface IssuerFetchOptions {
  readonly http?: HttpClient;
  readonly cache?: RevocationCache;
  readonly now?: () => Date;
  /** Milliseconds for an exchange; by default 15,000. */
  readonly timeout?: number;
}

/** Builds a path, and fetches missing issuers from the addresses in the certificates. */
export type PathCompleter = (request: PathRequest, signal?: AbortSignal) => Promise<PathResult>;

const DEFAULT_TIMEOUT = 15_000;
const MAX_BYTES = 2 ** 20;
/** Maximum number of certificates fetched for a path. */
const MAX_FETCHES = 8;
const DAY = 24 * 60 * 60 * 1000;

class Completer {
  readonly #options: IssuerFetchOptions;
  readonly #now: () => Date;
  readonly #loader: CachedLoader;

  constructor(options: IssuerFetchOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
    this.#loader = new CachedLoader(options.cache, this.#now);
  }

  async complete(request: PathRequest, signal?: AbortSignal): Promise<PathResult> {
    let intermediates = request.intermediates;
    const asked = new Set<string>();
    for (;;) {
      const result = buildPath({ ...request, intermediates });
      const last = result.path.at(-1);
      const isMissing = result.problems.some(({ code }) => code === 'ISSUER_NOT_FOUND');
      if (last === undefined || !isMissing || asked.has(last.fingerprint) || asked.size === MAX_FETCHES) return result;
      asked.add(last.fingerprint);
      const fetched = await this.#issuersOf(last, signal);
      if (fetched.length === 0) return result;
      intermediates = [...intermediates, ...fetched];
    }
  }

  /** The certificates from the first address with an answer: DER, PEM or PKCS#7 (RFC 5280 §4.2.2.1). */
  async #issuersOf(certificate: Certificate, signal: AbortSignal | undefined): Promise<readonly Certificate[]> {
    const { http, timeout = DEFAULT_TIMEOUT } = this.#options;
    if (http === undefined) return [];
    const issuerKey = certificate.authorityKeyIdentifier?.toString('hex') ?? '';
    for (const url of readRevocationSources(certificate).issuers) {
      const key = { issuerKey, kind: 'issuer', locator: url } as const;
      try {
        const { der } = await this.#loader.load(
          key,
          async () => ({
            kind: 'data',
            der: await fetchBytes(http, { method: 'GET', purpose: 'issuer', url, timeout, maxBytes: MAX_BYTES }),
            freshUntil: new Date(this.#now().getTime() + DAY),
          }),
          signal,
        );
        const { certificates } = readCertificates(der);
        if (certificates.length > 0) return certificates;
      } catch (error) {
        // A failed address leaves the path unchanged. `problemOf` throws only for a cancelled call.
        problemOf(error);
      }
    }
    return [];
  }
}

/** Creates a path builder that fetches missing issuers and rejects with `CANCELLED` only. */
export function createPathCompleter(options: IssuerFetchOptions): PathCompleter {
  const completer = new Completer(options);
  return (request, signal) => completer.complete(request, signal);
}
