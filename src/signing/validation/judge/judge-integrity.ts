/** Format, identification of the signer's certificate, and cryptographic verification (EN 319 102-1 §5.2.2, §5.2.3, §5.2.7). */
import type { SignerProblem, SignerRemark } from '../../signed-data/verify-signer.ts';
import type { ValidationCheckCode } from '../check-codes.ts';
import type { SignatureFacts } from '../facts.ts';
import type { SubIndication } from '../validation-report.ts';
import { combine, failed, failure, finding, passed, type Judgement } from './verdict.ts';

/** The sub-indication and the finding of each problem of a signer. */
const PROBLEMS: Readonly<Record<SignerProblem, readonly [SubIndication, ValidationCheckCode]>> = {
  'content-changed': ['HASH_FAILURE', 'CONTENT_CHANGED'],
  'content-differs': ['HASH_FAILURE', 'CONTENT_DIFFERS_FROM_ENCLOSED'],
  'content-missing': ['SIGNED_DATA_NOT_FOUND', 'CONTENT_NOT_GIVEN'],
  'content-needed': ['SIGNED_DATA_NOT_FOUND', 'INTEGRITY_UNKNOWN'],
  'content-type': ['FORMAT_FAILURE', 'CONTENT_TYPE_WRONG'],
  'signature-wrong': ['SIG_CRYPTO_FAILURE', 'SIGNATURE_VALUE_WRONG'],
  'repeated-attribute': ['FORMAT_FAILURE', 'SIGNED_ATTRIBUTE_REPEATED'],
  damaged: ['FORMAT_FAILURE', 'STRUCTURE_DAMAGED'],
  'certificate-missing': ['NO_SIGNING_CERTIFICATE_FOUND', 'SIGNER_CERTIFICATE_MISSING'],
  'certificate-not-named': ['NO_SIGNING_CERTIFICATE_FOUND', 'SIGNER_CERTIFICATE_NOT_NAMED'],
  'key-unreadable': ['CRYPTO_CONSTRAINTS_FAILURE', 'KEY_UNREADABLE'],
  'algorithm-unknown': ['CRYPTO_CONSTRAINTS_FAILURE', 'ALGORITHM_UNKNOWN'],
};

/** The warning of each oddity of a signer. */
const REMARKS: Readonly<Record<SignerRemark, readonly [ValidationCheckCode, string]>> = {
  'digest-info-without-null': [
    'DIGEST_INFO_WITHOUT_NULL',
    'The RSA signature leaves out the parameters of its hash function, which few programs accept.',
  ],
  'content-type-in-counter-signature': [
    'COUNTER_SIGNATURE_CONTENT_TYPE',
    'The counter-signature tells the type of a content, which it should not have.',
  ],
  'issuer-serial-differs': [
    'SIGNING_CERTIFICATE_ISSUER_DIFFERS',
    'The signature names the right certificate by its hash, but with a different issuer or serial number.',
  ],
};

/** Judges the format of the signature, and of the PDF around it. */
export function judgeFormat(facts: SignatureFacts): Judgement {
  const { damage, pdf, repeatedAttributes, hasSortedAttributes, replaysAttributes } = facts;
  if (pdf?.problem !== undefined) {
    return failed(failure('FORMAT_FAILURE', 'PDF_STRUCTURE_UNSOUND', pdf.problem.sentence));
  }
  if (damage !== undefined && facts.isUnknownKind === true) {
    return failed(failure('SIG_CONSTRAINTS_FAILURE', 'PDF_KIND_UNKNOWN', damage));
  }
  if (damage !== undefined) return failed(failure('FORMAT_FAILURE', 'STRUCTURE_DAMAGED', damage));
  if (facts.hasBytesBehind === true) {
    const sentence = 'The signature is followed by bytes that do not belong to it.';
    return failed(failure('FORMAT_FAILURE', 'BYTES_BEHIND_SIGNATURE', sentence));
  }
  if (replaysAttributes) {
    const sentence = 'The content is a set of signed attributes: the signature was made for something else.';
    return failed(failure('SIG_CRYPTO_FAILURE', 'SIGNED_ATTRIBUTES_REPLAYED', sentence));
  }
  if (repeatedAttributes.length > 0) {
    const sentence = `Signed attributes stand more than once: ${repeatedAttributes.join(', ')}.`;
    return failed(failure('FORMAT_FAILURE', 'SIGNED_ATTRIBUTE_REPEATED', sentence));
  }
  if (facts.integrity.problem === 'damaged') return passed();
  return passed(
    finding('STRUCTURE_SOUND', 'The structure of the signature is correct.'),
    ...(hasSortedAttributes
      ? []
      : [finding('SIGNED_ATTRIBUTES_UNSORTED', 'The signed attributes are not stored in the order of DER.')]),
    ...facts.remarks.map((remark) => finding(...REMARKS[remark])),
  );
}

