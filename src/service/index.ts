/** What the interface promises: rules and states, and the stores they need. The only door through which others enter. */
export { ServiceError, type FieldProblem, type ServiceErrorCode } from './errors.ts';
export type * from './settings/settings.ts';
export type * from './transactions/transaction.ts';
/** What callers of the service meet of the signing core: its error class and the names of its digests. */
export { SigningError, type DigestAlgorithm, type SigningErrorCode } from '../signing/index.ts';
