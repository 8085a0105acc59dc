/** Certificates and revocation data inside a signature, and the state of each certificate by this revocation data. */
import { buildPath } from '../../certificates/path/build-path.ts';
import { isSameName } from '../../certificates/path/distinguished-name.ts';
import { readStructureAlgorithm } from '../../certificates/path/signed-structure.ts';
import type { Certificate } from '../../certificates/certificate.ts';
import { parseKnownCertificate } from '../../certificates/parse-certificate.ts';
import { SigningError } from '../../errors.ts';
import { CrlIndex } from '../../revocation/crl/crl-index.ts';
import { CRL_HEAD_OCTETS, readCrlHead } from '../../revocation/crl/crl-head.ts';
import { judgeCrl } from '../../revocation/crl/open-crls.ts';
import { readBasicResponse, unwrapOcspResponse, type BasicResponse } from '../../revocation/ocsp/read-ocsp-response.ts';
import { verifyOcspResponse } from '../../revocation/ocsp/verify-ocsp-response.ts';
import { problemOf, type RevocationProblem } from '../../revocation/revocation-result.ts';
import { type ObjectKey, type RevocationFact, type ChainFacts, objectKey } from '../facts.ts';
import type { AlgorithmUse } from '../judge/algorithm-policy.ts';
import { keyUse } from './algorithm-uses.ts';
import type { ValidationServices } from '../validation-request.ts';

/** Most objects of each kind that are read; honest signatures have a handful. */
const MAX_CERTIFICATES = 1000;
const MAX_RESPONSES = 200;
const MAX_LISTS = 200;

/** The pool's revocation data about a certificate. */
export interface PooledEvidence {
  readonly facts: readonly RevocationFact[];
  readonly problems: readonly RevocationProblem[];
}

interface Response {
  readonly key: ObjectKey;
  readonly response: BasicResponse;
}

function structureUses(signer: Certificate, algorithm: Parameters<typeof readStructureAlgorithm>[0]): AlgorithmUse[] {
  const { digest } = readStructureAlgorithm(algorithm);
  return [...(digest === undefined ? [] : [{ kind: 'hash', name: digest } as const]), ...keyUse(signer)];
}

/** Gathers the material of signatures and stores, each object once, and answers questions about certificates. */
export class EvidencePool {
  readonly #certificates = new Map<string, Certificate>();
  readonly #lists = new Map<ObjectKey, Buffer>();
  readonly #responses = new Map<ObjectKey, Response>();
  readonly #opened = new Map<string, Promise<CrlIndex>>();
  #all: readonly Certificate[] | undefined;
  readonly #anchors: readonly Certificate[];
  readonly #now: Date;

  constructor(anchors: readonly Certificate[], now: Date) {
    this.#anchors = anchors;
    this.#now = now;
  }

