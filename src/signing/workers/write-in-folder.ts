import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeScratchFolder } from '../scratch-folder.ts';

/** Writes in a folder that nobody else can read and that is removed in any case; the finished file moves out of it, in the place of what may be there. */
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
