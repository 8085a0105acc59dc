import { isEmptyField, isSignatureField, walkFields } from '../reading/form-fields.ts';
import { PdfDocument } from '../reading/pdf-document.ts';
import type { PdfKeys } from '../encryption/standard-security.ts';
import { countOf, nameOf } from '../syntax/values.ts';
import type { PdfInspection } from './verify-result.ts';

/** The effective version: the catalog may raise the header's (ISO 32000-2 §7.2.2). */
export function laterVersion(header: string, catalog: string | undefined): string {
  if (catalog === undefined || !/^\d+\.\d+$/.test(catalog)) return header;
  return Number(catalog) > Number(header) ? catalog : header;
}

/** Describes a PDF. Rejects like `signPdf` for an unreadable file. */
export async function inspectPdf(path: string, options: PdfKeys = {}): Promise<PdfInspection> {
  const document = await PdfDocument.open(path, options);
  try {
    const catalog = document.catalog.value;
    const pages = document.resolve(catalog.get('Pages'));
    const fields = [...walkFields(document)].filter(isSignatureField);
    return {
      version: laterVersion(document.version, nameOf(document.resolve(catalog.get('Version')))),
      pageCount: pages instanceof Map ? (countOf(document.resolve(pages.get('Count'))) ?? 0) : 0,
      encrypted: document.encrypted,
      signatureCount: fields.filter((field) => !isEmptyField(field)).length,
      emptySignatureFields: fields.filter(isEmptyField).map(({ fullName }) => fullName),
    };
  } finally {
    await document.close();
  }
}
