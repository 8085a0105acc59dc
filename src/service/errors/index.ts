/** The errors of the service and the information codes of the interface. */
export { assistantCodes, findingCodes, type AssistantCode, type FindingCode } from './codes.ts';
export {
  isOutcomeUnknown,
  ServiceError,
  wholeSentence,
  type FieldProblem,
  type Quota,
  type ServiceErrorCode,
} from './errors.ts';
export { codeOfSigningError, passesByItself, toKeyFailure, toServiceError, waitsForPin } from './failures.ts';
export { refuseProblems, type CodedProblem } from './errors.ts';
export { SigningError, type SigningErrorCode } from '../../signing/index.ts';
export { closeName, nearestName } from './nearest-name.ts';
