import type {
  CheckArea,
  SignatureReport,
  SubIndication,
  ValidationCheck,
  ValidationReport,
} from '../../signing/index.ts';
import { type CertificateFindings, type Finding, findingOf, maskNumberBehindName } from '../certificates/index.ts';
import type { FindingCode } from '../errors/index.ts';
import { checkWords } from './signature-rows.ts';

/** The four sub-objects of `detail`. */
type Part = 'signature' | 'date' | 'crl' | 'trust';

/** The overall result and its four parts, as in the interface document. */
export interface ValidationSummary {
  readonly status: boolean;
  readonly detail: CertificateFindings & { readonly signature: Finding };
}

/** Time stamps support a signature: a failed time stamp makes a part false only through the signature's verdict. */
const partOfArea = {
  format: 'signature',
  integrity: 'signature',
  algorithm: 'signature',
  policy: 'signature',
  changes: 'signature',
  timestamp: undefined,
  certificate: 'trust',
  trust: 'trust',
  date: 'date',
  revocation: 'crl',
} as const satisfies Record<CheckArea, Part | undefined>;

/** The part of a verdict without a deciding check. */
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

const goodCode = {
  signature: 'signaturesIntact',
  date: 'dateValid',
  crl: 'revocationValid',
  trust: 'chainTrusted',
} as const satisfies Record<Part, FindingCode>;

/**
 * Summarises a report. A part is false when one of its checks did not pass in a signature other than TOTAL-PASSED; a
 * dispensable failure in a valid signature (a broken second time stamp) makes nothing false. Counter-signatures count.
 */
export function summarizeReport(report: ValidationReport): ValidationSummary {
  const signatures = report.signatures.flatMap(withCounterSignatures);
  const problems = signatures.flatMap(problemsOf);
  const part = (name: Part): Finding => {
    const own = problems.filter((problem) => problem.part === name);
    const worst = own.find(({ isFailure }) => isFailure) ?? own[0];
    return worst === undefined ? findingOf(goodCode[name], true) : badFinding(name, worst);
  };
  const untrusted = signatures.find((signature) => problemsOf(signature).some((problem) => problem.part === 'trust'));
  return {
    status: signatures.length > 0 && signatures.every(({ indication }) => indication === 'TOTAL-PASSED'),
    detail: {
      signature: part('signature'),
      date: part('date'),
      crl: part('crl'),
      trust: { ...part('trust'), chain: chainOf(untrusted ?? signatures[0]) },
    },
  };
}

/** A signature and its counter-signatures. */
export const withCounterSignatures = (signature: SignatureReport): readonly SignatureReport[] => [
  signature,
  ...signature.counterSignatures.flatMap(withCounterSignatures),
];

/** Codes of checks about a revoked certificate, even if the certificate might have been good at signing. */
const REVOKED_CODES: readonly (ValidationCheck['code'] | undefined)[] = [
  'CERTIFICATE_REVOKED',
  'CERTIFICATE_ON_HOLD',
  'AUTHORITY_REVOKED',
];

/** Why a part is false. */
interface Problem {
  readonly part: Part;
  /** False: could not be determined. */
  readonly isFailure: boolean;
  readonly code?: ValidationCheck['code'];
}

function problemsOf({ indication, subIndication, checks }: SignatureReport): readonly Problem[] {
  if (indication === 'TOTAL-PASSED') return [];
  const found: readonly Problem[] = checks.flatMap(({ area, outcome, code }) => {
    const part = partOfArea[area];
    if (part === undefined || (outcome !== 'failed' && outcome !== 'unknown')) return [];
    return [{ part, isFailure: outcome === 'failed' || REVOKED_CODES.includes(code), code }];
  });
  const part = subIndication === undefined ? 'signature' : partOfSubIndication[subIndication];
  const isExplained = subIndication === undefined ? found.length > 0 : found.some((problem) => problem.part === part);
  return isExplained ? found : [...found, { part, isFailure: indication === 'TOTAL-FAILED' }];
}

function badFinding(part: Part, { code, isFailure }: Problem): Finding {
  const reason = code === undefined ? undefined : checkWords(code, 'en').finding;
  return findingOf(badCode(part, isFailure, code), false, reason);
}

function badCode(part: Part, isFailure: boolean, code: Problem['code']): FindingCode {
  switch (part) {
    case 'signature':
      return code === 'CONTENT_NOT_GIVEN' ? 'documentMissing' : 'signatureBroken';
    case 'date':
      return 'dateNotValid';
    case 'trust':
      return 'chainNotTrusted';
    case 'crl':
      return isFailure ? 'revocationNotValid' : 'notDetermined';
  }
}

function chainOf(signature: SignatureReport | undefined): string {
  return (signature?.chain?.entries ?? []).map(({ commonName }) => maskNumberBehindName(commonName)).join(' > ');
}
