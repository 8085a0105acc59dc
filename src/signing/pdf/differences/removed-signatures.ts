import { SigningError } from '../../errors.ts';
import type { PdfDocument } from '../pdf-document.ts';
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
  const rangesIn = (revision: Revision): readonly string[] => {
    const view = views.of(revision);
    return findSignatures(view.fields)
      .filter((found) => ownProblem(view.document, found) === undefined)
      .map(({ dictionary }) => readRange(view.document, dictionary).join(' '));
  };
  try {
    const shown = new Set(
      findSignatures(views.of(last).fields).map((one) => readRange(document, one.dictionary).join(' ')),
    );
    return earlier.some((revision) => rangesIn(revision).some((range) => !shown.has(range)));
  } catch (error) {
    // A version that cannot be read shows nothing.
    if (error instanceof SigningError) return false;
    throw error;
  }
}
