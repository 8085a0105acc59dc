import { SigningError } from '../../errors.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';
import { findSignatures, ownProblem, readRange } from './signature-structure.ts';
import type { RevisionViews, Revision } from './revisions.ts';

/** Maximum number of revisions to search, the newest first. */
const MAX_REVISIONS = 512;

/** A byte range as a name for its signature. */
export const rangeName = (range: readonly number[]): string => range.join(' ');

/**
 * Byte ranges of the signatures that an earlier version of the file shows and the last version does not: their fields
 * were emptied, removed, or repointed.
 *
 * @param shown names of the ranges that the last version shows
 */
export function findRemovedSignatures(
  document: PdfDocument,
  revisions: readonly Revision[],
  views: RevisionViews,
  shown: ReadonlySet<string>,
): ReadonlySet<string> {
  const removed = new Set<string>();
  try {
    for (const revision of revisions.toReversed().slice(1, MAX_REVISIONS + 1)) {
      const view = views.of(revision);
      for (const found of findSignatures(view.fields)) {
        const name = rangeName(readRange(view.document, found.dictionary));
        // Soundness is checked last, because the check reads the whole range.
        if (shown.has(name) || removed.has(name)) continue;
        if (ownProblem(view.document, found) === undefined) removed.add(name);
      }
    }
  } catch (error) {
    // An unreadable version reveals no signature.
    if (!(error instanceof SigningError) || document.file.budget.exhausted) throw error;
  }
  return removed;
}
