import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { throwIfCancelled } from '../../signed-data/stream-file.ts';
import { SigningError } from '../../errors.ts';
import { makeScratchFolder } from '../../scratch-folder.ts';

/** An incremental update: reads a PDF and writes the PDF with an appended part to a new path. */
export type Revision<Result> = (inputPath: string, outputPath: string) => Promise<Result>;

/** Checks the path first, so that no key is used, and no authority paid, for a file that cannot be written. */
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
 * private folder beside the output, which is always removed. Answers the results in order. Rejects with the errors of a
 * revision, and with `EEXIST` for an existing `outputPath`.
 */
export async function runRevisions<Result>(
  inputPath: string,
  outputPath: string,
  revisions: readonly Revision<Result>[],
  signal: AbortSignal | undefined,
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
    return results;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
