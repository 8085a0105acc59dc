import { SigningError } from '../../errors.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';
import { findSignatures, ownProblem, readRange } from './signature-structure.ts';
import type { RevisionViews } from './revision-views.ts';
import type { Revision } from './revisions.ts';

/** Revisions that are looked through, the newest first. */
const MAX_REVISIONS = 512;

/**
 * True when an earlier version of the file shows a signature that the last one does not: its field was emptied, taken
 * away, or made to lead elsewhere. Signatures are told apart by what they cover.
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
        // Whether it is sound is asked last, because that reads all of it.
        return !shown.has(range) && ownProblem(view.document, found) === undefined;
      });
    };
    return earlier.some(hasAnother);
  } catch (error) {
    // A version that cannot be read shows nothing.
    if (error instanceof SigningError) return false;
    throw error;
  }
}
