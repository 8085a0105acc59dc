/** Certificates and revocation data inside a signature, and the state of each certificate by this revocation data. */
import { isAmong } from '../../certificates/path/build-path.ts';
import { isSameName } from '../../certificates/path/distinguished-name.ts';
import { readStructureAlgorithm, type StructureAlgorithm } from '../../certificates/path/signed-structure.ts';
import type { Certificate } from '../../certificates/certificate.ts';
import { parseCertificate } from '../../certificates/parse-certificate.ts';
import { SigningError } from '../../errors.ts';
import { CrlIndex } from '../../revocation/crl/crl-index.ts';
import { CRL_HEAD_BYTES, readCrlHead } from '../../revocation/crl/crl-head.ts';
import { afterDelta, isDeltaOf, judgeCrl, type CrlAnswer } from '../../revocation/crl/open-crls.ts';
import { mayBeAbout } from '../../revocation/crl/crl-scope.ts';
import { ALL_REASONS } from '../../revocation/reasons.ts';
import { readBasicResponse, unwrapOcspResponse, type BasicResponse } from '../../revocation/ocsp/read-ocsp-response.ts';
import { RevocationOid } from '../../revocation/revocation-sources.ts';
import { verifyOcspResponse } from '../../revocation/ocsp/verify-ocsp-response.ts';
import { findIndirectSigners, findListSigners, isValidFor, type ListSigner } from '../../revocation/list-signers.ts';
import { issuedAtOf, ProblemError, problemOf, type RevocationProblem } from '../../revocation/revocation-result.ts';
import { type ObjectKey, type RevocationFact, type ChainFacts, objectKey } from '../facts.ts';
import type { AlgorithmUse } from '../judge/algorithm-policy.ts';
import { keyUse, structureUses } from './algorithm-uses.ts';
import type { ValidationServices } from '../validation-request.ts';

/** Maximum number of objects of each kind that are read; honest signatures have a handful. */
const MAX_CERTIFICATES = 1000;
const MAX_RESPONSES = 200;
const MAX_LISTS = 200;

/** Revocation data of the pool whose signer is not judged yet. */
export interface PooledFact extends RevocationFact {
  /** The path above the signer, up to the anchor; empty when the signer needs no evidence of its own. */
  readonly aboveSigner: readonly Certificate[];
  /** Mask of the covered reasons, for a list that covers only some reasons. */
  readonly reasons?: number;
}

/** The pool's revocation data about a certificate. */
export interface PooledEvidence {
  readonly facts: readonly PooledFact[];
  readonly problems: readonly RevocationProblem[];
}

interface Response {
  readonly key: ObjectKey;
  readonly response: BasicResponse;
}

const usesOf = (signer: Certificate, algorithm: StructureAlgorithm): readonly AlgorithmUse[] => [
  ...structureUses(algorithm),
  ...keyUse(signer),
];

/** Gathers the material of signatures and stores, each object once, and answers questions about certificates. */
export class EvidencePool {
  readonly #certificates = new Map<string, Certificate>();
  readonly #lists = new Map<ObjectKey, Buffer>();
  readonly #responses = new Map<ObjectKey, Response>();
  readonly #opened = new Map<string, Promise<CrlIndex>>();
  readonly #listSigners = new Map<string, readonly ListSigner[]>();
  #all: readonly Certificate[] | undefined;
  readonly #now: Date;
  readonly #refused: readonly Certificate[];

  /** `refused`: authorities that cannot vouch for the signer of a list. */
  constructor(now: Date, refused: readonly Certificate[] = []) {
    this.#now = now;
    this.#refused = refused;
  }

