import {
  withCounterSignatures,
  type CheckArea,
  type SignatureReport,
  type SubIndication,
  type ValidationCheck,
  type ValidationReport,
} from '../../signing/index.ts';
import { type CertificateFindings, type Finding, findingOf, maskNumberBehindName } from '../certificates/index.ts';
import { findingCodes, type FindingCode } from '../errors/index.ts';
import { checkWords } from './signature-rows.ts';

/** The sub-objects of `detail`. `policy` is present only if a signature names a policy. */
type Part = 'signature' | 'date' | 'crl' | 'trust' | 'policy';

/** Overall result and its parts, as the interface document defines them, and a part about the policy. */
export interface ValidationSummary {
  readonly status: boolean;
  readonly detail: CertificateFindings & { readonly signature: Finding; readonly policy?: Finding };
}

/** A signature, or a time stamp in a file without signatures. */
type Subject = Pick<SignatureReport, 'indication' | 'subIndication' | 'checks' | 'chain'> &
  Partial<Pick<SignatureReport, 'policy'>>;

/** The part that each area of checks belongs to. Time stamps have no part: they count through the signature's verdict. */
const partOfArea = {
  format: 'signature',
  integrity: 'signature',
  algorithm: 'signature',
  policy: 'policy',
  changes: 'signature',
  timestamp: undefined,
  certificate: 'trust',
  trust: 'trust',
  date: 'date',
  revocation: 'crl',
} as const satisfies Record<CheckArea, Part | undefined>;

/**
 * Exceptions from `partOfArea`: a weak certificate concerns the chain and not the signature, and some findings about time
 * stamps decide about the signature or its date.
 */
const partOfCode: Partial<Record<ValidationCheck['code'], Part>> = {
  CERTIFICATE_HASH_WEAK: 'trust',
  CERTIFICATE_KEY_TOO_SHORT: 'trust',
  TIMESTAMP_ORDER_WRONG: 'signature',
  PROOF_OF_EXISTENCE_MISSING: 'date',
};

/** The part that a sub-indication makes false when no check explains the sub-indication. */
const partOfSubIndication = {
  FORMAT_FAILURE: 'signature',
  HASH_FAILURE: 'signature',
  SIG_CRYPTO_FAILURE: 'signature',
  REVOKED: 'crl',
  EXPIRED: 'date',
  NOT_YET_VALID: 'date',
  SIG_CONSTRAINTS_FAILURE: 'signature',
  CHAIN_CONSTRAINTS_FAILURE: 'trust',
  CERTIFICATE_CHAIN_GENERAL_FAILURE: 'trust',
  CRYPTO_CONSTRAINTS_FAILURE: 'signature',
  POLICY_PROCESSING_ERROR: 'signature',
  SIGNATURE_POLICY_NOT_AVAILABLE: 'signature',
  TIMESTAMP_ORDER_FAILURE: 'signature',
  NO_SIGNING_CERTIFICATE_FOUND: 'trust',
  NO_CERTIFICATE_CHAIN_FOUND: 'trust',
  NO_CERTIFICATE_CHAIN_FOUND_NO_POE: 'trust',
  REVOKED_NO_POE: 'crl',
  REVOKED_CA_NO_POE: 'crl',
  OUT_OF_BOUNDS_NOT_REVOKED: 'date',
  OUT_OF_BOUNDS_NO_POE: 'date',
  REVOCATION_OUT_OF_BOUNDS_NO_POE: 'crl',
  CRYPTO_CONSTRAINTS_FAILURE_NO_POE: 'signature',
  NO_POE: 'date',
  TRY_LATER: 'crl',
  SIGNED_DATA_NOT_FOUND: 'signature',
} as const satisfies Record<SubIndication, Part>;

