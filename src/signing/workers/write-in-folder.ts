import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeScratchFolder } from '../scratch-folder.ts';

/**
 * Writes in a private folder and always removes the folder; the finished file moves to its place and replaces an
 * existing file.
 */
export async function writeInFolder<Result>(
  outputPath: string,
  write: (path: string) => Promise<Result>,
): Promise<Result> {
  const folder = await makeScratchFolder(outputPath);
  try {
    const path = join(folder, 'output.pdf');
    const result = await write(path);
    await rename(path, outputPath);
    return result;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