  get certificates(): readonly Certificate[] {
    return (this.#all ??= [...this.#certificates.values()]);
  }

  /** The certificates of the pool, without refused authorities. */
  get accepted(): readonly Certificate[] {
    return this.#refused.length === 0
      ? this.certificates
      : this.certificates.filter((certificate) => !isAmong(this.#refused, certificate));
  }

  /** True when the pool has neither a list nor a response. */
  get hasNoEvidence(): boolean {
    return this.#lists.size + this.#responses.size === 0;
  }

  addCertificates(certificates: readonly Certificate[]): void {
    this.#all = undefined;
    this.#listSigners.clear();
    for (const certificate of certificates) {
      if (this.#certificates.size >= MAX_CERTIFICATES) return;
      this.#certificates.set(certificate.fingerprint, certificate);
    }
  }

  /** DER; anything but a certificate is ignored. */
  addCertificateDer(der: Uint8Array): void {
    try {
      this.addCertificates([parseCertificate(der)]);
    } catch (error) {
      if (!(error instanceof SigningError)) throw error;
    }
  }

  /** DER of a CertificateList. Answers its key. */
  addList(der: Buffer): ObjectKey {
    const key = objectKey(der);
    if (this.#lists.size < MAX_LISTS) this.#lists.set(key, der);
    return key;
  }

  /** DER of an OCSPResponse or of its BasicOCSPResponse. Answers the key of the latter; undefined: damaged. */
  addResponse(der: Buffer): ObjectKey | undefined {
    try {
      const basic = asBasicResponse(der);
      const key = objectKey(basic);
      if (!this.#responses.has(key) && this.#responses.size < MAX_RESPONSES) {
        const response = readBasicResponse(basic);
        this.#responses.set(key, { key, response });
        for (const certificate of response.certificates) this.addCertificateDer(certificate);
      }
      return key;
    } catch (error) {
      if (error instanceof SigningError) return undefined;
      throw error;
    }
  }

  /** DER of all lists and BasicOCSPResponses. */
  get revocationData(): readonly Buffer[] {
    return [...this.#lists.values(), ...[...this.#responses.values()].map(({ response }) => response.der)];
  }

  /**
   * All usable data about the certificate; other data is skipped. `path` is the path above the certificate, from its
   * issuer to the anchor.
   */
  async evidenceFor(certificate: Certificate, path: readonly [Certificate, ...Certificate[]]): Promise<PooledEvidence> {
    const facts: PooledFact[] = [];
    const problems: RevocationProblem[] = [];
    const attempt = async (find: () => Promise<PooledFact | undefined> | PooledFact | undefined): Promise<void> => {
      try {
        const fact = await find();
        if (fact !== undefined) facts.push(fact);
      } catch (error) {
        problems.push(problemOf(error));
      }
    };
    for (const response of this.#responses.values()) {
      await attempt(() => this.#askResponse(response, certificate, path));
    }
    for (const [key, list] of this.#lists) await attempt(() => this.#askList(key, list, certificate, path));
    return {
      facts: joinReasons(facts),
      problems: problems.filter(({ code }) => code !== 'NOT_COVERED' && code !== 'ANSWERED_UNKNOWN'),
    };
  }

  #askResponse(
    { key, response }: Response,
    certificate: Certificate,
    path: readonly [Certificate, ...Certificate[]],
  ): PooledFact | undefined {
    const known = this.certificates;
    const [issuer] = path;
    const { answer, responder } = verifyOcspResponse(response, {
      certificate,
      issuer,
      known,
      allowLegacyAlgorithms: true,
    });
    if (answer.status === 'unknown') return undefined;
    const { thisUpdate, nextUpdate, archiveCutoff, revocation } = answer;
    if (revocation === undefined && isDropped(certificate, thisUpdate, archiveCutoff)) return undefined;
    const needsNone =
      responder.publicKeyInfo.equals(issuer.publicKeyInfo) || responder.extensions.has(RevocationOid.ocspNoCheck);
    return {
      kind: 'ocsp',
      origin: 'embedded',
      key,
      thisUpdate,
      nextUpdate,
      issuedAt: issuedAtOf(response.producedAt, thisUpdate),
      revocation,
      signer: responder,
      algorithms: usesOf(responder, readStructureAlgorithm(response.signed.algorithm)),
      aboveSigner: needsNone ? [] : path,
    };
  }

  async #askList(
    key: ObjectKey,
    list: Buffer,
    certificate: Certificate,
    path: readonly [Certificate, ...Certificate[]],
  ): Promise<PooledFact | undefined> {
    const head = readCrlHead(list.subarray(0, CRL_HEAD_BYTES), list.length);
    if (!mayBeAbout(certificate, head.issuer)) return undefined;
    const isDirect = isSameName(head.issuer, certificate.issuer);
    const signers = isDirect ? this.#signersFor(path) : this.#indirectSigners(head.issuer, path);
    const { index, signer } = await this.#open(key, list, signers);
    const base = judgeCrl(index, certificate, index.thisUpdate, this.#now);
    if ('problem' in base) return undefined;
    const { answer: verdict, latest } = await this.#withDeltas(base, index, certificate, signer);
    return {
      kind: 'crl',
      origin: 'embedded',
      key,
      thisUpdate: latest.thisUpdate,
      nextUpdate: latest.nextUpdate,
      issuedAt: latest.thisUpdate,
      ...(verdict.reasons === ALL_REASONS ? {} : { reasons: verdict.reasons }),
      revocation: verdict.revocation,
      signer: signer.certificate,
      algorithms: usesOf(signer.certificate, head.algorithm),
      aboveSigner: signer.above,
    };
  }

  /** The answer after the latest available delta for the list with a signature of the same key. */
  async #withDeltas(
    answer: CrlAnswer,
    base: CrlIndex,
    certificate: Certificate,
    signer: ListSigner,
  ): Promise<{ readonly answer: CrlAnswer; readonly latest: CrlIndex }> {
    let latest = base;
    for (const [key, list] of this.#lists) {
      const opened = await this.#openWith(key, list, signer).catch((reason: unknown) => void problemOf(reason));
      if (opened === undefined || !isDeltaOf(opened.index, base)) continue;
      if (opened.index.thisUpdate > this.#now || opened.index.thisUpdate < latest.thisUpdate) continue;
      latest = opened.index;
    }
    return { answer: latest === base ? answer : afterDelta(answer, latest, certificate), latest };
  }

  async #openWith(key: ObjectKey, list: Buffer, signer: ListSigner): Promise<{ index: CrlIndex; signer: ListSigner }> {
    const { certificate } = signer;
    const name = `${key} ${certificate.fingerprint}`;
    const index = this.#opened.get(name) ?? CrlIndex.build(list, certificate, { allowLegacyAlgorithms: true });
    this.#opened.set(name, index);
    return { index: await index, signer };
  }

  /** The list, verified with the key of the first matching signer. */
  async #open(
    key: ObjectKey,
    list: Buffer,
    signers: readonly ListSigner[],
  ): Promise<{ readonly index: CrlIndex; readonly signer: ListSigner }> {
    let problem: unknown = new ProblemError({
      code: 'SIGNATURE_INVALID',
      sentence: 'The signer of the revocation list is not known here.',
    });
    for (const [place, signer] of signers.entries()) {
      try {
        const opened = await this.#openWith(key, list, signer);
        if (signer.above.length === 0 || isValidFor(signer.certificate, opened.index.thisUpdate)) return opened;
        const sentence = `The certificate of ${signer.certificate.commonName} was not valid when it signed the revocation list.`;
        throw new ProblemError({ code: 'SIGNATURE_INVALID', sentence });
      } catch (error) {
        if (problemOf(error).code !== 'SIGNATURE_INVALID') throw error;
        if (place === 0) problem = error;
      }
    }
    throw problem;
  }

  /** The issuer itself, then other keys for its lists. */
  #signersFor([issuer, ...above]: readonly [Certificate, ...Certificate[]]): readonly ListSigner[] {
    const name = [issuer, ...above].map(({ fingerprint }) => fingerprint).join(' ');
    const signers = this.#listSigners.get(name) ?? [
      { certificate: issuer, above: [] },
      ...findListSigners(issuer, above, this.accepted),
    ];
    this.#listSigners.set(name, signers);
    return signers;
  }

  #indirectSigners(issuer: Buffer, path: readonly Certificate[]): readonly ListSigner[] {
    const anchor = path.at(-1);
    if (anchor === undefined) return [];
    const name = `indirect ${anchor.fingerprint} ${issuer.toString('hex')}`;
    const signers = this.#listSigners.get(name) ?? findIndirectSigners(issuer, anchor, [...path, ...this.accepted]);
    this.#listSigners.set(name, signers);
    return signers;
  }
}

/**
 * A list that covers only some reasons cannot prove a good status. Such lists have to cover all reasons together, and a
 * single revocation decides (RFC 5280 §6.3.3).
 */
function joinReasons(facts: readonly PooledFact[]): readonly PooledFact[] {
  const partial = facts.filter(({ reasons }) => reasons !== undefined);
  if (partial.length === 0) return facts;
  const isRevoked = partial.some(({ revocation }) => revocation !== undefined);
  const covered = partial.reduce((mask, { reasons = 0 }) => mask | reasons, 0);
  return facts.filter(({ reasons, revocation }) => {
    if (reasons === undefined || revocation !== undefined) return true;
    return !isRevoked && covered === ALL_REASONS;
  });
}

/** Responders drop expired certificates, unless the answer says otherwise (RFC 6960 §4.4.4). */
const isDropped = ({ notAfter }: Certificate, thisUpdate: Date, keptSince: Date | undefined): boolean =>
  thisUpdate > notAfter && !(keptSince !== undefined && keptSince <= notAfter);

/** The BasicOCSPResponse, given itself or inside an OCSPResponse, whose first element is not a SEQUENCE. */
function asBasicResponse(der: Buffer): Buffer {
  try {
    return unwrapOcspResponse(der);
  } catch (error) {
    if (error instanceof SigningError) return der;
    throw error;
  }
}

/** Shared state of one validation's gathering. */
export interface GatherContext {
  readonly services: ValidationServices;
  /** The time of validation. */
  readonly at: Date;
  readonly pool: EvidencePool;
  /** Paths already gathered, by purpose and fingerprint. */
  readonly chains: Map<string, Promise<ChainFacts>>;
  readonly signal: AbortSignal | undefined;
}