/** Judges whether the signature covers the content, and was made by the signer. */
export function judgeIntegrity(facts: SignatureFacts): Judgement {
  const { integrity } = facts;
  if (facts.damage !== undefined || facts.pdf?.problem !== undefined) return passed();
  if (integrity.outcome === 'intact') return passed(finding('INTEGRITY_INTACT', 'What was signed has not changed.'));
  const usesMd5 = facts.algorithms.some((use) => use.kind === 'hash' && use.name === 'md5');
  if (integrity.problem === 'algorithm-unknown' && usesMd5) {
    const sentence = 'The signature uses MD5, which anyone can forge; it is not checked here.';
    return failed(failure('CRYPTO_CONSTRAINTS_FAILURE', 'HASH_WEAK', sentence));
  }
  const [subIndication, code] = PROBLEMS[integrity.problem ?? 'damaged'];
  return failed(failure(subIndication, code, integrity.reason ?? 'The signature does not hold.'));
}

/** Kinds of PDF signatures with a mandatory signing-certificate attribute (EN 319 142-1 §6.3, table 1). */
const ADVANCED_SUB_FILTERS: ReadonlySet<string> = new Set(['ETSI.CAdES.detached', 'PBAD.PAdES']);

/**
 * Judges whether the certificate was found, and whether the signature's attribute confirms the certificate (RFC 5035
 * §5.4).
 */
export function judgeSigningCertificate({ certificate, signingCertificate, pdf, damage }: SignatureFacts): Judgement {
  if (damage !== undefined || certificate === undefined) return passed();
  const found = passed(
    finding('SIGNER_CERTIFICATE_FOUND', `The signature is said to be by ${certificate.commonName}.`),
  );
  switch (signingCertificate) {
    case 'matches':
      return combine(
        found,
        passed(finding('SIGNING_CERTIFICATE_ATTRIBUTE_RIGHT', 'The signature names the certificate of its signer.')),
      );
    case 'differs':
      return found;
    case 'absent':
    case 'unknown': {
      const sentence = 'The signature does not name the certificate of its signer in a way that can be checked.';
      return combine(
        found,
        ADVANCED_SUB_FILTERS.has(pdf?.subFilter ?? '')
          ? failed(failure('SIG_CONSTRAINTS_FAILURE', 'SIGNING_CERTIFICATE_ATTRIBUTE_REQUIRED', sentence))
          : passed(finding('SIGNING_CERTIFICATE_ATTRIBUTE_MISSING', sentence)),
      );
    }
  }
}

/** Judges the changes by later revisions of the PDF. */
export function judgeChanges({ pdf }: SignatureFacts): Judgement {
  if (pdf === undefined || pdf.problem !== undefined) return passed();
  if (pdf.coversWholeFile) {
    return passed(finding('PDF_WHOLE_FILE_COVERED', 'The signature covers the whole file.'));
  }
  if (pdf.changesAllowed) {
    return passed(finding('PDF_CHANGES_ALLOWED', 'What was changed later is allowed.'));
  }
  const worst = pdf.changes.find(({ level }) => level === pdf.changeLevel);
  const sentence = worst?.sentence ?? 'The file was changed after it was signed.';
  return failed(failure('FORMAT_FAILURE', 'PDF_CHANGES_NOT_ALLOWED', sentence));
}