  get certificates(): readonly Certificate[] {
    return (this.#all ??= [...this.#certificates.values()]);
  }

  /** True when there is neither a list nor a response to ask. */
  get hasNoEvidence(): boolean {
    return this.#lists.size + this.#responses.size === 0;
  }

  addCertificates(certificates: readonly Certificate[]): void {
    this.#all = undefined;
    for (const certificate of certificates) {
      if (this.#certificates.size >= MAX_CERTIFICATES) return;
      this.#certificates.set(certificate.fingerprint, certificate);
    }
  }

  /** DER; anything but a certificate is ignored. */
  addCertificateDer(der: Uint8Array): void {
    try {
      this.addCertificates([parseKnownCertificate(der)]);
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

  /** All usable data about the certificate; data about others is passed over. */
  async evidenceFor(certificate: Certificate, issuer: Certificate): Promise<PooledEvidence> {
    const facts: RevocationFact[] = [];
    const problems: RevocationProblem[] = [];
    const attempt = async (
      find: () => Promise<RevocationFact | undefined> | RevocationFact | undefined,
    ): Promise<void> => {
      try {
        const fact = await find();
        if (fact !== undefined) facts.push(fact);
      } catch (error) {
        problems.push(problemOf(error));
      }
    };
    for (const response of this.#responses.values()) {
      await attempt(() => this.#askResponse(response, certificate, issuer));
    }
    for (const [key, list] of this.#lists) await attempt(() => this.#askList(key, list, certificate, issuer));
    return { facts, problems: problems.filter(({ code }) => code !== 'NOT_COVERED' && code !== 'ANSWERED_UNKNOWN') };
  }

  #askResponse({ key, response }: Response, certificate: Certificate, issuer: Certificate): RevocationFact | undefined {
    const known = this.certificates;
    const { answer, responder } = verifyOcspResponse(response, {
      certificate,
      issuer,
      known,
      allowLegacyAlgorithms: true,
    });
    if (answer.status === 'unknown') return undefined;
    const { thisUpdate, nextUpdate, archiveCutoff, revocation } = answer;
    if (revocation === undefined && isDropped(certificate, thisUpdate, archiveCutoff)) return undefined;
    return {
      kind: 'ocsp',
      origin: 'embedded',
      key,
      thisUpdate,
      nextUpdate,
      ...(revocation === undefined ? {} : { revocation }),
      signer: responder,
      algorithms: structureUses(responder, response.signed.algorithm),
    };
  }

  async #askList(
    key: ObjectKey,
    list: Buffer,
    certificate: Certificate,
    issuer: Certificate,
  ): Promise<RevocationFact | undefined> {
    const head = readCrlHead(list.subarray(0, CRL_HEAD_OCTETS), list.length);
    if (!isSameName(head.issuer, certificate.issuer)) return undefined;
    const { index, signer } = await this.#open(key, list, certificate, issuer);
    const verdict = judgeCrl(index, certificate, index.thisUpdate, this.#now);
    if ('problem' in verdict) return undefined;
    const { digest } = head.algorithm;
    return {
      kind: 'crl',
      origin: 'embedded',
      key,
      thisUpdate: index.thisUpdate,
      nextUpdate: index.nextUpdate,
      ...(verdict.revocation === undefined ? {} : { revocation: verdict.revocation }),
      signer,
      algorithms: [...(digest === undefined ? [] : [{ kind: 'hash', name: digest } as const]), ...keyUse(signer)],
    };
  }

  /** The list, verified with the issuer's key or with the issuer's separate key for lists (RFC 5280 §6.3.3 (f)). */
  async #open(
    key: ObjectKey,
    list: Buffer,
    certificate: Certificate,
    issuer: Certificate,
  ): Promise<{ readonly index: CrlIndex; readonly signer: Certificate }> {
    const openWith = async (signer: Certificate): Promise<{ index: CrlIndex; signer: Certificate }> => {
      const name = `${key} ${signer.fingerprint}`;
      const index = this.#opened.get(name) ?? CrlIndex.build(list, signer, { allowLegacyAlgorithms: true });
      this.#opened.set(name, index);
      return { index: await index, signer };
    };
    try {
      return await openWith(issuer);
    } catch (error) {
      for (const signer of this.#otherSigners(certificate, issuer)) {
        const opened = await openWith(signer).catch((reason: unknown) => void problemOf(reason));
        if (opened !== undefined) return opened;
      }
      throw error;
    }
  }

  #otherSigners(certificate: Certificate, issuer: Certificate): readonly Certificate[] {
    const all = this.certificates;
    return all
      .filter(({ subject }) => isSameName(subject, issuer.subject))
      .filter(({ publicKeyInfo }) => !publicKeyInfo.equals(issuer.publicKeyInfo))
      .filter((candidate) => {
        const at = certificate.notBefore > candidate.notBefore ? certificate.notBefore : candidate.notBefore;
        const rules = { at, purpose: 'crl-signing', allowLegacyAlgorithms: true } as const;
        const request = { certificate: candidate, intermediates: [...all, issuer], anchors: this.#anchors, ...rules };
        return buildPath(request).outcome === 'valid';
      });
  }
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
