export { inspectPdf } from './inspect-pdf.ts';
export { signPdf } from './sign-pdf.ts';
export type * from './sign-request.ts';
export { verifyPdf } from './verify-pdf.ts';
export type * from './verify-result.ts';
