/** Validation of signatures and its reports. */
export { describeSigner } from './describe-signer.ts';
export {
  officialNotice,
  provenLevel,
  readableReport,
  type ReadableReport,
  type ReportNames,
} from './readable-report.ts';
export { escapeHtml, htmlPage } from './html-page.ts';
export { reportHtml } from './report-html.ts';
export { reportPdf } from './report-pdf.ts';
export { checkWords, reportTime } from './signature-rows.ts';
export { hasNoLegalValue, summarizeReport } from './summary.ts';
export { REPORT_LANGUAGES, type ReportLanguage } from './texts/check-text.ts';
export { OFFICIAL_VALIDATION_SITE } from './texts/report-labels.ts';
export { refuseFormat, type OtherFormat } from './other-formats.ts';
export { createValidator, type ValidationJob, type ValidationRequest, type Validator } from './validator.ts';
export {
  SUB_INDICATIONS,
  VALIDATION_CHECK_CODES,
  type SignatureReport,
  type TimestampReport,
  type ValidationReport,
} from '../../signing/index.ts';
