export type { StampDrawing } from './appearance/stamp-painter.ts';
export { examinePdf, type ActiveContent, type PdfExamination } from './reading/active-content.ts';
export { withPdfFacts } from './differences/with-pdf-facts.ts';
export { inspectPdf } from './verification/verify-pdf.ts';
export { isWrittenByPrograms, type InformationEntry } from './information/information-rules.ts';
export { addDocumentTimestamp } from './long-term/add-document-timestamp.ts';
export type * from './long-term/add-document-timestamp.ts';
export { addValidationMaterial } from './long-term/add-validation-material.ts';
export type * from './long-term/add-validation-material.ts';
export { icpBrasilPdfLevel, type IcpBrasilPdfProfile } from './long-term/sign-pdf-at-level.ts';
export type * from './long-term/level.ts';
export { raisePdf, type RaisePdfRequest } from './long-term/raise-pdf.ts';
export type * from './long-term/raise-pdf.ts';
export { revocationInfoArchival } from './long-term/security-store.ts';
export { signPdfAtLevel } from './long-term/sign-pdf-at-level.ts';
export {
  DEFAULT_INITIALS_TEMPLATE,
  DEFAULT_STAMP_TEMPLATE,
  formatStampDate,
  STAMP_VARIABLES,
  stampText,
  usesVariable,
  type StampValues,
  type StampVariable,
} from './appearance/stamp-text.ts';
export type { PdfRecipient } from './encryption/recipient-security.ts';
export type { PdfKeys } from './encryption/standard-security.ts';
export { repairPdf, type RepairPdfRequest, type RepairPdfResult } from './repair/repair-pdf.ts';
export { signPdf } from './signature/sign-pdf.ts';
export { certificateRevoked, STANDARD_WARNINGS, withoutRepeats } from './signature/standard-warnings.ts';
export type * from './signature/standard-warnings.ts';
export type * from './sign-request.ts';
export type { TextBlock, TextColour } from './text-document/text-block.ts';
export { writeTextDocument, type Paper, type TextDocument } from './text-document/write-text-document.ts';
export { verifyPdf } from './verification/verify-pdf.ts';
export type * from './verification/verify-pdf.ts';
