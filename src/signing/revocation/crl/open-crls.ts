import type { Certificate } from '../../certificates/certificate.ts';
import type { HttpClient } from '../../http-client.ts';
import { type CachedLoader, type LoadedData, type RevocationCacheKey, SizedTable } from '../cache/revocation-cache.ts';
import { crlDer, fetchBytes } from '../revocation-sources.ts';
import {
  freshUntil,
  findFreshnessProblem,
  type EvidenceOrigin,
  type Revocation,
  type RevocationProblem,
} from '../revocation-result.ts';
import { keyHash } from '../key-hash.ts';
import { CrlIndex } from './crl-index.ts';
import { ALL_REASONS } from '../reasons.ts';
import { coveredReasons, scopeKey } from './crl-scope.ts';

/** Maximum number of bytes of CRLs that stay open with their index. */
const OPEN_CRL_BYTES = 96 * 2 ** 20;
/** Milliseconds between two requests for a newer version of a list: lists are long, and issued seldom. */
const CRL_PAUSE = 10 * 60_000;

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
  /** Bytes of a CRL at most. */
  readonly maxBytes: number;
  /** Accepts SHA-1, for old evidence. */
  readonly allowLegacyAlgorithms: boolean;
}

/** The recently used CRLs, open with their indexes. Other CRLs are read from the cache or fetched. */
export class OpenCrls {
  readonly #options: OpenCrlsOptions;
  readonly #open = new SizedTable<OpenCrl>(OPEN_CRL_BYTES);

  constructor(options: OpenCrlsOptions) {
    this.#options = options;
  }

  /** The fresh CRL of this signer and address, if already open. */
  find(signer: Certificate, url: string): OpenCrl | undefined {
    const open = this.#open.get(`${keyHash(signer)} ${url}`);
    return open !== undefined && freshUntil(open.index) > this.#options.now() ? open : undefined;
  }

  /**
   * The indexed CRL at the address; undefined when only the cache may be used and has no entry. `refresh`: fetches the
   * CRL again, because the stored CRL is older than the question.
   */
  async open(
    url: string,
    signer: Certificate,
    origin: 'cache' | 'network' | 'refresh',
    signal: AbortSignal | undefined,
  ): Promise<OpenCrl | undefined> {
    const key: RevocationCacheKey = { issuerKey: keyHash(signer), kind: 'crl', locator: url };
    const { loader, http } = this.#options;
    const open = this.find(signer, url);
    let data: LoadedData | undefined;
    if (origin === 'refresh') {
      if (http === undefined) return undefined;
      data = await loader.refresh(key, () => this.#fetch(http, url, signer), { pause: CRL_PAUSE }, signal);
      if (open?.der.equals(data.der) === true) return open;
      return this.#keep(key, url, signer, data, 'network');
    }
    if (open !== undefined) return open;
    const entry = await loader.peek(key);
    data = entry?.kind === 'data' ? entry : undefined;
    const from = data === undefined ? 'network' : 'cache';
    if (data === undefined) {
      if (origin === 'cache' || http === undefined) return undefined;
      data = await loader.load(key, () => this.#fetch(http, url, signer), signal);
    }
    return this.#keep(key, url, signer, data, from);
  }

  async #keep(
    key: RevocationCacheKey,
    url: string,
    signer: Certificate,
    { der, index: serialized }: LoadedData,
    origin: 'cache' | 'network',
  ): Promise<OpenCrl> {
    const index = await this.#indexOf(der, serialized, signer);
    this.#open.set(`${key.issuerKey} ${url}`, { index, der, origin: 'cache' }, der.length + index.entryCount * 8);
    return { index, der, origin };
  }

  /** The stored index; an index of an earlier version is built again. */
  async #indexOf(der: Buffer, serialized: Buffer | undefined, signer: Certificate): Promise<CrlIndex> {
    if (serialized !== undefined && CrlIndex.isReadable(serialized)) return CrlIndex.restore(serialized, der);
    return CrlIndex.build(der, signer, this.#options);
  }

  async #fetch(http: HttpClient, url: string, signer: Certificate): Promise<LoadedData> {
    const { timeout, maxBytes } = this.#options;
    const der = crlDer(await fetchBytes(http, { method: 'GET', purpose: 'crl', url, timeout, maxBytes }));
    const index = await CrlIndex.build(der, signer, this.#options);
    return { kind: 'data', der, index: index.serialize(), freshUntil: freshUntil(index) };
  }
}

/** The result of a list: the revocation, if any, and the covered reasons. */
export interface CrlAnswer {
  readonly revocation: Revocation | undefined;
  readonly reasons: number;
}

const otherCertificates: RevocationProblem = {
  code: 'NOT_COVERED',
  sentence: 'The revocation list is about other certificates.',
};

/**
 * The answer of a verified CRL about a certificate, with the reasons that it covers, or the reason for no answer. A delta
 * by itself answers nothing.
 */
export function judgeCrl(
  index: CrlIndex,
  certificate: Certificate,
  at: Date,
  now: Date,
): CrlAnswer | { readonly problem: RevocationProblem } {
  const { thisUpdate, nextUpdate, extensions } = index;
  const reasons = coveredReasons(certificate, index.issuer, extensions);
  if (reasons === 0 || extensions.deltaBase !== undefined) return { problem: otherCertificates };
  const period = { thisUpdate, nextUpdate, expiredSince: extensions.expiredSince };
  const entry = index.find(certificate.serialNumber, certificate.issuer);
  const stale = findFreshnessProblem(period, certificate, at, now);
  // The absence of expired certificates does not matter for a certificate on the list.
  if (stale !== undefined && !(stale.code === 'NOT_COVERED' && entry !== undefined)) return { problem: stale };
  return { revocation: entry && { time: entry.revokedAt, reason: entry.reason }, reasons };
}

/** Like `judgeCrl`, for a question that a single list has to answer. */
export function judgeWholeCrl(
  index: CrlIndex,
  certificate: Certificate,
  at: Date,
  now: Date,
): CrlAnswer | { readonly problem: RevocationProblem } {
  const answer = judgeCrl(index, certificate, at, now);
  if ('problem' in answer || answer.revocation !== undefined || answer.reasons === ALL_REASONS) return answer;
  return { problem: { code: 'NOT_COVERED', sentence: 'The revocation list knows only some reasons.' } };
}

const numberOf = (hex: string): bigint => BigInt(`0x${hex}`);

/** True when the delta describes the changes since the base, or since an earlier base (RFC 5280 §5.2.4, §6.3.3 (c)). */
export function isDeltaOf(delta: CrlIndex, base: CrlIndex): boolean {
  const { deltaBase, number } = delta.extensions;
  const own = base.extensions.number;
  if (deltaBase === undefined || number === undefined || own === undefined) return false;
  return (
    scopeKey(delta.issuer, delta.extensions) === scopeKey(base.issuer, base.extensions) &&
    numberOf(deltaBase) <= numberOf(own) &&
    numberOf(own) < numberOf(number)
  );
}

/** The base's result after applying the delta; a certificate may have been released from hold (RFC 5280 §5.3.1). */
export function afterDelta(answer: CrlAnswer, delta: CrlIndex, certificate: Certificate): CrlAnswer {
  const entry = delta.find(certificate.serialNumber, certificate.issuer);
  if (entry === undefined) return answer;
  const isRemoved = entry.reason === 'removeFromCRL';
  return { ...answer, revocation: isRemoved ? undefined : { time: entry.revokedAt, reason: entry.reason } };
}
