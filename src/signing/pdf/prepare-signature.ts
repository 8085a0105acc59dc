import { checkSigningAllowed } from './change-permission.ts';
import { addSignatureField, findEmptyField } from './signature-field.ts';
import { isEmptyField, isSignatureField, walkFields } from './form-fields.ts';
import type { FormField } from './form-fields.ts';
import { IncrementalUpdate } from './incremental-update.ts';
import type { PdfDocument } from './pdf-document.ts';
import type { PdfSignatureOptions, SignPdfResult } from './sign-request.ts';
import { buildSignatureDictionary, fillByteRange, lockReference } from './signature-dictionary.ts';
import { PdfReference } from './values.ts';
import type { PdfValue } from './values.ts';

/** What is appended to sign a PDF; only the signature itself is missing. Offsets are into `bytes`. */
export interface PreparedSignature {
  readonly bytes: Buffer;
  readonly contentsStart: number;
  readonly contentsEnd: number;
  readonly fieldName: string;
  readonly byteRange: SignPdfResult['byteRange'];
}

function lockReferences(document: PdfDocument, field: FormField | undefined): readonly PdfValue[] {
  const lock = document.resolve(field?.dictionary.get('Lock'));
  if (!(lock instanceof Map)) return [];
  const resolved = new Map([...lock].map(([key, value]) => [key, document.resolve(value)]));
  return [lockReference(resolved, document.trailer.get('Root') ?? null)];
}

/**
 * Prepares the incremental update that signs: the field, the form, the page and the signature dictionary with its byte
 * range. Reads the document, writes nothing.
 *
 * @param capacity octets that the signature may take
 */
export function prepareSignature(
  document: PdfDocument,
  options: PdfSignatureOptions,
  capacity: number,
): PreparedSignature {
  const names = new Set<string>();
  const signatureFields: FormField[] = [];
  for (const field of walkFields(document)) {
    names.add(field.fullName);
    if (isSignatureField(field)) signatureFields.push(field);
  }
  const { fieldName } = options;
  const signed = signatureFields.filter((field) => !isEmptyField(field));
  checkSigningAllowed(document, signed, fieldName);

  const update = new IncrementalUpdate(document);
  const number = update.allocate();
  const signature = new PdfReference(number, 0);
  const target = fieldName === undefined ? undefined : findEmptyField(signatureFields, fieldName);
  const filledName = addSignatureField(document, update, { signature, target, names });

  const references = lockReferences(document, target);
  const dictionary = buildSignatureDictionary(options, capacity, references, document.cipherOf(number, 0));
  update.addBody(number, dictionary.body);
  const { bytes, bodies } = update.finish();
  const at = bodies.get(number) ?? 0;
  const [contentsStart, contentsEnd] = [at + dictionary.contentsStart, at + dictionary.contentsEnd];
  const start = document.file.size;
  const byteRange = [0, start + contentsStart, start + contentsEnd, bytes.length - contentsEnd] as const;
  fillByteRange(bytes, at + dictionary.byteRange, byteRange);
  return { bytes, contentsStart, contentsEnd, fieldName: filledName, byteRange };
}
