import type { Hash } from 'node:crypto';
import { type FileHandle, lstat, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  expectUnchangedSize,
  forEachChunk,
  withNewFile,
  writeAt,
  type FileSlice,
  throwIfCancelled,
} from '../../signed-data/content.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';
import { SigningError } from '../../errors.ts';
import { makeScratchFolder } from '../../scratch-folder.ts';

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

/** An incremental update: reads a PDF and writes the PDF with an appended part to a new path. */
export type Revision<Result> = (inputPath: string, outputPath: string) => Promise<Result>;

/** Checks the output path first, so that no key or paid time stamp is used for a file that cannot be written. */
async function expectNothingAt(path: string): Promise<void> {
  try {
    await lstat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const message = `There is already something at ${path}.`;
  throw Object.assign(new Error(message), { code: 'EEXIST', path });
}

/**
 * Makes several revisions in a row and writes only the last revision to `outputPath`. Earlier revisions are in a
 * private folder beside the output, which is always removed. Answers the results in order. `afterwards` may name one
 * more revision when the results are known. Rejects with the errors of a revision, and with `EEXIST` for an existing
 * `outputPath`.
 */
export async function runRevisions<Result>(
  inputPath: string,
  outputPath: string,
  revisions: readonly Revision<Result>[],
  signal: AbortSignal | undefined,
  afterwards: (results: readonly Result[]) => Promise<Revision<Result> | undefined> = () => Promise.resolve(undefined),
): Promise<readonly Result[]> {
  if (revisions.length === 0) throw new SigningError('PDF_UNSUPPORTED', 'There is nothing to add to the PDF.');
  await expectNothingAt(outputPath);
  const folder = await makeScratchFolder(outputPath);
  try {
    const results: Result[] = [];
    let current = inputPath;
    for (const [index, revise] of revisions.entries()) {
      throwIfCancelled(signal);
      const next = index === revisions.length - 1 ? outputPath : join(folder, `${index + 1}.pdf`);
      results.push(await revise(current, next));
      if (current !== inputPath) await rm(current, { force: true });
      current = next;
    }
    const another = await afterwards(results);
    if (another !== undefined) {
      throwIfCancelled(signal);
      const before = join(folder, `${revisions.length}.pdf`);
      await rename(outputPath, before);
      results.push(await another(before, outputPath));
    }
    return results;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
