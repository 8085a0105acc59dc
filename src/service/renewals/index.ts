/** Renewals: signed files are extended again before their protection ends. */
export type { FileExtension } from './extend-file.ts';
export { draftOf, findSignedFiles } from './find-files.ts';
export type { RenewalExtension, RenewalParts, RenewalServer } from './renew-file.ts';
export {
  reviveOutcome,
  type ExtendedFile,
  type FinishTimes,
  type KeptFile,
  type KeptPage,
  type Proof,
  type ProvenSignature,
  type RenewalOptions,
  type RenewalOutcome,
  type RenewalState,
  type RenewalStore,
} from './renewal.ts';
export { reasonOf } from './report-words.ts';
export { renewalReport, type RenewalReportFile } from './report.ts';
export { Renewals, type KeptFolder, type RenewalMode, type RenewalServices } from './renewals.ts';
