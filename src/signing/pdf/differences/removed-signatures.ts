import { SigningError } from '../../errors.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';
import { findSignatures, ownProblem, readRange } from './signature-structure.ts';
import type { RevisionViews, Revision } from './revisions.ts';

/** Most revisions to search, the newest first. */
const MAX_REVISIONS = 512;

/**
 * True when an earlier version of the file shows a signature missing from the last version: its field was emptied,
 * removed, or repointed. Signatures are identified by their byte range.
 */
export function hasRemovedSignature(
  document: PdfDocument,
  revisions: readonly Revision[],
  views: RevisionViews,
): boolean {
  const [last, ...earlier] = revisions.toReversed().slice(0, MAX_REVISIONS + 1);
  if (last === undefined) return false;
  try {
    const shown = new Set(
      findSignatures(views.of(last).fields).map((one) => readRange(document, one.dictionary).join(' ')),
    );
    const hasAnother = (revision: Revision): boolean => {
      const view = views.of(revision);
      return findSignatures(view.fields).some((found) => {
        const range = readRange(view.document, found.dictionary).join(' ');
        // Soundness is checked last, because the check reads the whole range.
        return !shown.has(range) && ownProblem(view.document, found) === undefined;
      });
    };
    return earlier.some(hasAnother);
  } catch (error) {
    // An unreadable version shows nothing.
    if (error instanceof SigningError) return false;
    throw error;
  }
}
