import { basename, dirname, join } from 'node:path';
import { signatureForm } from '../choices/document-form.ts';
import type { ResultFile, SignatureType } from '../transaction.ts';

const LONGEST_NAME = 255;

/** A client's file name as a plain name: no folders, no control characters. Undefined when nothing is left. */
export function plainFileName(name: string | undefined): string | undefined {
  const last = name?.split(/[/\\]/).at(-1) ?? '';
  const clean = last.replace(/[\u0000-\u001f\u007f]/g, '').trim();
  return clean === '' || clean === '.' || clean === '..' ? undefined : clean.slice(0, LONGEST_NAME);
}

/** `contract.pdf` → `contract-signed.pdf`; others get `.p7m` when the signature holds the content, else `.p7s`. */
export function resultFileName(original: string, type: SignatureType): string {
  const { container, attached } = signatureForm(type);
  if (container === 'pdf') return `${original.replace(/\.pdf$/i, '')}-signed.pdf`;
  return `${original}${attached ? '.p7m' : '.p7s'}`;
}

/** The destination of a file's result: in the same folder. */
export function destinationBeside(source: string, type: SignatureType): string {
  return join(dirname(source), resultFileName(basename(source), type));
}

/** The media type of a result (RFC 8551 §3.2, RFC 5652; ISO 32000). */
export function resultMediaType(type: SignatureType): ResultFile['mediaType'] {
  const { container, attached } = signatureForm(type);
  if (container === 'pdf') return 'application/pdf';
  return attached ? 'application/pkcs7-mime; smime-type=signed-data' : 'application/pkcs7-signature';
}
