/** Judges the signer of an OCSP response, and finds the answer about a certificate (RFC 6960 §3.2, §4.2.2.2). */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Certificate } from '../../certificates/certificate.ts';
import { parseCertificate } from '../../certificates/parse-certificate.ts';
import { isSameName } from '../../certificates/path/distinguished-name.ts';
import { unknownCriticalExtensions } from '../../certificates/path/check-certificate.ts';
import { findUseProblem } from '../../certificates/path/purposes.ts';
import { isIssuedBy, isSignedBy, readStructureAlgorithm } from '../../certificates/path/signed-structure.ts';
import { Oid } from '../../der/oids.ts';
import { SigningError } from '../../errors.ts';
import { CLOCK_SKEW } from '../revocation-result.ts';
import { isCertificateId, keyBits } from './certificate-id.ts';
import type { BasicResponse, SingleAnswer } from './read-ocsp-response.ts';

/** The expectations for a response. */
export interface OcspExpectation {
  readonly certificate: Certificate;
  readonly issuer: Certificate;
  /** The request's nonce. A response may leave out the nonce, but must not have a different nonce. */
  readonly nonce?: Buffer;
  /** Responders' certificates for responses without certificates. */
  readonly known?: readonly Certificate[];
  /** Accepts SHA-1, for old responses. */
  readonly allowLegacyAlgorithms?: boolean;
}

/** A response with an authorised signer, and its answer about the certificate. */
export interface VerifiedAnswer {
  readonly answer: SingleAnswer;
  /** The issuer itself, or its authorised responder. */
  readonly responder: Certificate;
}

const MAX_CERTIFICATES = 10;

function refuse(sentence: string): never {
  throw new SigningError('SIGNATURE_INVALID', sentence);
}

function isResponder(candidate: Certificate, responder: BasicResponse['responder']): boolean {
  if ('name' in responder) return isSameName(candidate.subject, responder.name);
  return createHash('sha1').update(keyBits(candidate)).digest().equals(responder.keyHash);
}

/** Readable certificates of the response; a damaged certificate cannot be the responder's. */
function readCertificates({ certificates }: BasicResponse): readonly Certificate[] {
  return certificates.slice(0, MAX_CERTIFICATES).flatMap((der) => {
    try {
      return [parseCertificate(der)];
    } catch (error) {
      if (error instanceof SigningError) return [];
      throw error;
    }
  });
}

/**
 * RFC 6960 §4.2.2.2: the issuer itself, or the holder of a responder certificate by the issuer, valid at the time of
 * the answer.
 */
function isAuthorized(
  candidate: Certificate,
  response: BasicResponse,
  { issuer, allowLegacyAlgorithms }: OcspExpectation,
): boolean {
  if (candidate.publicKeyInfo.equals(issuer.publicKeyInfo) && isSameName(candidate.subject, issuer.subject))
    return true;
  const producedAt = response.producedAt.getTime();
  return (
    isSameName(candidate.issuer, issuer.subject) &&
    findUseProblem(candidate, 'ocsp-signing') === undefined &&
    candidate.notBefore.getTime() <= producedAt + CLOCK_SKEW &&
    producedAt <= candidate.notAfter.getTime() + CLOCK_SKEW &&
    (allowLegacyAlgorithms === true || !isSha1(candidate.signatureAlgorithm)) &&
    // RFC 5280 §4.2: a certificate with an unknown critical extension is not used.
    unknownCriticalExtensions(candidate).length === 0 &&
    isIssuedBy(candidate, issuer)
  );
}

const isSha1 = (oid: string): boolean => oid === Oid.sha1WithRsa || oid === Oid.ecdsaWithSha1;

function findResponder(response: BasicResponse, expected: OcspExpectation): Certificate {
  const { signed } = response;
  const algorithm = readStructureAlgorithm(signed.algorithm);
  if (algorithm.digest === 'sha1' && expected.allowLegacyAlgorithms !== true) {
    throw new SigningError('ALGORITHM_UNSUPPORTED', 'The OCSP response is signed with SHA-1.');
  }
  const candidates = [expected.issuer, ...readCertificates(response), ...(expected.known ?? [])].filter((candidate) =>
    isResponder(candidate, response.responder),
  );
  if (candidates.length === 0) refuse('The certificate of the OCSP responder is not in its response.');
  const authorized = candidates.filter((candidate) => isAuthorized(candidate, response, expected));
  if (authorized.length === 0) refuse('The OCSP responder is not authorised by the issuer of the certificate.');
  const responder = authorized.find((candidate) =>
    isSignedBy(candidate.publicKey(), algorithm, signed.body, signed.signature),
  );
  return responder ?? refuse('The signature of the OCSP response is wrong.');
}

function checkNonce({ nonce: echoed }: BasicResponse, { nonce }: OcspExpectation): void {
  if (nonce === undefined || echoed === undefined) return;
  if (echoed.length !== nonce.length || !timingSafeEqual(echoed, nonce)) {
    refuse('The OCSP response answers another request: its nonce is wrong.');
  }
}

/**
 * Verifies a response and finds the answer about the certificate; of several answers the latest. Its times are not
 * judged. Throws `SIGNATURE_INVALID` (wrong signature, responder or nonce), `ALGORITHM_UNSUPPORTED`,
 * `REVOCATION_UNKNOWN` (nothing about this certificate), `CERTIFICATE_MALFORMED`, `OCSP_MALFORMED`.
 */
export function verifyOcspResponse(response: BasicResponse, expected: OcspExpectation): VerifiedAnswer {
  const { certificate, issuer } = expected;
  try {
    const [answer] = response.answers
      .filter(({ identifier }) => isCertificateId(identifier, certificate, issuer))
      .toSorted((left, right) => right.thisUpdate.getTime() - left.thisUpdate.getTime());
    if (answer === undefined) {
      throw new SigningError('REVOCATION_UNKNOWN', `The OCSP response says nothing about ${certificate.commonName}.`);
    }
    checkNonce(response, expected);
    return { answer, responder: findResponder(response, expected) };
  } catch (cause) {
    if (cause instanceof SigningError && cause.code === 'DER_MALFORMED') {
      throw new SigningError('OCSP_MALFORMED', 'The OCSP response is damaged.', { cause });
    }
    throw cause;
  }
}
