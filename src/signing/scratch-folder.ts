import { mkdtemp } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Makes a private folder beside an output. The folder shares the temporary output's name prefix, so that crash clean-up
 * removes both.
 */
export async function makeScratchFolder(outputPath: string): Promise<string> {
  const name = basename(outputPath);
  return mkdtemp(join(dirname(outputPath), name.startsWith('.') ? `${name}.` : '.sinete-'));
}
