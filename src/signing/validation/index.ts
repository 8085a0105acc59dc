export { VALIDATION_CHECK_CODES, VALIDATION_CHECKS, type ValidationCheckCode } from './check-codes.ts';
export { SUB_INDICATIONS } from './validation-report.ts';
export type * from './validation-report.ts';
