/** The audit log: its events and the chain of its hashes. */
export {
  auditOfChanges,
  auditOfCreation,
  GENESIS,
  hashAuditRow,
  transactionSubject,
  type AppliedChange,
} from './audit-of-changes.ts';
export type { AuditEvent, AuditKind, AuditMark, AuditPage, AuditRow, AuditStore } from './audit.ts';
export {
  auditedAccounts,
  auditedAdministrators,
  auditedApplications,
  auditedAssistant,
  auditedAuthorization,
  refreshTokenReused,
  auditedConsent,
  auditedHashCalls,
  auditedWebhooks,
} from './audited-people.ts';
export { tellAfter, type RecordAudit } from './audited-people.ts';
export { verifyAudit, type AuditVerdict } from './verify-audit.ts';
