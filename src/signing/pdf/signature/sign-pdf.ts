/** Signs a PDF in a new revision (ISO 32000-2 §12.8), by the rules of DOC-ICP-15.03 under a policy of ICP-Brasil. */
import type { FileHandle } from 'node:fs/promises';
import { CadesOid } from '../../cms/cades-oids.ts';
import { readSignature } from '../../signed-data/signature-input.ts';
import { Oid } from '../../der/oids.ts';
import { SigningError } from '../../errors.ts';
import type { SigningDigest } from '../../keys/signer.ts';
import { createDigest } from '../../algorithms/algorithms.ts';
import {
  expectUnchangedSize,
  forEachChunk,
  throwIfCancelled,
  withNewFile,
  writeAt,
  type FileSlice,
} from '../../signed-data/content.ts';
import { PdfDocument } from '../reading/pdf-document.ts';
import { PageInk } from '../appearance/page-ink.ts';
import { TextSetter } from '../appearance/shape-text.ts';
import { prepareSignature, type PreparedSignature } from './prepare-signature.ts';
import { fillContents } from './signature-dictionary.ts';
import type { SignPdfRequest, SignPdfResult } from '../sign-request.ts';
import { keysOf } from '../encryption/standard-security.ts';

/** Table A.14: mandatory signed attributes of every profile. */
const OBLIGATORY: ReadonlyMap<string, string> = new Map([
  [Oid.contentType, 'the type of the content'],
  [Oid.messageDigest, 'the digest of the content'],
  [Oid.signingCertificateV2, "the signer's certificate"],
  [CadesOid.signaturePolicyIdentifier, 'the signature policy'],
]);

/** Table A.14: forbidden signed attributes of every profile. The time is in the signature dictionary. */
export const FORBIDDEN_IN_PDF: ReadonlyMap<string, string> = new Map([
  [Oid.signingTime, 'the time of the signature'],
  [Oid.signingCertificate, "the signer's certificate by SHA-1"],
  [CadesOid.signerLocation, "the signer's location"],
  [CadesOid.adobeRevocationInfoArchival, 'revocation data'],
]);

function wrong(what: string): never {
  const rule = 'ICP-Brasil (DOC-ICP-15.03, tables A.14 and A.15)';
  throw new SigningError('SIGNATURE_INVALID', `${rule} does not accept this signature in a PDF: ${what}.`);
}

/**
 * Throws `SIGNATURE_INVALID` for a signature that validators would refuse because of its attributes: tables A.14 and
 * A.15. A wrongly prepared signer is found before a file exists.
 */
export function checkIcpBrasilAttributes(cms: Uint8Array): void {
  for (const { signedAttributes, unsignedAttributes } of readSignature(cms).signers) {
    const present = new Set(signedAttributes.map(({ oid }) => oid));
    for (const [oid, name] of OBLIGATORY) if (!present.has(oid)) wrong(`it does not sign ${name}`);
    for (const [oid, name] of FORBIDDEN_IN_PDF) if (present.has(oid)) wrong(`it signs ${name}`);
    const other = unsignedAttributes.find(({ oid }) => oid !== CadesOid.signatureTimeStamp);
    if (other !== undefined) wrong('besides a time stamp it carries an unsigned attribute');
  }
}

/** Copies the original to the output and answers the digest of the original and the update, without `Contents`. */
async function copyWithDigest(
  original: FileSlice,
  prepared: PreparedSignature,
  output: FileHandle,
  algorithm: SigningDigest,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  const digest = createDigest(algorithm);
  const copy = (chunk: Buffer, position: number): Promise<void> => {
    const writing = writeAt(output, chunk, position);
    digest.update(chunk);
    return writing;
  };
  await forEachChunk(original, copy, signal);
  await expectUnchangedSize(original);
  digest.update(prepared.bytes.subarray(0, prepared.contentsStart));
  digest.update(prepared.bytes.subarray(prepared.contentsEnd));
  return digest.digest();
}

/**
 * Signs a PDF in an incremental update (ISO 32000-2 §12.8, EN 319 142-1): the input is, byte for byte, the prefix of
 * the output, so earlier signatures stay valid. Memory does not grow with the file.
 *
 * Rejects with `PDF_MALFORMED`, `PDF_UNSUPPORTED`, `PDF_ENCRYPTED` (a password or a recipient's key is needed),
 * `KEY_MISMATCH`, `PASSWORD_INCORRECT`, `PDF_CHANGE_FORBIDDEN` (an earlier signature or the field forbids this
 * signature), `PDF_FIELD_NOT_FOUND`, `PDF_APPEARANCE_INVALID`, `PDF_STANDARD_LOST`, `SIGNATURE_INVALID` (longer than announced by its key,
 * or wrong for `PBAD.PAdES`), `CONTENT_CHANGED`, `CANCELLED`, the signer's errors, and the system's own errors. On
 * failure the output is removed.
 */
export async function signPdf(request: SignPdfRequest): Promise<SignPdfResult> {
  const { signer, options, signal } = request;
  throwIfCancelled(signal);
  const document = await PdfDocument.open(request.inputPath, keysOf(request));
  const { appearance } = options;
  const isClear = appearance?.clear === true || appearance?.initials?.clear === true;
  const ink = isClear ? await PageInk.open(request.inputPath, request.password) : undefined;
  try {
    const setter = await TextSetter.open(
      [options.appearance, options.fieldAppearance].flatMap((one) => [one?.text, one?.initials?.text]),
    );
    const prepared = prepareSignature(document, options, signer, { setter, ink });
    const { file } = document;
    await withNewFile(request.outputPath, async (output) => {
      const original: FileSlice = { file: file.handle, start: 0, length: file.size };
      const digest = await copyWithDigest(original, prepared, output, signer.digest, signal);
      const signature = await signer.signDigest(digest, options.signingTime);
      if (options.subFilter === 'PBAD.PAdES') checkIcpBrasilAttributes(signature);
      fillContents(prepared.bytes, prepared.contentsStart, prepared.contentsEnd, signature);
      await writeAt(output, prepared.bytes, file.size);
      throwIfCancelled(signal);
    });
    const { fieldName, byteRange, adjustments, warnings } = prepared;
    return { size: file.size + prepared.bytes.length, fieldName, byteRange, adjustments, warnings };
  } finally {
    ink?.close();
    await document.close();
  }
}
