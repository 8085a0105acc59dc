import { SigningError } from '../../errors.ts';
import { readByteRange } from '../signature/signature-dictionary.ts';
import { isEmptyField, isSignatureField, walkFields } from '../reading/form-fields.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';
import { nameOf, PdfString } from '../syntax/values.ts';
import { CadesOid } from '../../cms/cades-oids.ts';
import { raiseCms } from '../../cms/raise-cms.ts';
import type { SignedData, SignerInfo } from '../../signed-data/signed-data.ts';
import { type TimestampToken, type Timestamper, readTimestampToken } from '../../timestamps/timestamp-token.ts';
import type { DetachedSigner } from '../sign-request.ts';

/** A filled signature field, not verified. */
export interface StoredSignature {
  readonly fieldName: string;
  /** `document-timestamp` is ETSI.RFC3161, `signature` a detached CMS; `other` cannot be raised. */
  readonly kind: 'signature' | 'document-timestamp' | 'other';
  readonly subFilter: string;
  /** The bytes of `Contents`, padding included. */
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

// Signature time stamps inside the CMS of a PDF signature (RFC 3161 Appendix A, EN 319 122-1 §5.3).

/** Tokens over a signer's signature, in the order of the attributes. Throws `TIMESTAMP_INVALID` for a damaged token. */
export function signatureTimestampsOf({ unsignedAttributes }: SignerInfo): readonly TimestampToken[] {
  return unsignedAttributes
    .filter(({ oid }) => oid === CadesOid.signatureTimeStamp)
    .flatMap(({ values }) => values.map(({ bytes }) => readTimestampToken(bytes)));
}

/** True when every signer's signature has a time stamp. */
export const isTimestamped = ({ signers }: SignedData): boolean =>
  signers.length > 0 && signers.every((signer) => signatureTimestampsOf(signer).length > 0);

/** A signer with time stamps on its signatures. */
export interface TimestampingSigner extends DetachedSigner {
  /** Bytes of the longest signature so far; 0 before the first. */
  readonly longest: number;
}

/** Headers of the attribute and longer lengths in the headers around it. */
const FRAME = 64;

/**
 * Adds a time stamp to the signatures of `signer`; signatures with a time stamp stay unchanged.
 *
 * @param room least bytes to reserve, when a signature is known to be longer than signer and authority announce
 */
export function withSignatureTimestamp(
  signer: DetachedSigner,
  timestamper: Timestamper,
  options: { readonly room?: number; readonly signal?: AbortSignal | undefined } = {},
): TimestampingSigner {
  const expected = signer.detachedSizeLimit + timestamper.sizeLimit + FRAME;
  let longest = 0;
  return {
    digest: signer.digest,
    certificate: signer.certificate,
    detachedSizeLimit: Math.max(expected, options.room ?? 0),
    get longest() {
      return longest;
    },
    async signDigest(contentDigest, signingTime, signal = options.signal) {
      const signature = await signer.signDigest(contentDigest, signingTime, signal);
      const services = { timestamper, signal };
      const stamped = await raiseCms(signature, { level: 'B-T', ...services });
      longest = Math.max(longest, stamped.length);
      return stamped;
    },
  };
}
