import type { Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import {
  expectUnchangedSize,
  forEachChunk,
  withNewFile,
  writeAt,
  type FileSlice,
} from '../../signed-data/stream-file.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';

/**
 * Copies the document's file to the start of `output` in constant memory, and feeds the bytes to `hash` if given.
 * Rejects with `CONTENT_CHANGED`, `CANCELLED`, and the system's own errors.
 */
export async function copyOriginal(
  { file }: PdfDocument,
  output: FileHandle,
  hash: Hash | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  const original: FileSlice = { file: file.handle, start: 0, length: file.size };
  const copy = (chunk: Buffer, position: number): Promise<void> => {
    const writing = writeAt(output, chunk, position);
    hash?.update(chunk);
    return writing;
  };
  await forEachChunk(original, copy, signal);
  await expectUnchangedSize(original);
}

/** Writes the document and the appended part into a new file; answers its size in bytes. */
export async function writeRevision(
  document: PdfDocument,
  outputPath: string,
  appended: Buffer,
  signal: AbortSignal | undefined,
): Promise<number> {
  await withNewFile(outputPath, async (output) => {
    await copyOriginal(document, output, undefined, signal);
    await writeAt(output, appended, document.file.size);
  });
  return document.file.size + appended.length;
}
