import { appendRevision, buildPdf, onePage } from '../signing/pdf/build-pdf.ts';

/** A page as somebody signed it; the fake core says so of every changed PDF. */
export const signedPage = buildPdf(onePage());

/** The same file with a sum added to the page. */
export const changedPage = appendRevision(signedPage, {
  4: {
    dictionary: '',
    data: 'BT /F1 24 Tf 72 720 Td (A document to sign) Tj ET BT /F1 24 Tf 72 600 Td (Pay 999999 EUR) Tj ET',
  },
});
