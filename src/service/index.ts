/** What the interface promises: rules and states, and the stores they need. The only door through which others enter. */
export { readDefaultCertificate, writeDefaultCertificate } from './certificates/default-certificate.ts';
export { describeKey, type KeyDescriptionForPeople } from './certificates/describe-key.ts';
export { ServiceError, type FieldProblem, type ServiceErrorCode } from './errors.ts';
export { checkHealth, type HealthDependencies, type HealthReport } from './monitoring/check-health.ts';
export { describeSystem, type SystemDescription } from './monitoring/describe-system.ts';
export { systemReader, type SystemReader } from './monitoring/read-system.ts';
/** What callers of the service meet of the signing core. */
export {
  SigningError,
  type DigestAlgorithm,
  type KeyImport,
  type KeyVault,
  type RevocationCache,
  type RevocationCacheEntry,
  type RevocationCacheKey,
  type SigningErrorCode,
  type VaultEntry,
} from '../signing/index.ts';
export type * from './settings/settings.ts';
export { createTransactions } from './transactions/create-transactions.ts';
export type { ServiceLog, TransactionDependencies, TransactionKeys } from './transactions/dependencies.ts';
export { documentSigners, type DocumentSignerParts, type SignPdf } from './transactions/document-signer.ts';
export { resultFileName } from './transactions/file-names.ts';
export { describeSize, type TransactionLimits } from './transactions/limits.ts';
export type * from './transactions/records.ts';
export type * from './transactions/signature-evidence.ts';
export { icpBrasilArc, parseSignaturePolicy, signaturePolicies } from './transactions/signature-policies.ts';
export type * from './transactions/stores.ts';
export type * from './transactions/transaction.ts';
