import { createHash } from 'node:crypto';
import { maskNumberBehindName, maskNumbersInText } from '../../service/certificates/index.ts';
import {
  checkWords,
  describeSigner,
  hasNoLegalValue,
  officialNotice,
  provenLevel,
  summarizeReport,
  type ReportLanguage,
  type SignatureReport,
  type TimestampReport,
  type ValidationReport,
} from '../../service/validation/index.ts';
import type {
  ValidatedChainEntry,
  ValidatedSignatureBody,
  ValidatedTimestampBody,
  ValidationCheckBody,
  ValidatorBody,
} from './validator-schemas.ts';

/** The validator's answer: the documented body and additional findings. Taxpayer numbers are masked. */
export function validationBody(report: ValidationReport, language: ReportLanguage): ValidatorBody {
  const { status, detail } = summarizeReport(report);
  return {
    status,
    detail,
    indication: report.indication,
    sub_indication: report.subIndication ?? null,
    changed_since: report.signatures.some(({ pdf }) => pdf?.changedSince === true),
    kind: report.kind,
    standards: [...(report.standards ?? [])],
    no_legal_value: hasNoLegalValue(report),
    validated_at: report.validatedAt.toISOString(),
    content_digest: report.contentDigest ?? null,
    signatures: report.signatures.map((signature) => signatureBody(signature, language)),
    document_timestamps: report.documentTimestamps.map((timestamp) => timestampBody(timestamp, language)),
    checks: report.checks.map((check) => checkBody(check, language)),
    notice: officialNotice(language),
  };
}

const timeOf = (date: Date | undefined): string | null => date?.toISOString() ?? null;

function signatureBody(report: SignatureReport, language: ReportLanguage): ValidatedSignatureBody {
  const signer = describeSigner(report);
  const { policy } = report;
  const level = report.level === 'none' ? null : report.level;
  return {
    id: report.id,
    format: report.format,
    status: report.indication === 'TOTAL-PASSED',
    indication: report.indication,
    sub_indication: report.subIndication ?? null,
    holder: { name: signer.holder, taxpayer_number: signer.taxpayerNumber },
    signer_certificate: certificateBody(signer),
    hierarchy: report.chain?.hierarchy ?? null,
    level: policy?.complete === true ? (policy.name ?? level) : level,
    level_proven: provenLevel(report),
    protection: protectionBody(report),
    policy: policy === undefined ? null : { oid: policy.oid, name: policy.name ?? null, recognised: policy.recognised },
    statements: statementsBody(report),
    claimed_signing_time: timeOf(report.claimedSigningTime),
    proven_time: timeOf(report.provenTime),
    validation_time: report.validationTime.toISOString(),
    digest_algorithm: report.digestAlgorithm ?? null,
    signature_algorithm: report.signatureAlgorithm ?? null,
    chain: chainBody(report),
    timestamps: report.timestamps.map((timestamp) => timestampBody(timestamp, language)),
    checks: report.checks.map((check) => checkBody(check, language, report.chain)),
    pdf: pdfBody(report),
    extendable: report.extendable ?? null,
    counter_signatures: report.counterSignatures.map((one) => signatureBody(one, language)),
  };
}

function statementsBody({ statements }: SignatureReport): ValidatedSignatureBody['statements'] {
  if (statements === undefined) return null;
  const { claimedRoles, place, commitments, contentHints } = statements;
  return {
    claimed_roles: [...claimedRoles],
    place: [...place],
    commitments: [...commitments],
    content_hints: [...contentHints],
  };
}

function protectionBody({ protection }: SignatureReport): ValidatedSignatureBody['protection'] {
  if (protection === undefined) return null;
  const { until, cause, name } = protection;
  return { until: until.toISOString(), cause, name: maskNumberBehindName(name) };
}

function certificateBody({
  certificate,
}: ReturnType<typeof describeSigner>): ValidatedSignatureBody['signer_certificate'] {
  if (certificate === null) return null;
  return {
    cn: certificate.cn,
    issuer: certificate.issuer,
    serial_number_hex: certificate.serialNumberHex,
    not_before: certificate.notBefore.toISOString(),
    not_after: certificate.notAfter.toISOString(),
    fingerprint: certificate.fingerprint,
    fingerprint_sha256: certificate.fingerprintSha256,
    policy_type: certificate.policyType,
    pem: certificate.pem,
  };
}

function timestampBody(report: TimestampReport, language: ReportLanguage): ValidatedTimestampBody {
  return {
    role: report.role,
    time: report.time?.toISOString() ?? null,
    indication: report.indication,
    sub_indication: report.subIndication ?? null,
    authority: report.authority === undefined ? null : maskNumbersInText(report.authority),
    chain: chainBody(report),
    checks: report.checks.map((check) => checkBody(check, language, report.chain)),
  };
}

function chainBody({ chain }: Pick<SignatureReport, 'chain'>): ValidatedChainEntry[] {
  return (chain?.entries ?? []).map(({ certificate, commonName, notBefore, notAfter, revocation, ...entry }) => ({
    name: maskNumbersInText(commonName),
    not_before: notBefore.toISOString(),
    not_after: notAfter.toISOString(),
    fingerprint_sha256: createHash('sha256').update(certificate).digest('hex'),
    anchor: entry.isAnchor,
    time_stamps_only: entry.isForTimestampsOnly === true,
    revocation:
      revocation === undefined
        ? null
        : {
            status: revocation.status,
            kind: revocation.kind ?? null,
            origin: revocation.origin ?? null,
            this_update: timeOf(revocation.thisUpdate),
            next_update: timeOf(revocation.nextUpdate),
            revoked_at: timeOf(revocation.revokedAt),
            reason: revocation.reason ?? null,
            problem: revocation.problem === undefined ? null : maskNumbersInText(revocation.problem),
          },
  }));
}

function checkBody(
  check: SignatureReport['checks'][number],
  language: ReportLanguage,
  chain?: SignatureReport['chain'],
): ValidationCheckBody {
  const { area, outcome, code, sentence } = check;
  return { area, outcome, code, ...checkWords(code, language, chain), detail: maskNumbersInText(sentence) };
}

function pdfBody({ pdf }: SignatureReport): ValidatedSignatureBody['pdf'] {
  if (pdf === undefined) return null;
  return {
    field_name: pdf.fieldName,
    sub_filter: pdf.subFilter,
    covers_whole_file: pdf.coversWholeFile,
    revision: pdf.revision,
    certification: pdf.certification ?? null,
    reason: pdf.reason ?? null,
    location: pdf.location ?? null,
    contact: pdf.contact ?? null,
    page: pdf.page ?? null,
    change_level: pdf.changeLevel,
    changes_allowed: pdf.changesAllowed,
    changed_since: pdf.changedSince,
    signed_size: pdf.signedSize ?? null,
    changes: pdf.changes.map(({ revision, page, fieldName, level, code, sentence }) => ({
      revision,
      page: page ?? null,
      field_name: fieldName ?? null,
      level,
      code,
      detail: sentence,
    })),
  };
}
