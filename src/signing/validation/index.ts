export {
  VALIDATION_CHECK_CODES,
  VALIDATION_CHECKS,
  type CheckArea,
  type CheckOutcome,
  type ValidationCheckCode,
} from './check-codes.ts';
export { isShownChange } from '../pdf/differences/pdf-facts.ts';
export {
  DEFAULT_ALGORITHM_POLICY,
  ETSI_ALGORITHM_POLICY_V1_5_1,
  ETSI_ALGORITHM_POLICY_V2_1_1,
} from './judge/algorithm-tables.ts';
export { extendAlgorithmPolicy, timestampDigestsOf, type AlgorithmPolicy } from './judge/algorithm-policy.ts';
export { validatePdf, validatePdfFacts, type PdfInput } from './validate-pdf.ts';
export { validateSignature } from './validate-signature.ts';
export { withCounterSignatures } from './report/write-report.ts';
export { SUB_INDICATIONS } from './validation-report.ts';
export type * from './validation-report.ts';
export type * from './validation-request.ts';
