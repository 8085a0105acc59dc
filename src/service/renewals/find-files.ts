import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';

/** Names of signed files and of evidence records in folders; a file that a person names is always checked. */
const SIGNED = /\.(p7s|p7m|pdf|er)$/i;
/** A draft, or the folder of its earlier revisions (`makeScratchFolder`). */
const DRAFT = /^\..+\.sinete-renewal(\.[A-Za-z0-9]{6})?$/;
/** Maximum number of files of one folder. */
const MOST_FILES = 100_000;

/** The path of the temporary file of a renewal. */
export const draftOf = (path: string): string => join(dirname(path), `.${basename(path)}.sinete-renewal`);

/** Removes a file's draft and the folders of its revisions, which remain after a killed process. */
export async function removeDrafts(path: string): Promise<void> {
  const draft = basename(draftOf(path));
  const folder = dirname(path);
  for (const name of await readdir(folder).catch(() => [])) {
    if (DRAFT.test(name) && (name === draft || name.startsWith(`${draft}.`))) {
      await rm(join(folder, name), { recursive: true, force: true });
    }
  }
}

/**
 * Signed files and evidence records in a folder and the folders below. Drafts, and files in the folders of their
 * revisions, are no files of the archive. Symbolic links are not followed. Rejects with the error of the system for a
 * folder that cannot be read.
 */
export async function findSignedFiles(folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || files.length >= MOST_FILES || isInDraft(folder, entry.parentPath)) continue;
    if (SIGNED.test(entry.name) && !DRAFT.test(entry.name)) files.push(join(entry.parentPath, entry.name));
  }
  return files.toSorted();
}

const isInDraft = (folder: string, parent: string): boolean =>
  relative(folder, parent)
    .split(sep)
    .some((name) => DRAFT.test(name));
