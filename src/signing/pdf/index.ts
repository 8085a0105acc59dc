export { signPdf } from './sign-pdf.ts';
export type * from './sign-request.ts';
