/** Verifies time stamp tokens (RFC 3161 §2.2, §2.3; RFC 5816): problems of a token are outcomes, not errors. */
import type { Certificate } from '../certificates/certificate.ts';
import { contentOfBytes } from '../signed-data/content.ts';
import { verifySigner } from '../signed-data/verify-signer.ts';
import { Oid } from '../der/oids.ts';
import { openTimestampToken, type TimestampToken } from './timestamp-token.ts';

/**
 * Validates the path of an authority's certificate as of `at`; `others` are possible certificates of the path. Answers
 * a sentence about the problem, or undefined.
 */
export type ValidateTimestampChain = (
  certificate: Certificate,
  others: readonly Certificate[],
  at: Date,
) => Promise<string | undefined>;

/** The expectations for a token. */
export interface TimestampExpectations {
  /** Digest of the expected data, with the token's hash function. */
  readonly imprint: TimestampToken['imprint'];
  /** The time at which the path is validated. */
  readonly at: Date;
  /** Possible authority certificates for a token without its certificate. */
  readonly certificates?: readonly Certificate[];
  /** Absent: the path is not validated, and the outcome does not include trust. */
  readonly validateChain?: ValidateTimestampChain;
}

/** The result of verifying a token. */
export interface TimestampVerification {
  /** `unknown`: the outcome could not be determined. */
  readonly outcome: 'valid' | 'invalid' | 'unknown';
  /** A sentence; absent when the outcome is `valid`. */
  readonly problem?: string;
  /** The authority's certificate. */
  readonly certificate?: Certificate;
  /** The hash function of the token's own signature, or the OID of an unknown function. */
  readonly digestAlgorithm: string;
}

type Problem = string | undefined;

const DIGITAL_SIGNATURE = 0;
const NON_REPUDIATION = 1;

/** RFC 3161 §2.3: a critical extension limits the key to time stamps. */
function checkUsage({ extensions, extendedKeyUsage, keyUsage, isCertificateAuthority }: Certificate): Problem {
  const purposes = extendedKeyUsage ?? [];
  if (purposes.length !== 1 || purposes[0] !== Oid.timeStamping) {
    return "The certificate of the time stamp's signer is not for time stamps alone.";
  }
  if (extensions.get(Oid.extendedKeyUsage)?.critical !== true) {
    return "The purpose in the certificate of the time stamp's signer is not marked as critical.";
  }
  if (keyUsage !== undefined && !keyUsage.includes(DIGITAL_SIGNATURE) && !keyUsage.includes(NON_REPUDIATION)) {
    return "The key of the time stamp's signer is not for signatures.";
  }
  return isCertificateAuthority ? 'The time stamp is signed by a certification authority.' : undefined;
}

function checkValidity({ notBefore, notAfter }: Certificate, time: Date): Problem {
  if (time < notBefore) return "The certificate of the time stamp's signer was not yet valid when it stamped.";
  return time > notAfter ? "The certificate of the time stamp's signer had expired when it stamped." : undefined;
}

function checkImprint(imprint: TimestampToken['imprint'], expected: TimestampToken['imprint']): Problem {
  return imprint.algorithm === expected.algorithm && imprint.value.equals(expected.value)
    ? undefined
    : 'The time stamp belongs to other data: its digest differs.';
}

/**
 * Verifies the token's signature, its signer's right to stamp, and the imprint; with `validateChain` also the path.
 * Throws `TIMESTAMP_INVALID` for an unreadable token; rejects with the errors of `validateChain`.
 */
export async function verifyTimestampToken(
  token: Pick<TimestampToken, 'der'>,
  { imprint, at, certificates = [], validateChain }: TimestampExpectations,
): Promise<TimestampVerification> {
  const { signedData, content, token: opened } = openTimestampToken(token.der);
  const known = [...signedData.certificates, ...certificates];
  const [signer] = signedData.signers;
  if (signer === undefined)
    return { outcome: 'invalid', problem: 'Nobody signed the time stamp.', digestAlgorithm: '' };
  const verified = await verifySigner(signer, { ...signedData, certificates: known }, contentOfBytes(content));
  const { certificate, digestAlgorithm } = verified;
  const conclude = (outcome: TimestampVerification['outcome'], problem: Problem): TimestampVerification => ({
    outcome,
    problem,
    certificate,
    digestAlgorithm,
  });
  if (verified.outcome !== 'intact' || certificate === undefined) {
    return conclude(verified.outcome === 'unknown' ? 'unknown' : 'invalid', verified.reason);
  }
  if (verified.signingCertificateMatches !== true) {
    return conclude('invalid', 'The signed attributes of the time stamp do not name its signer’s certificate.');
  }
  const problem =
    checkImprint(opened.imprint, imprint) ??
    checkUsage(certificate) ??
    checkValidity(certificate, opened.time) ??
    (await validateChain?.(certificate, known, at));
  return conclude(problem === undefined ? 'valid' : 'invalid', problem);
}