/** A part is true only if each signature passed one of these checks. */
const passedChecks = {
  signature: ['INTEGRITY_INTACT', 'TIMESTAMP_VALID'],
  date: ['CERTIFICATE_IN_VALIDITY', 'CERTIFICATE_WAS_VALID'],
  crl: ['NOT_REVOKED', 'REVOKED_AFTER_SIGNING'],
  trust: ['CHAIN_TRUSTED'],
  policy: ['POLICY_RULES_KEPT'],
} as const satisfies Record<Part, readonly ValidationCheck['code'][]>;

const goodCode = {
  signature: 'signaturesIntact',
  date: 'dateValid',
  crl: 'revocationValid',
  trust: 'chainTrusted',
  policy: 'policyKept',
} as const satisfies Record<Part, FindingCode>;

/**
 * Summarises a report. A part is true if its check passed in every signature and counter-signature. A part is false with
 * its own code if a check failed, and false with 1193 if the check could not be made. Failures without effect on a valid
 * signature, such as a broken second time stamp, do not count. A file without signatures is summarised by its time
 * stamps. A failed check of the whole file makes `signature` false. The policy's part makes the overall result false
 * only with 1196.
 */
export function summarizeReport(report: ValidationReport): ValidationSummary {
  const unsound = report.checks.filter(({ outcome }) => outcome === 'failed');
  const signed: readonly Subject[] =
    report.signatures.length > 0 ? report.signatures.flatMap(withCounterSignatures) : report.documentTimestamps;
  const subjects: readonly Subject[] = unsound.length > 0 ? [...signed, { ...UNSOUND_FILE, checks: unsound }] : signed;
  const part = (name: Part, of: readonly Subject[] = subjects): Finding => {
    const own = of.flatMap(problemsOf).filter((problem) => problem.part === name);
    const worst = own.find((problem) => problem.isFailure || isPolicyBroken(problem)) ?? own[0];
    if (worst !== undefined) return badFinding(name, worst);
    const isMade = of.length > 0 && of.every((subject) => hasPassed(subject, name));
    return isMade ? findingOf(goodCode[name], true) : findingOf('notDetermined', false);
  };
  const underPolicy = subjects.filter(({ policy }) => policy !== undefined);
  const policy = underPolicy.length === 0 ? undefined : part('policy', underPolicy);
  const untrusted = subjects.find((subject) => problemsOf(subject).some((problem) => problem.part === 'trust'));
  return {
    status: subjects.length > 0 && subjects.every(isGood) && policy?.code !== findingCodes.policyNotKept.code,
    detail: {
      signature: part('signature'),
      date: part('date'),
      crl: part('crl'),
      trust: { ...part('trust'), chain: chainOf(untrusted ?? subjects[0]) },
      policy,
    },
  };
}

const isOfTestRoot = ({ chain }: Pick<SignatureReport, 'chain'>): boolean => chain?.hierarchy === 'test';

/** True when the chain of a signature, counter-signature or time stamp ends in a test root. */
export const hasNoLegalValue = ({
  signatures,
  documentTimestamps,
}: Pick<ValidationReport, 'signatures' | 'documentTimestamps'>): boolean =>
  signatures.flatMap(withCounterSignatures).some(isWithoutLegalValue) || documentTimestamps.some(isOfTestRoot);

/** True when the chain of the signature, or of one of its time stamps, ends in a test root. */
export const isWithoutLegalValue = (signature: Pick<SignatureReport, 'chain' | 'timestamps'>): boolean =>
  isOfTestRoot(signature) || signature.timestamps.some(isOfTestRoot);

/** Stands for a failed check of the whole file, which counts like an invalid signature. */
const UNSOUND_FILE = { indication: 'TOTAL-FAILED', subIndication: 'FORMAT_FAILURE' } as const;

const hasPassed = ({ checks }: Subject, part: Part): boolean => {
  const wanted: readonly string[] = passedChecks[part];
  return checks.some(({ code }) => wanted.includes(code));
};

