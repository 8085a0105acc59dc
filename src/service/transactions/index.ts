/** Transactions: create, upload, sign, query, deliver. */
export { approveStanding } from './answers/decide.ts';
export {
  readDocumentHistory,
  readHistory,
  type HistoryDay,
  type HistoryDays,
  type HistoryFilter,
  type HistoryPage,
  type HistoryStore,
  type PastDocument,
  type StoredDocument,
} from './answers/query.ts';
export { readHash } from './documents/given-hash.ts';
export { hashFile } from './documents/checked-blocks.ts';
export type { ExaminedPdf, OriginalInspection } from './documents/content-kind.ts';
export { callerName } from './intake/create.ts';
export { createTransactions } from './create-transactions.ts';
export type { TransactionDependencies } from './dependencies.ts';
export { parseSignaturePolicy, profileOfPolicy } from './choices/choose-policy.ts';
export type { SignatureSetting, VisibleSignature } from './choices/signature-setting.ts';
export { usualPlace } from './choices/signature-setting.ts';
export { plainFileName } from './documents/file-names.ts';
export type { TransactionLimits } from './limits.ts';
export type {
  Delivery,
  DocumentRecord,
  LaterEvidence,
  PendingEvidence,
  SigningFindings,
  StoredTransaction,
  TransactionChange,
  TransactionRecord,
  TransactionState,
} from './records.ts';
export { attemptName, resultName, stampedName } from './documents/result-names.ts';
export { NamedLocks } from './schedule/job-runner.ts';
export type { Locks, NodeMessage, NodeSignals, SharedLocks, SharedNodes } from './nodes.ts';
export { documentSigners } from './signing/document-signer.ts';
export { documentExtender } from './signing/extend-document.ts';
export { pdfAppearance } from './signing/pdf-appearance.ts';
export type { SignatureEvidence } from './choices/choose-policy.ts';
export type {
  ClaimedJob,
  CountedTransaction,
  DocumentStore,
  FileStamp,
  IdempotencyOwner,
  NeededFiles,
  JobClaim,
  JobClaimStore,
  OpenedFile,
  ReceivedFile,
  SmallDocument,
  SmallDocumentStore,
  SourceFile,
  TransactionFilter,
  TransactionStore,
  UserFiles,
  WorkObserver,
} from './stores.ts';
export { TRANSACTIONS_A_PAGE } from './transaction.ts';
export type {
  Canceller,
  CreateTransaction,
  DamagedResult,
  DocumentHash,
  Door,
  Decision,
  DocumentsPage,
  DocumentsSource,
  DocumentStatus,
  DocumentView,
  GrantedRoot,
  IncomingDocument,
  ListFilter,
  NewDocument,
  Reach,
  CallingRequester,
  Requester,
  ResultDescription,
  ResultFile,
  SignaturePolicy,
  SignatureType,
  Transactions,
  TransactionsPage,
  TransactionView,
  IntakeQuota,
  UploadOutcome,
  UploadRequest,
} from './transaction.ts';
export { isWrittenByPrograms } from '../../signing/index.ts';
export type { DigestAlgorithm, StandardWarning, StandardWarningCode } from '../../signing/index.ts';
