import { SigningError } from '../../errors.ts';
import { readByteRange } from '../signature/byte-range.ts';
import { isEmptyField, isSignatureField, walkFields } from '../reading/form-fields.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';
import { nameOf, PdfString } from '../syntax/values.ts';

/** A filled signature field, not verified. */
export interface StoredSignature {
  readonly fieldName: string;
  /** `document-timestamp` is ETSI.RFC3161, `signature` a detached CMS; `other` cannot be raised. */
  readonly kind: 'signature' | 'document-timestamp' | 'other';
  readonly subFilter: string;
  /** The octets of `Contents`, padding included. */
  readonly contents: Buffer;
  /** End of the covered bytes in the file: the order of signing. */
  readonly end: number;
}

function kindOf(subFilter: string): StoredSignature['kind'] {
  switch (subFilter) {
    case 'ETSI.CAdES.detached':
    case 'adbe.pkcs7.detached':
    case 'PBAD.PAdES':
      return 'signature';
    case 'ETSI.RFC3161':
      return 'document-timestamp';
    default:
      return 'other';
  }
}

/** All filled signature fields, in the order of signing. */
export function readStoredSignatures(document: PdfDocument): readonly StoredSignature[] {
  const signatures: StoredSignature[] = [];
  for (const field of walkFields(document)) {
    const { value } = field.value;
    if (!isSignatureField(field) || isEmptyField(field) || !(value instanceof Map)) continue;
    const subFilter = nameOf(document.resolve(value.get('SubFilter'))) ?? '';
    const contents = document.resolve(value.get('Contents'));
    const [, , start = 0, length = 0] = readByteRange(value, document.resolve, document.file.size).numbers;
    signatures.push({
      fieldName: field.fullName,
      kind: kindOf(subFilter),
      subFilter,
      contents: contents instanceof PdfString ? contents.stored : Buffer.alloc(0),
      end: start + length,
    });
  }
  return signatures.sort((first, second) => first.end - second.end);
}

/** The signature in the field of this full name, or `PDF_FIELD_NOT_FOUND`. */
export function findStoredSignature(signatures: readonly StoredSignature[], fieldName: string): StoredSignature {
  const found = signatures.find((signature) => signature.fieldName === fieldName);
  if (found !== undefined) return found;
  throw new SigningError('PDF_FIELD_NOT_FOUND', `The PDF has no signature in a field "${fieldName}".`);
}
