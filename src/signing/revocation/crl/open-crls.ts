import type { Certificate } from '../../certificates/certificate.ts';
import type { HttpClient } from '../../http-client.ts';
import { type CachedLoader, type LoadedData, type RevocationCacheKey, SizedTable } from '../cache/revocation-cache.ts';
import { crlDer, fetchOctets, readRevocationSources } from '../revocation-sources.ts';
import {
  freshUntil,
  findFreshnessProblem,
  type EvidenceOrigin,
  type Revocation,
  type RevocationProblem,
} from '../revocation-result.ts';
import { keyHash } from '../key-hash.ts';
import { CrlIndex } from './crl-index.ts';
import {
  isSameName,
  GeneralNameKind,
  generalNameText,
  readGeneralName,
  type GeneralName,
} from '../../certificates/path/distinguished-name.ts';
import { readDer } from '../../der/reader.ts';
import type { CrlScope } from './crl-head.ts';

/** Most bytes of CRLs that stay open with their index. */
const OPEN_CRL_OCTETS = 96 * 2 ** 20;

/** A verified CRL, ready for look-ups. */
export interface OpenCrl {
  readonly index: CrlIndex;
  readonly der: Buffer;
  readonly origin: EvidenceOrigin;
}

/** Services and limits for fetching CRLs. */
export interface OpenCrlsOptions {
  readonly loader: CachedLoader;
  /** Absent: nothing is fetched. */
  readonly http: HttpClient | undefined;
  readonly now: () => Date;
  /** Milliseconds for an exchange. */
  readonly timeout: number;
  /** Octets of a CRL at most. */
  readonly maxOctets: number;
  /** Accepts SHA-1: for evidence of the past. */
  readonly allowLegacyAlgorithms: boolean;
}

/** The CRLs used last, open with their indexes; others are read from the cache or fetched. */
export class OpenCrls {
  readonly #options: OpenCrlsOptions;
  readonly #open = new SizedTable<OpenCrl>(OPEN_CRL_OCTETS);

  constructor(options: OpenCrlsOptions) {
    this.#options = options;
  }

  /** The fresh CRL of this signer and address, if already open. */
  find(signer: Certificate, url: string): OpenCrl | undefined {
    const open = this.#open.get(`${keyHash(signer)} ${url}`);
    return open !== undefined && freshUntil(open.index) > this.#options.now() ? open : undefined;
  }

  /** The indexed CRL at the address; undefined when only the cache is asked and the cache has no entry. */
  async open(
    url: string,
    signer: Certificate,
    origin: 'cache' | 'network',
    signal: AbortSignal | undefined,
  ): Promise<OpenCrl | undefined> {
    const key: RevocationCacheKey = { issuerKey: keyHash(signer), kind: 'crl', locator: url };
    const open = this.find(signer, url);
    if (open !== undefined) return open;
    const { loader, http } = this.#options;
    const entry = await loader.peek(key);
    let data = entry?.kind === 'data' ? entry : undefined;
    const from = data === undefined ? 'network' : 'cache';
    if (data === undefined) {
      if (origin === 'cache' || http === undefined) return undefined;
      data = await loader.load(key, () => this.#fetch(http, url, signer), signal);
    }
    const { der, index: serialized } = data;
    const index =
      serialized === undefined
        ? await CrlIndex.build(der, signer, this.#options)
        : await CrlIndex.restore(serialized, der);
    this.#open.set(`${key.issuerKey} ${url}`, { index, der, origin: 'cache' }, der.length + index.entryCount * 8);
    return { index, der, origin: from };
  }

  async #fetch(http: HttpClient, url: string, signer: Certificate): Promise<LoadedData> {
    const { timeout, maxOctets } = this.#options;
    const der = crlDer(await fetchOctets(http, { method: 'GET', url, timeout, maxOctets }));
    const index = await CrlIndex.build(der, signer, this.#options);
    return { kind: 'data', der, index: index.serialize(), freshUntil: freshUntil(index) };
  }
}

function isSamePlace(left: GeneralName, right: GeneralName): boolean {
  if (left.kind !== right.kind) return false;
  if (left.kind === GeneralNameKind.directory) return isSameName(left.value, right.value);
  return left.value.equals(right.value) || generalNameText(left).trim() === generalNameText(right).trim();
}

/** The distribution points of the certificate; without the extension, its issuer's name (RFC 5280 §6.3.3). */
function placesOf(certificate: Certificate): readonly GeneralName[] {
  const { distributionPoints } = readRevocationSources(certificate);
  return distributionPoints.length > 0
    ? distributionPoints
    : [{ kind: GeneralNameKind.directory, value: certificate.issuer }];
}

/** RFC 5280 §6.3.3 (b). */
function isInScope(certificate: Certificate, { only, distributionPoint }: CrlScope): boolean {
  if (only === 'users' && certificate.isCertificateAuthority) return false;
  if (only === 'authorities' && !certificate.isCertificateAuthority) return false;
  if (distributionPoint === undefined) return true;
  const places = placesOf(certificate);
  return distributionPoint
    .map((name) => readGeneralName(readDer(name)))
    .some((name) => places.some((place) => isSamePlace(name, place)));
}

/**
 * The answer of a verified CRL about a certificate of its issuer: the revocation, none, or the reason for no answer.
 */
export function judgeCrl(
  index: CrlIndex,
  certificate: Certificate,
  at: Date,
  now: Date,
): { readonly revocation: Revocation | undefined } | { readonly problem: RevocationProblem } {
  const { thisUpdate, nextUpdate, extensions } = index;
  const period = { thisUpdate, nextUpdate, expiredSince: extensions.expiredSince };
  const entry = index.find(certificate.serialNumber);
  const isCovered = isSameName(index.issuer, certificate.issuer) && isInScope(certificate, extensions.scope);
  const stale = findFreshnessProblem(period, certificate, at, now);
  if (!isCovered) {
    return { problem: { code: 'NOT_COVERED', sentence: 'The revocation list is about other certificates.' } };
  }
  // Missing expired certificates do not matter for a certificate on the list.
  if (stale !== undefined && !(stale.code === 'NOT_COVERED' && entry !== undefined)) return { problem: stale };
  return { revocation: entry && { time: entry.revokedAt, reason: entry.reason } };
}
