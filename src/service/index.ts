/** What the interface promises: rules and states, and the stores they need. The only door through which others enter. */
export type * from './assistant/assistant.ts';
export type * from './assistant/assistant-store.ts';
export { createAssistant, type AssistantDependencies } from './assistant/create-assistant.ts';
export { embeddedIdentity, embeddedRegistrar } from './assistant/embedded.ts';
export { remoteIdentity, remoteRegistrar, type RemoteService } from './assistant/remote.ts';
export type * from './audit/audit.ts';
export { GENESIS, hashAuditRow, transactionSubject } from './audit/audit-hash.ts';
export { auditOfChanges, auditOfCreation, type AppliedChange } from './audit/audit-of-changes.ts';
export { tellAfter, type RecordAudit } from './audit/audited.ts';
export {
  auditedAccounts,
  auditedApplications,
  auditedAssistant,
  auditedAuthorization,
  auditedConsent,
} from './audit/audited-people.ts';
export { maskedText } from './audit/masked-text.ts';
export { verifyAudit, type AuditDefect, type AuditVerdict } from './audit/verify-audit.ts';
export { onBehalfOf, requestInWork } from './monitoring/correlation.ts';
export { readDefaultCertificate, writeDefaultCertificate } from './certificates/default-certificate.ts';
export type * from './certificates/certificate-entry.ts';
export {
  readCertificateStatus,
  type CertificateEvidence,
  type CertificateStatus,
} from './certificates/certificate-status.ts';
export {
  createCertificateInformation,
  type CertificateInformation,
  type CertificateInformationParts,
  type NamedCertificateEntry,
} from './certificates/certificate-information.ts';
export { describeCertificate } from './certificates/describe-certificate.ts';
export { toPem } from './certificates/pem.ts';
export { describeKey, type KeyDescriptionForPeople } from './certificates/describe-key.ts';
export { maskNumbersInText } from './certificates/holder-name.ts';
export {
  assistantCodes,
  findingCodes,
  type AssistantCode,
  type FindingCode,
  type InformationCode,
} from './errors/codes.ts';
export { approveStanding } from './transactions/answers/approve-standing.ts';
export { isCallerName } from './consent/approved-callers.ts';
export type * from './consent/consent.ts';
export { GRANT_SCOPES } from './consent/consent.ts';
export type * from './consent/consent-store.ts';
export type { ConfiguredSite } from './consent/grants.ts';
export { openConsent, type ConsentDependencies } from './consent/open-consent.ts';
export { ServiceError, type FieldProblem, type ServiceErrorCode } from './errors/errors.ts';
export { checkHealth, type HealthDependencies, type HealthReport } from './monitoring/check-health.ts';
export { describeSystem, type SystemDescription } from './monitoring/describe-system.ts';
export { systemReader, type SystemReader } from './monitoring/read-system.ts';
/** What callers of the service meet of the signing core. */
export {
  SigningError,
  SUB_INDICATIONS,
  VALIDATION_CHECK_CODES,
  type DigestAlgorithm,
  type KeyImport,
  type KeyVault,
  type RevocationCache,
  type RevocationCacheEntry,
  type RevocationCacheKey,
  type SignatureReport,
  type SigningErrorCode,
  type TimestampReport,
  type ValidationReport,
  type VaultEntry,
} from '../signing/index.ts';
export { shownCallback, type CallbackRefusal } from './notifications/callback-url.ts';
export { createNotifications, type NotificationDependencies } from './notifications/create-notifications.ts';
export type { NotificationLimits } from './notifications/limits.ts';
export type * from './notifications/notification.ts';
export {
  hostOfCallback,
  type AttemptOutcome,
  type ClaimedNotification,
  type ClaimLimits,
  type NotificationStore,
} from './notifications/notification-store.ts';
export type * from './settings/settings.ts';
export { DiskRoom } from './space/disk-room.ts';
export type { DocumentOctets, Room, RoomView } from './space/room.ts';
export { createTransactions } from './transactions/create-transactions.ts';
export { pdfAppearance, type StampSubject } from './transactions/signing/pdf-appearance.ts';
export type { ServiceLog } from './monitoring/service-log.ts';
export type { TransactionDependencies, TransactionKeys } from './transactions/dependencies.ts';
export { documentSigners, type DocumentSignerParts, type SignPdf } from './transactions/signing/document-signer.ts';
export * from './transactions/answers/history.ts';
export { resultFileName } from './transactions/intake/file-names.ts';
export { toServiceError } from './errors/failures.ts';
export type { TransactionLimits } from './transactions/limits.ts';
export { describeSize } from './space/describe-size.ts';
export type * from './transactions/records.ts';
export type * from './transactions/signing/signature-evidence.ts';
export { icpBrasilArc, parseSignaturePolicy, signaturePolicies } from './transactions/intake/signature-policies.ts';
export type * from './transactions/stores.ts';
export type { SignatureSetting, VisibleSignature } from './transactions/intake/signature-setting.ts';
export type * from './transactions/transaction.ts';
export { usualPlace } from './transactions/intake/usual-place.ts';
export type { Sealer } from './secrets/sealer.ts';
export { isBucketName, objectUrl, placeUrl } from './stores/object-address.ts';
export type * from './stores/object-stores.ts';
export type * from './users/account-store.ts';
export type * from './users/accounts.ts';
export { AttemptLimits } from './users/attempt-limits.ts';
export { isTaxpayerNumber } from './users/check-person.ts';
export { createAccounts, type AccountDependencies } from './users/create-accounts.ts';
export type * from './applications/application-store.ts';
export type * from './applications/applications.ts';
export { createApplications, type ApplicationDependencies } from './applications/create-applications.ts';
export type * from './authorization/authorization.ts';
export { SCOPES } from './authorization/authorization.ts';
export {
  createAuthorization,
  tokenLifetime,
  type AuthorizationDependencies,
} from './authorization/create-authorization.ts';
export type * from './authorization/token-store.ts';
export { describeSigner, type ReportSigner, type SignerCertificate } from './validation/describe-signer.ts';
export { officialNotice, readableReport } from './validation/readable-report.ts';
export type {
  ReadableChainEntry,
  ReadableChange,
  ReadableCheck,
  ReadableReport,
  ReadableSignature,
  ReadableTimestamp,
  ReadableVerdict,
  ReportNames,
  ReportRow,
} from './validation/readable-report.ts';
export { reportHtml } from './validation/report-html.ts';
export { reportPdf } from './validation/report-pdf.ts';
export { checkWords } from './validation/report-text.ts';
export { summarizeReport, type ValidationSummary } from './validation/summary.ts';
export { REPORT_LANGUAGES, type ReportLanguage } from './validation/texts/check-text.ts';
export { OFFICIAL_VALIDATION_SITE } from './validation/texts/report-labels.ts';
export {
  createValidator,
  type ValidationJob,
  type ValidationRequest,
  type Validator,
  type ValidatorParts,
} from './validation/validator.ts';
export { authorityFor, authorityOf, type Authority } from './authorization/authority.ts';
export {
  AuthorizationRequests,
  type AuthorizationDetails,
  type AuthorizationRequest,
  type DecidingPerson,
  type WaitingAuthorization,
} from './authorization/authorization-requests.ts';
export { examineComputer } from './doctor/examine-computer.ts';
export type { DoctorCheck } from './doctor/doctor-check.ts';
export type { CardFacts, DoctorFacts, DriverFacts, LibraryFormat, SiteVisit } from './doctor/doctor-facts.ts';
export { wordsOf } from './doctor/doctor-words.ts';
export { FairAdmission } from './scheduling/fair-admission.ts';
