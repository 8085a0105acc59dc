import { mkdtemp } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Makes a folder beside an output that nobody else can read. It is named after a hidden output, so that whoever removes
 * what a crash left of the one finds the other.
 */
export async function makeScratchFolder(outputPath: string): Promise<string> {
  const name = basename(outputPath);
  return mkdtemp(join(dirname(outputPath), name.startsWith('.') ? `${name}.` : '.sinete-'));
}
