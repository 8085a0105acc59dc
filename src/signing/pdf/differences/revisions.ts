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
  /**
   * Offset after the revision's `%%EOF`, or after the range of the signature that closes the revision; undefined for an
   * unknown end.
   */
  readonly end: number | undefined;
}

const WINDOW = 64 * 1024;
/** No `startxref … %%EOF` is longer: windows overlap by this. */
const OVERLAP = 256;
const END = /startxref\s+(\d{1,15})\s+%%EOF/g;
/** The end of a file that lost its `%%EOF`, or a part of it. */
const CUT_END = /startxref\s+(\d{1,15})(?:\s+%(?:%(?:E(?:OF?)?)?)?)?/g;
/** Everything in front of the end of a signature's range, when the range closes a revision. */
const BEFORE_END = /startxref\s+(\d{1,15})(?:\s+%%EOF)?[\0\t\n\f\r ]*$/;

const MARK = /^[\0\t\n\f\r ]*%%EOF/;

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

/** The position after the end whose `startxref` names this offset, searched from `start` to `limit`. */
function findEnd(file: PdfFile, offset: number, start: number, limit: number, end = END): number | undefined {
  for (let position = start; position < limit; position += WINDOW - OVERLAP) {
    const text = file.text(position, Math.min(WINDOW, limit - position));
    file.budget.spend(text.length >> 4);
    for (const match of text.matchAll(end)) {
      if (Number(match[1]) === offset) return position + match.index + match[0].length;
    }
  }
  return undefined;
}

/** The number of the last `startxref` in front of a position with nothing behind but `%%EOF`. */
function offsetBefore(file: PdfFile, position: number): number | undefined {
  const text = file.text(Math.max(0, position - OVERLAP), Math.min(position, OVERLAP));
  const digits = BEFORE_END.exec(text)?.[1];
  // A range in front of the mark leaves the mark out.
  const isShort = !text.trimEnd().endsWith('%%EOF') && MARK.test(file.text(position, OVERLAP));
  return digits === undefined || isShort ? undefined : Number(digits);
}

/**
 * All revisions, the original first. A signed revision ends where the range of its signature ends. Sections without an
 * end of their own belong to the next end, because no signature can end between them.
 *
 * @param signedEnds ends of the ranges of signatures
 */
export function readRevisions(document: PdfDocument, signedEnds: readonly number[] = []): readonly Revision[] {
  const { file, crossReference } = document;
  const { sections, base, positions = [] } = crossReference;
  const revisions: Revision[] = [];
  let [start, unended] = [0, 0];
  const groups = groupSections(positions);
  for (const [index, { from, to }] of [...groups.entries()].reverse()) {
    const own = positions.slice(from, to);
    const newer = groups[index - 1];
    const limit = newer === undefined ? file.size : Math.min(...positions.slice(newer.from, newer.to));
    const offset = (positions[from] ?? base) - base;
    const behind = Math.max(...own);
    const signed = signedEnds.find((one) => one > behind && one <= limit && offsetBefore(file, one) === offset);
    const end =
      signed ??
      findEnd(file, offset, behind, limit) ??
      (newer === undefined ? findEnd(file, offset, behind, limit, CUT_END) : undefined);
    if (end === undefined && newer !== undefined) {
      unended += to - from;
      continue;
    }
    const structure = { sections: sections.slice(from), positions: positions.slice(from), start: offset, base };
    revisions.push({ number: revisions.length + 1, structure, ownSections: to - from + unended, start, end });
    [start, unended] = [end ?? limit, 0];
  }
  return revisions;
}

const LINE_END = /^(?:\r\n|\n|\r)/;

/** The end of a revision as a file of its own: with the line end behind `%%EOF`, unless a signature ends there. */
export function endAsFile(file: PdfFile, { end }: Revision, signedEnds: readonly number[]): number | null {
  if (end === undefined) return null;
  return signedEnds.includes(end) ? end : end + (LINE_END.exec(file.text(end, 2))?.[0].length ?? 0);
}

/** The revision that ends at the end of a signature's range: after its `%%EOF`, white space apart. */
export function revisionEndingAt(
  file: PdfFile,
  revisions: readonly Revision[],
  position: number,
): Revision | undefined {
  const revision = revisions.findLast(({ end = Infinity }) => end <= position);
  if (revision?.end === undefined) return undefined;
  return isBlank(file, revision.end, position) ? revision : undefined;
}

const MAX_BLANK = 64 * 1024;

/** True when there is nothing but white space (ISO 32000-2 §7.2.3) from `start` to `end`. */
export function isBlank(file: PdfFile, start: number, end: number): boolean {
  return end - start <= MAX_BLANK && !/[^\0\t\n\f\r ]/.test(file.text(start, end - start));
}

/** True when the bytes before `position` end any revision, inside or outside of the chain. */
export const endsSomeRevision = (file: PdfFile, position: number): boolean =>
  offsetBefore(file, position) !== undefined;

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
