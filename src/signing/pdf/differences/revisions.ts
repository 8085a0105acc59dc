/** The revisions of a PDF: its original and each incremental update (ISO 32000-2 §7.5.6). */
import type { CrossReference } from '../reading/cross-reference.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';
import type { PdfFile } from '../reading/pdf-file.ts';
import { walkFields, type FormField } from '../reading/form-fields.ts';

export interface Revision {
  /** 1-based. */
  readonly number: number;
  /** The chain of sections at the end of this revision. */
  readonly structure: CrossReference;
  /** Number of the chain's sections in this revision itself; these come first. */
  readonly ownSections: number;
  /** Offset after the `%%EOF` of the previous revision; 0 for the first. */
  readonly start: number;
  /** Offset after the revision's `%%EOF`; undefined for an unknown end. */
  readonly end: number | undefined;
}

const WINDOW = 64 * 1024;
/** No `startxref … %%EOF` is longer: windows overlap by this. */
const OVERLAP = 256;
const END = /startxref\s+(\d{1,15})\s+%%EOF/g;

interface Group {
  /** Index of the newest section, and the index after the oldest. */
  readonly from: number;
  readonly to: number;
}

/**
 * Sections of a revision, newest first. A linearized file has its newest section in front of the older section (Annex
 * F). Where the order in the file differs from the order of time, the sections count as a single revision, so that no
 * signature ends between the sections.
 */
function groupSections(positions: readonly number[]): readonly Group[] {
  const highestFrom: number[] = [];
  let highest = -1;
  for (const position of positions.toReversed()) highestFrom.push((highest = Math.max(highest, position)));
  highestFrom.reverse();
  const groups: Group[] = [];
  let from = 0;
  let lowest = Infinity;
  for (const [index, position] of positions.entries()) {
    lowest = Math.min(lowest, position);
    if ((highestFrom[index + 1] ?? -1) >= lowest) continue;
    groups.push({ from, to: index + 1 });
    [from, lowest] = [index + 1, Infinity];
  }
  return groups;
}

/** The position after the `%%EOF` whose `startxref` names this offset, searched from `start` to `limit`. */
function findEnd(file: PdfFile, offset: number, start: number, limit: number): number | undefined {
  for (let position = start; position < limit; position += WINDOW - OVERLAP) {
    const text = file.text(position, Math.min(WINDOW, limit - position));
    file.budget.spend(text.length >> 4);
    for (const match of text.matchAll(END)) {
      if (Number(match[1]) === offset) return position + match.index + match[0].length;
    }
  }
  return undefined;
}

/** All revisions, the original first. */
export function readRevisions(document: PdfDocument): readonly Revision[] {
  const { sections, base, positions = [] } = document.crossReference;
  const revisions: Revision[] = [];
  let start = 0;
  const groups = groupSections(positions);
  for (const [index, { from, to }] of [...groups.entries()].reverse()) {
    const own = positions.slice(from, to);
    const newer = groups[index - 1];
    const limit = newer === undefined ? document.file.size : Math.min(...positions.slice(newer.from, newer.to));
    const offset = (positions[from] ?? base) - base;
    const end = findEnd(document.file, offset, Math.max(...own), limit);
    const structure = { sections: sections.slice(from), positions: positions.slice(from), start: offset, base };
    revisions.push({ number: revisions.length + 1, structure, ownSections: to - from, start, end });
    start = end ?? limit;
  }
  return revisions;
}

/** The revision that ends at the end of a signature's range: after its `%%EOF`, white space apart. */
export function revisionEndingAt(
  file: PdfFile,
  revisions: readonly Revision[],
  position: number,
): Revision | undefined {
  const revision = revisions.findLast(({ end }) => end !== undefined && end <= position);
  if (revision?.end === undefined) return undefined;
  return isBlank(file, revision.end, position) ? revision : undefined;
}

const MAX_BLANK = 64 * 1024;

/** True when there is nothing but white space (ISO 32000-2 §7.2.3) from `start` to `end`. */
export function isBlank(file: PdfFile, start: number, end: number): boolean {
  return end - start <= MAX_BLANK && !/[^\0\t\n\f\r ]/.test(file.text(start, end - start));
}

/** True when the bytes before `position` end any revision, inside or outside of the chain. */
export function endsSomeRevision(file: PdfFile, position: number): boolean {
  const text = file.text(Math.max(0, position - OVERLAP), Math.min(position, OVERLAP));
  return /startxref\s+\d{1,15}\s+%%EOF[\0\t\n\f\r ]*$/.test(text);
}

/** The document in the state of a revision. */
export interface RevisionView {
  readonly revision: Revision;
  readonly document: PdfDocument;
  readonly fields: readonly FormField[];
}

/** Number of views kept in memory. Only neighbouring revisions are compared, so a few views are enough. */
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