/** Valid, or undetermined only because of its policy. */
function isGood(subject: Subject): boolean {
  if (subject.indication === 'TOTAL-PASSED') return true;
  return subject.indication === 'INDETERMINATE' && problemsOf(subject).every(({ part }) => part === 'policy');
}

/** Checks that count as failures, although the certificate may have been revoked only after signing. */
const REVOKED_CODES: readonly (ValidationCheck['code'] | undefined)[] = [
  'CERTIFICATE_REVOKED',
  'CERTIFICATE_ON_HOLD',
  'AUTHORITY_REVOKED',
];

/** Why a part is false. */
interface Problem {
  readonly part: Part;
  /** False if the check could not be determined. */
  readonly isFailure: boolean;
  readonly code?: ValidationCheck['code'];
}

/** Sub-indications that any problem may explain, for example a weak certificate in the chain. */
const CRYPTOGRAPHIC: readonly (SubIndication | undefined)[] = [
  'CRYPTO_CONSTRAINTS_FAILURE',
  'CRYPTO_CONSTRAINTS_FAILURE_NO_POE',
];

/** True when the found problems explain the verdict. A broken policy explains any sub-indication. */
function areExplained(found: readonly Problem[], part: Part, subIndication: SubIndication | undefined): boolean {
  if (subIndication === undefined || CRYPTOGRAPHIC.includes(subIndication)) return found.length > 0;
  return found.some((problem) => problem.part === part || problem.part === 'policy');
}

function problemsOf(subject: Subject): readonly Problem[] {
  const { indication, subIndication, checks } = subject;
  if (indication === 'TOTAL-PASSED') return [];
  const isStamp = 'role' in subject;
  const found: readonly Problem[] = checks.flatMap(({ area, outcome, code }) => {
    const part = partOfCode[code] ?? (isStamp && area === 'timestamp' ? 'signature' : partOfArea[area]);
    if (part === undefined || (outcome !== 'failed' && outcome !== 'unknown')) return [];
    return [{ part, isFailure: outcome === 'failed' || REVOKED_CODES.includes(code), code }];
  });
  const part = subIndication === undefined ? 'signature' : partOfSubIndication[subIndication];
  const isExplained = areExplained(found, part, subIndication);
  return isExplained ? found : [...found, { part, isFailure: indication === 'TOTAL-FAILED' }];
}

function badFinding(part: Part, { code, isFailure }: Problem): Finding {
  const reason = code === undefined ? undefined : checkWords(code, 'en').finding;
  return findingOf(badCode(part, isFailure, code), false, reason);
}

/** Undetermined findings about a policy: its rules are unknown, or cannot be checked now. */
const POLICY_OPEN: readonly (ValidationCheck['code'] | undefined)[] = [
  'POLICY_NOT_AVAILABLE',
  'POLICY_ATTRIBUTE_UNPROVEN',
];

const isPolicyBroken = ({ part, code }: Problem): boolean => part === 'policy' && !POLICY_OPEN.includes(code);

function badCode(part: Part, isFailure: boolean, code: Problem['code']): FindingCode {
  switch (part) {
    case 'signature':
      if (code === 'CONTENT_NOT_GIVEN' || code === 'TIMESTAMP_IMPRINT_UNKNOWN') return 'documentMissing';
      return isFailure ? 'signatureBroken' : 'notDetermined';
    case 'date':
      return isFailure || code !== undefined ? 'dateNotValid' : 'notDetermined';
    case 'trust':
      return code === undefined || code === 'SIGNER_CERTIFICATE_MISSING' ? 'notDetermined' : 'chainNotTrusted';
    case 'crl':
      return isFailure ? 'revocationNotValid' : 'notDetermined';
    case 'policy':
      return POLICY_OPEN.includes(code) ? 'notDetermined' : 'policyNotKept';
  }
}

function chainOf(signature: Subject | undefined): string {
  return (signature?.chain?.entries ?? []).map(({ commonName }) => maskNumberBehindName(commonName)).join(' > ');
}
