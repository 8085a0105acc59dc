export {
  isEvidenceRecord,
  readEvidenceRecord,
  type ArchiveChain,
  type ArchiveTimestamp,
  type EvidenceRecord,
} from './read-evidence-record.ts';
export {
  digestsOfMessage,
  leftOutBy,
  recordTime,
  tryReadRecord,
  type IsLeftOut,
  type RecordedContent,
  type RecordedMessage,
} from './recorded-message.ts';
export { extendCmsFile, type ExtendCmsFileRequest } from './extend-cms-file.ts';
export { findRecordProblem, stampsOf, type DataDigests, type RecordProblem } from './verify-evidence-record.ts';
