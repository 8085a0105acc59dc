/** PDFBox, asked about PDFs encrypted for a certificate, signed for a long time, or archived (PDF/A). */
import { runJava, type JavaProgram } from './java.ts';

const source = (path: string): URL => new URL(path, import.meta.url);

const RECIPIENTS: JavaProgram = {
  main: 'RecipientPdf',
  sources: [source('RecipientPdf.java')],
  libraries: ['pdfbox2', 'fontbox2', 'commons-logging', 'bcprov', 'bcpkix', 'bcutil'],
};

const LONG_TERM: JavaProgram = {
  main: 'VerifyLongTerm',
  sources: [source('VerifyLongTerm.java')],
  libraries: ['pdfbox2', 'fontbox2', 'commons-logging', 'bcprov', 'bcpkix', 'bcutil'],
};

const ARCHIVE: JavaProgram = {
  main: 'CheckArchive',
  sources: [
    source('preflight/CheckArchive.java'),
    source('preflight/javax/activation/DataSource.java'),
    source('preflight/javax/activation/FileDataSource.java'),
    source('preflight/javax/xml/bind/DatatypeConverter.java'),
  ],
  libraries: ['preflight', 'pdfbox2', 'fontbox2', 'xmpbox', 'commons-logging', 'commons-io'],
};

/** Encrypts a PDF for certificates (`encrypt …`) or opens one (`open …`); see `RecipientPdf.java`. */
export const recipientPdf = (...words: readonly string[]): Promise<readonly string[]> => runJava(RECIPIENTS, words);

/** The verdicts of PDFBox and Bouncy Castle on each file, in a single run of Java; see `VerifyLongTerm.java`. */
export const verifyWithPdfBox = (paths: readonly string[]): Promise<readonly string[]> => runJava(LONG_TERM, paths);

/** The findings of PDFBox Preflight on a PDF/A-1b; none for a valid one. */
export const checkArchive = (path: string): Promise<readonly string[]> => runJava(ARCHIVE, [path]);
