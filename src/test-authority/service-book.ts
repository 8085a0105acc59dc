/** The state of the test services: their CAs, the responder of each CA, and all revocations. */
import { parseCertificate, type Certificate } from '../signing/index.ts';
import {
  OcspError,
  answerOcspRequest,
  concernsAuthority,
  writeOcspError,
  type TestCertificateStatus,
} from './answer-ocsp.ts';
import { TestAuthorityError } from './errors.ts';
import { wholeSecond } from './generalized-time.ts';
import { issueTestResponder } from './issue-services.ts';
import type { TestRevocation, TestRevocationReason } from './revocation.ts';
import { yearsAfter, type TestAuthority, type TestIdentity, type TestIssueOptions } from './test-authority.ts';
import { writeCrl } from './write-crl.ts';

/** The names of the CAs in requests. */
export type TestAuthorityName = 'root' | 'intermediate' | 'issuing';

interface Entry {
  readonly name: TestAuthorityName;
  readonly identity: TestIdentity;
  readonly certificate: Certificate;
  /** The signer of OCSP responses: a delegate of the CA. */
  readonly responder: TestIdentity;
  /** By the hex of the serial number's content bytes. */
  readonly revoked: Map<string, TestRevocation>;
}

const HOUR = 60 * 60 * 1000;

/** Lifetimes of answers in milliseconds, and the validity of the responders' certificates. */
export interface ServiceTerms {
  /** From an OCSP answer to its next update; by default an hour. */
  readonly ocspLifetime?: number;
  /** From a list to its next update; by default six hours. */
  readonly crlLifetime?: number;
  /** The services' time at their start; by default the clock of this computer. */
  readonly startedAt?: Date;
  /** Years of the certificates of time-stamp authority and responders; by default one. */
  readonly years?: number;
}

/** The validity of a service's certificate, limited to the validity of its issuer. */
export function serviceDates(
  issuer: TestIdentity,
  { startedAt = new Date(), years = 1 }: ServiceTerms,
): Pick<TestIssueOptions, 'notBefore' | 'notAfter'> {
  const { notBefore, notAfter } = parseCertificate(issuer.certificate);
  const begin = new Date(Math.max(notBefore.getTime(), startedAt.getTime() - HOUR));
  const end = yearsAfter(begin, years);
  return { notBefore: begin, notAfter: end < notAfter ? end : notAfter };
}

/** Knows the state of every certificate of a test authority. */
export class ServiceBook {
  readonly #entries: readonly Entry[];

  readonly #terms: ServiceTerms;

  private constructor(entries: readonly Entry[], terms: ServiceTerms) {
    this.#entries = entries;
    this.#terms = terms;
  }

  /**
   * Creates the state with a delegated responder for every CA. The responders' certificates carry `nocheck`, so clients
   * do not check them for revocation.
   */
  static async open(authority: TestAuthority, terms: ServiceTerms = {}): Promise<ServiceBook> {
    const entry = async (name: TestAuthorityName, identity: TestIdentity): Promise<Entry> => {
      // The certificates of a responder name no addresses, because clients do not check them for revocation.
      const above = { root: authority.root, issuing: identity, urls: {} };
      const responder = await issueTestResponder(above, { keyKind: 'ec-p256', ...serviceDates(identity, terms) });
      return { name, identity, responder, certificate: parseCertificate(identity.certificate), revoked: new Map() };
    };
    const { root, intermediate, issuing } = authority;
    const entries = [
      entry('root', root),
      ...(intermediate === undefined ? [] : [entry('intermediate', intermediate)]),
      entry('issuing', issuing),
    ];
    return new ServiceBook(await Promise.all(entries), terms);
  }

  /** DER of a CA's certificate, or undefined when there is no such CA. */
  certificateOf(name: string): Buffer | undefined {
    return this.#find(name)?.identity.certificate;
  }

  /** DER of a CA's list as of `now`, or undefined when there is no such CA. Its number grows with the seconds. */
  crlOf(name: string, now: Date): Buffer | undefined {
    const entry = this.#find(name);
    if (entry === undefined) return undefined;
    const thisUpdate = wholeSecond(now);
    const nextUpdate = new Date(thisUpdate.getTime() + (this.#terms.crlLifetime ?? 6 * HOUR));
    const number = Math.floor(now.getTime() / 1000);
    return writeCrl({ issuer: entry.identity, number, thisUpdate, nextUpdate }, [...entry.revoked.values()]);
  }

  /** DER of the OCSPResponse; `unauthorized` for requests about other authorities. */
  answerOcsp(request: Uint8Array, now: Date): Buffer {
    const entry = this.#entries.find(({ identity }) => concernsAuthority(request, identity.certificate));
    if (entry === undefined) return writeOcspError(OcspError.unauthorized);
    const { identity, responder, revoked } = entry;
    const statusOf = (serialNumber: Buffer): TestCertificateStatus => {
      const revocation = revoked.get(serialNumber.toString('hex'));
      return revocation === undefined ? { status: 'good' } : { status: 'revoked', ...revocation };
    };
    const nextUpdate = new Date(now.getTime() + (this.#terms.ocspLifetime ?? HOUR));
    return answerOcspRequest(request, { issuer: identity.certificate, responder, statusOf, now, nextUpdate });
  }

  /** Throws `FIELD_INVALID` when none of the CAs issued the certificate. */
  revoke(certificate: Uint8Array, at: Date, reason: TestRevocationReason | undefined): void {
    const { serialNumber, revoked } = this.#issuerOf(certificate);
    const why = { reason };
    revoked.set(serialNumber.toString('hex'), { serialNumber, at: wholeSecond(at), ...why });
  }

  /** Removes a revocation, as after `certificateHold`. Throws like `revoke`. */
  restore(certificate: Uint8Array): void {
    const { serialNumber, revoked } = this.#issuerOf(certificate);
    revoked.delete(serialNumber.toString('hex'));
  }

  #find(name: string): Entry | undefined {
    return this.#entries.find((entry) => entry.name === name);
  }

  #issuerOf(der: Uint8Array): { readonly serialNumber: Buffer; readonly revoked: Map<string, TestRevocation> } {
    const { issuer, serialNumber, authorityKeyIdentifier: key } = parseCertificate(der);
    // All test authorities have the same names unless labelled, so the key decides.
    const entry = this.#entries.find(
      ({ certificate: { subject, subjectKeyIdentifier } }) =>
        subject.equals(issuer) && key !== undefined && subjectKeyIdentifier?.equals(key) === true,
    );
    if (entry === undefined) {
      throw new TestAuthorityError('FIELD_INVALID', 'The certificate was not issued by this test authority.');
    }
    return { serialNumber, revoked: entry.revoked };
  }
}
