/** Asks whether a certificate was revoked: embedded material first, then the cache, then the network. */
import { randomBytes } from 'node:crypto';
import type { Certificate } from '../certificates/certificate.ts';
import type { HttpClient } from '../http-client.ts';
import {
  CachedLoader,
  type LoadedData,
  type RevocationCache,
  type RevocationCacheKey,
} from './cache/revocation-cache.ts';
import { CrlIndex } from './crl/crl-index.ts';
import { judgeWholeCrl, OpenCrls, type OpenCrl } from './crl/open-crls.ts';
import { RevocationOid, fetchBytes, readRevocationSources, type RevocationSources } from './revocation-sources.ts';
import {
  findFreshnessProblem,
  isIssuedAfter,
  issuedAtOf,
  networkNotAllowed,
  ProblemError,
  problemOf,
  unknownCertificate,
  type EvidenceOrigin,
  type Revocation,
  type RevocationEvidence,
  type RevocationProblem,
  type RevocationResult,
  type ValidationMaterial,
} from './revocation-result.ts';
import { keyHash } from './key-hash.ts';
import { findListSigners, isAfter, isValidFor, type ListSigner } from './list-signers.ts';
import { readBasicResponse, unwrapOcspResponse, type BasicResponse } from './ocsp/read-ocsp-response.ts';
import { verifyOcspResponse, type VerifiedAnswer } from './ocsp/verify-ocsp-response.ts';
import { writeOcspRequest } from './ocsp/certificate-id.ts';

/** Services and limits of a checker. */
export interface RevocationCheckerOptions {
  /** Absent: nothing is fetched. */
  readonly http?: HttpClient;
  readonly cache?: RevocationCache;
  readonly now?: () => Date;
  /** Milliseconds for an exchange; by default 15,000. ITI's larger files take seven seconds. */
  readonly timeout?: number;
  /** Bytes of a CRL at most; by default 64 MiB. */
  readonly maxCrlBytes?: number;
  /** True if OCSP requests carry a nonce (RFC 9654); by default true. */
  readonly useNonce?: boolean;
  /** Accepts SHA-1, for old evidence. */
  readonly allowLegacyAlgorithms?: boolean;
}

/** A question about a certificate. */
export interface RevocationRequest {
  readonly certificate: Certificate;
  /** The certificate's issuer in a valid path. */
  readonly issuer: Certificate;
  /**
   * The path above the issuer, up to the anchor; without this path, only the issuer itself certifies keys for lists.
   */
  readonly above?: readonly Certificate[];
  /** The time of the question: now, or the time of a time stamp. */
  readonly at: Date;
  /**
   * The time of the signature. Data issued before this time is fetched again, because older data cannot show a later
   * revocation. If no newer data is available, the older data is used.
   */
  readonly newerThan?: Date;
  /** The signature's own material; its certificates may belong to responders and CRL signers. */
  readonly embedded?: ValidationMaterial;
  readonly signal?: AbortSignal;
}

/** Asks whether certificates were revoked. */
export interface RevocationChecker {
  /** Rejects with `CANCELLED` only, never because of the evidence. */
  check(request: RevocationRequest): Promise<RevocationResult>;
}

const DEFAULT_TIMEOUT = 15_000;
const DEFAULT_CRL_BYTES = 64 * 2 ** 20;
const MAX_OCSP_BYTES = 256 * 1024;
const NONCE_BYTES = 32;
const MAX_EMBEDDED = 100;
/** Milliseconds between two requests to a responder for data newer than a signature. */
const OCSP_PAUSE = 60_000;

function evidenceOf({ index, der, origin }: OpenCrl, signer: Certificate): RevocationEvidence {
  const { thisUpdate, nextUpdate } = index;
  return { kind: 'crl', der, origin, thisUpdate, nextUpdate, issuedAt: thisUpdate, signer };
}

type Known = Exclude<RevocationResult, { readonly status: 'unknown' }>;

/** A request inside the checker. */
interface Question extends RevocationRequest {
  /** Fingerprints of signers under examination: a list cannot prove the status of its own signer. */
  readonly asking?: ReadonlySet<string>;
}

function resultOf(evidence: RevocationEvidence, revocation: Revocation | undefined, at: Date): Known {
  if (revocation === undefined) return { status: 'good', evidence };
  if (revocation.time > at) return { status: 'good', evidence, revokedLater: revocation };
  return { status: 'revoked', evidence, ...revocation };
}

