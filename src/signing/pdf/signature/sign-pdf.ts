import type { FileHandle } from 'node:fs/promises';
import type { SigningDigest } from '../../keys/signer.ts';
import { createDigest } from '../../algorithms/digest.ts';
import {
  expectUnchangedSize,
  forEachChunk,
  throwIfCancelled,
  withNewFile,
  writeAt,
} from '../../signed-data/stream-file.ts';
import type { FileSlice } from '../../signed-data/stream-file.ts';
import { checkIcpBrasilAttributes } from './icp-brasil-attributes.ts';
import { PdfDocument } from '../reading/pdf-document.ts';
import { prepareSignature } from './prepare-signature.ts';
import type { PreparedSignature } from './prepare-signature.ts';
import { fillContents } from './signature-dictionary.ts';
import type { SignPdfRequest, SignPdfResult } from '../sign-request.ts';
import { keysOf } from '../encryption/standard-security.ts';

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
 * signature), `PDF_FIELD_NOT_FOUND`, `PDF_APPEARANCE_INVALID`, `SIGNATURE_INVALID` (longer than announced by its key,
 * or wrong for `PBAD.PAdES`), `CONTENT_CHANGED`, `CANCELLED`, the signer's errors, and the system's own errors. On
 * failure the output is removed.
 */
export async function signPdf(request: SignPdfRequest): Promise<SignPdfResult> {
  const { signer, options, signal } = request;
  throwIfCancelled(signal);
  const document = await PdfDocument.open(request.inputPath, keysOf(request));
  try {
    const prepared = prepareSignature(document, options, signer.detachedSizeLimit, signer.digest);
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
    const { fieldName, byteRange } = prepared;
    return { size: file.size + prepared.bytes.length, fieldName, byteRange };
  } finally {
    await document.close();
  }
}
