import { walkFields } from '../reading/form-fields.ts';
import type { FormField } from '../reading/form-fields.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';
import type { Revision } from './revisions.ts';

/** The document in the state of a revision. */
export interface RevisionView {
  readonly revision: Revision;
  readonly document: PdfDocument;
  readonly fields: readonly FormField[];
}

/** Neighbours are compared with each other, and nobody goes back far. */
const KEPT = 3;

/** Opens views of revisions; the recently used views are kept, so that signatures share the reading. */
export class RevisionViews {
  readonly #document: PdfDocument;
  readonly #last: Revision | undefined;
  #kept: readonly RevisionView[] = [];

  constructor(document: PdfDocument, revisions: readonly Revision[]) {
    this.#document = document;
    this.#last = revisions.at(-1);
  }

  of(revision: Revision): RevisionView {
    const kept = this.#kept.find((view) => view.revision === revision);
    if (kept !== undefined) return kept;
    const document = revision === this.#last ? this.#document : this.#document.seenThrough(revision.structure);
    const view = { revision, document, fields: [...walkFields(document)] };
    this.#kept = [view, ...this.#kept.slice(0, KEPT - 1)];
    return view;
  }
}