/** True for a revocation, and for data new enough for the question. */
const isConclusive = (result: Known, { newerThan }: RevocationRequest): boolean =>
  result.status === 'revoked' || newerThan === undefined || isIssuedAfter(result.evidence.issuedAt, newerThan);

const latest = (one: Known | undefined, other: Known): Known =>
  one === undefined || other.evidence.issuedAt > one.evidence.issuedAt ? other : one;

class Checker implements RevocationChecker {
  readonly #options: RevocationCheckerOptions;
  readonly #now: () => Date;
  readonly #loader: CachedLoader;
  readonly #crls: OpenCrls;

  constructor(options: RevocationCheckerOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
    this.#loader = new CachedLoader(options.cache, this.#now);
    this.#crls = new OpenCrls({
      loader: this.#loader,
      http: options.http,
      now: this.#now,
      timeout: options.timeout ?? DEFAULT_TIMEOUT,
      maxBytes: options.maxCrlBytes ?? DEFAULT_CRL_BYTES,
      allowLegacyAlgorithms: options.allowLegacyAlgorithms ?? false,
    });
  }

  async check(request: RevocationRequest): Promise<RevocationResult> {
    const open = this.#askOpenList(request);
    return open !== undefined && isConclusive(open, request) ? open : this.#check(request, ['ocsp', 'crl']);
  }

  /** The answer of the first list in order, if already open; `#check` gives the same answer. */
  #askOpenList({ certificate, issuer, at, embedded }: RevocationRequest): Known | undefined {
    const { ocsp, crls } = readRevocationSources(certificate);
    const [url] = crls;
    const isFirst = ocsp.length + (embedded?.ocspResponses.length ?? 0) + (embedded?.crls.length ?? 0) === 0;
    const open = isFirst && url !== undefined ? this.#crls.find(issuer, url) : undefined;
    if (open === undefined) return undefined;
    const verdict = judgeWholeCrl(open.index, certificate, at, this.#now());
    return 'problem' in verdict ? undefined : resultOf(evidenceOf(open, issuer), verdict.revocation, at);
  }

  async #check(request: Question, kinds: readonly RevocationEvidence['kind'][]): Promise<RevocationResult> {
    const reasons: RevocationProblem[] = [];
    const attempt = async (action: () => Promise<Known | undefined>): Promise<Known | undefined> => {
      try {
        return await action();
      } catch (error) {
        reasons.push(problemOf(error));
        return undefined;
      }
    };
    const embedded = await this.#checkEmbedded(request, kinds, attempt);
    if (embedded !== undefined) return embedded;
    const sources = readRevocationSources(request.certificate);
    const isAsked = (kind: RevocationEvidence['kind']): boolean => kinds.includes(kind);
    const ocsp = isAsked('ocsp') ? sources.ocsp : [];
    const crls = isAsked('crl') ? sources.crls : [];
    let older: Known | undefined;
    for (const origin of ['cache', 'network'] as const) {
      const isRefresh = older !== undefined;
      const questions = [
        ...ocsp.map((url) => () => this.#checkOcsp(request, url, origin, isRefresh)),
        ...crls.map((url) => () => this.#checkCrl(request, url, origin, isRefresh)),
      ];
      for (const question of questions) {
        const result = await attempt(question);
        if (result !== undefined && isConclusive(result, request)) return result;
        if (result !== undefined) older = latest(older, result);
      }
    }
    if (older !== undefined) return older;
    if (ocsp.length + crls.length === 0) {
      reasons.push(sourceProblem(request.certificate, sources));
    }
    return { status: 'unknown', reasons };
  }

  /** The latest usable embedded evidence. */
  async #checkEmbedded(
    request: Question,
    kinds: readonly RevocationEvidence['kind'][],
    attempt: (action: () => Promise<Known | undefined>) => Promise<Known | undefined>,
  ): Promise<Known | undefined> {
    const { ocspResponses = [], crls = [] } = request.embedded ?? {};
    const found: (Known | undefined)[] = [];
    for (const der of kinds.includes('ocsp') ? ocspResponses.slice(0, MAX_EMBEDDED) : []) {
      found.push(await attempt(() => this.#judgeResponse(request, readBasicResponse(der), 'embedded')));
    }
    for (const der of crls.slice(0, MAX_EMBEDDED)) {
      found.push(await attempt(() => this.#checkEmbeddedCrl(request, der)));
    }
    return found
      .filter((result) => result !== undefined)
      .toSorted((left, right) => right.evidence.thisUpdate.getTime() - left.evidence.thisUpdate.getTime())[0];
  }

  async #checkEmbeddedCrl(request: Question, der: Buffer): Promise<Known> {
    return this.#withSigner(request, async (signer) => {
      const index = await CrlIndex.build(der, signer, this.#options);
      return this.#judge(request, { index, der, origin: 'embedded' }, signer);
    });
  }

  async #checkOcsp(
    request: Question,
    url: string,
    origin: 'cache' | 'network',
    isRefresh: boolean,
  ): Promise<Known | undefined> {
    const { certificate, issuer, signal } = request;
    const locator = certificate.serialNumber.toString('hex');
    const key: RevocationCacheKey = { issuerKey: keyHash(issuer), kind: 'ocsp', locator };
    if (origin === 'cache') {
      const entry = await this.#loader.peek(key);
      return entry?.kind === 'data' ? this.#judgeResponse(request, readBasicResponse(entry.der), 'cache') : undefined;
    }
    const { http } = this.#options;
    if (http === undefined) throw networkNotAllowed();
    const ask = (): Promise<LoadedData> => this.#askResponder(http, request, url);
    const { der } = isRefresh
      ? await this.#loader.refresh(key, ask, { newerThan: request.newerThan, pause: OCSP_PAUSE }, signal)
      : await this.#loader.load(key, ask, signal);
    return this.#judgeResponse(request, readBasicResponse(der), 'network');
  }

  async #askResponder(http: HttpClient, { certificate, issuer }: RevocationRequest, url: string): Promise<LoadedData> {
    const nonce = this.#options.useNonce === false ? undefined : randomBytes(NONCE_BYTES);
    const question = { certificate, issuer, nonce };
    const body = await fetchBytes(http, {
      method: 'POST',
      purpose: 'ocsp',
      url,
      contentType: 'application/ocsp-request',
      accept: 'application/ocsp-response',
      body: writeOcspRequest(question),
      timeout: this.#options.timeout ?? DEFAULT_TIMEOUT,
      maxBytes: MAX_OCSP_BYTES,
    });
    const response = readBasicResponse(unwrapOcspResponse(body));
    const { answer } = verifyOcspResponse(response, { ...question, ...this.#legacy() });
    if (answer.status === 'unknown') throw unknownCertificate();
    return { kind: 'data', der: response.der, freshUntil: answer.nextUpdate ?? this.#now() };
  }

  async #judgeResponse(request: Question, response: BasicResponse, origin: EvidenceOrigin): Promise<Known> {
    const { certificate, issuer, at, embedded } = request;
    const known = embedded?.certificates ?? [];
    const verified = verifyOcspResponse(response, { certificate, issuer, known, ...this.#legacy() });
    const { answer, responder } = verified;
    if (answer.status === 'unknown') throw unknownCertificate();
    const { thisUpdate, nextUpdate } = answer;
    const period = { thisUpdate, nextUpdate, expiredSince: answer.archiveCutoff };
    const problem = findFreshnessProblem(period, certificate, at, this.#now());
    if (problem !== undefined && !(problem.code === 'NOT_COVERED' && answer.status === 'revoked')) {
      throw new ProblemError(problem);
    }
    const supporting = await this.#checkResponder(request, verified);
    const evidence: RevocationEvidence = {
      kind: 'ocsp',
      der: response.der,
      origin,
      thisUpdate,
      nextUpdate,
      issuedAt: issuedAtOf(response.producedAt, thisUpdate),
      signer: responder,
      supporting,
    };
    return resultOf(evidence, answer.revocation, at);
  }

  /**
   * A responder's certificate without `nocheck` is checked by CRL (RFC 6960 §4.2.2.2.1): by the embedded lists, and by
   * the list named in the certificate. A responder without any list is accepted.
   */
  async #checkResponder(request: Question, { responder }: VerifiedAnswer): Promise<RevocationEvidence | undefined> {
    const isIssuer = responder.publicKeyInfo.equals(request.issuer.publicKeyInfo);
    if (isIssuer || responder.extensions.has(RevocationOid.ocspNoCheck)) return undefined;
    const hasList = readRevocationSources(responder).crls.length > 0;
    if (!hasList && (request.embedded?.crls.length ?? 0) === 0) return undefined;
    const result = await this.#check({ ...request, certificate: responder }, ['crl']);
    if (result.status === 'good') return result.evidence;
    if (result.status === 'unknown' && !hasList) return undefined;
    const sentence =
      result.status === 'revoked'
        ? 'The certificate of the OCSP responder was revoked.'
        : 'Whether the certificate of the OCSP responder was revoked could not be determined.';
    throw new ProblemError({ code: 'SIGNATURE_INVALID', sentence });
  }

  async #checkCrl(
    request: Question,
    url: string,
    origin: 'cache' | 'network',
    isRefresh: boolean,
  ): Promise<Known | undefined> {
    if (origin === 'network' && this.#options.http === undefined) throw networkNotAllowed();
    return this.#withSigner(request, async (signer) => {
      const crl = await this.#crls.open(url, signer, isRefresh ? 'refresh' : origin, request.signal);
      return crl && this.#judge(request, crl, signer);
    });
  }

  #judge({ certificate, at }: RevocationRequest, list: OpenCrl, signer: Certificate): Known {
    const verdict = judgeWholeCrl(list.index, certificate, at, this.#now());
    if ('problem' in verdict) throw new ProblemError(verdict.problem);
    return resultOf(evidenceOf(list, signer), verdict.revocation, at);
  }

  /**
   * Tries the issuer's key, and then other keys for the issuer's lists, each with evidence about its own certificate.
   */
  async #withSigner<T extends Known | undefined>(
    request: Question,
    action: (signer: Certificate) => Promise<T>,
  ): Promise<T> {
    try {
      return await action(request.issuer);
    } catch (error) {
      if (problemOf(error).code !== 'SIGNATURE_INVALID') throw error;
      const { issuer, above = [], embedded, asking } = request;
      for (const signer of findListSigners(issuer, above, embedded?.certificates ?? [])) {
        if (asking?.has(signer.certificate.fingerprint) === true) continue;
        const result = await action(signer.certificate).catch((reason: unknown) => void problemOf(reason));
        if (result === undefined) continue;
        const { evidence } = result;
        const supporting = await this.#checkListSigner(request, signer, evidence.thisUpdate);
        return supporting === undefined ? result : { ...result, evidence: { ...evidence, supporting } };
      }
      throw error;
    }
  }

  /** The signer of a list has to be valid and unrevoked itself. Rejects with `SIGNATURE_INVALID` otherwise. */
  async #checkListSigner(
    request: Question,
    { certificate, above: [issuer, ...above] }: ListSigner,
    thisUpdate: Date,
  ): Promise<RevocationEvidence | undefined> {
    if (issuer === undefined) return undefined;
    const asking = new Set([...(request.asking ?? []), certificate.fingerprint]);
    const result = isValidFor(certificate, thisUpdate)
      ? await this.#check({ ...request, certificate, issuer, above, asking }, ['ocsp', 'crl'])
      : undefined;
    const isGood =
      result?.status === 'good' && (result.revokedLater === undefined || isAfter(result.revokedLater, thisUpdate));
    if (isGood) return result.evidence;
    const sentence =
      result?.status === 'unknown'
        ? `Whether the certificate of ${certificate.commonName}, which signed the revocation list, was revoked could not be determined.`
        : `The certificate of ${certificate.commonName}, which signed the revocation list, was not valid or is revoked.`;
    throw new ProblemError({ code: 'SIGNATURE_INVALID', sentence });
  }

  #legacy(): { readonly allowLegacyAlgorithms?: boolean } {
    return this.#options.allowLegacyAlgorithms === true ? { allowLegacyAlgorithms: true } : {};
  }
}

/** Creates a checker that keeps fetched data in the cache, and the recently used CRLs open with their indexes. */
export const createRevocationChecker = (options: RevocationCheckerOptions): RevocationChecker => new Checker(options);

/** The problem of a certificate without an address that is asked. */
function sourceProblem({ commonName }: Certificate, { isOnlyElsewhere }: RevocationSources): RevocationProblem {
  return isOnlyElsewhere
    ? { code: 'LDAP_ONLY', sentence: `The certificate of ${commonName} names its revocation data only by LDAP.` }
    : { code: 'NO_SOURCE', sentence: `The certificate of ${commonName} does not say where its revocation data is.` };
}
