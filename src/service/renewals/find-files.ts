import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Names of signed files in folders; a file that a person names is looked at in any case. */
const SIGNED = /\.(p7s|p7m|pdf)$/i;
const DRAFT = /^\..+\.sinete-renewal$/;
/** Most files of one folder. */
const MOST_FILES = 100_000;

/** The path of a renewal under way. */
export const draftOf = (path: string): string => join(dirname(path), `.${basename(path)}.sinete-renewal`);

/**
 * Signed files in a folder and the folders below, and drafts that a killed process left behind. Symbolic links are not
 * followed. Rejects with the error of the system for a folder that cannot be read.
 */
export async function findSignedFiles(
  folder: string,
): Promise<{ readonly files: readonly string[]; readonly drafts: readonly string[] }> {
  const files: string[] = [];
  const drafts: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || files.length >= MOST_FILES) continue;
    const path = join(entry.parentPath, entry.name);
    if (DRAFT.test(entry.name)) drafts.push(path);
    else if (SIGNED.test(entry.name)) files.push(path);
  }
  return { files: files.toSorted(), drafts };
}
