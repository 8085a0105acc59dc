export {
  isEvidenceRecord,
  readEvidenceRecord,
  type ArchiveChain,
  type ArchiveTimestamp,
  type EvidenceRecord,
} from './read-evidence-record.ts';
export { findRecordProblem, stampsOf, type DataDigests, type RecordProblem } from './verify-evidence-record.ts';
