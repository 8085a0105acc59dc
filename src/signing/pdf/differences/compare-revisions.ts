/**
 * Compares each revision after a signature by objects: rules explain permitted changes, and any other change is
 * `other`.
 */
import { SigningError } from '../../errors.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';
import { objectsInQuestion, reportRest, settleRest, type ReferenceSearch } from './account-for-objects.ts';
import { CHANGE_SENTENCES } from './change-sentences.ts';
import { compareCatalogs, compareTrailers } from './rules/document-rules.ts';
import { countListed, MAX_COMPARED_ENTRIES, movedObjects, promisesOf } from './object-places.ts';
import type { MovedObjects, Promises } from './object-places.ts';
import type { PageNumbers } from './page-numbers.ts';
import { comparePages } from './rules/page-rules.ts';
import { PDF_CHANGE_CODES } from './pdf-facts.ts';
import type { PdfChange, PdfChangeCode } from './pdf-facts.ts';
import { readObject, ReferenceIndex } from './reference-index.ts';
import { type RevisionViews, isBlank, type Revision } from './revisions.ts';
import { sameObject } from './same-value.ts';
import { StepLedger } from './step-ledger.ts';
import type { Step } from './step-ledger.ts';
import { compareStructures } from './rules/structure-rules.ts';
import { leaveStructureToTimestamps } from './rules/timestamp-structure.ts';

/** More revisions than these after the first signature are not compared. */
const MAX_STEPS = 512;

export interface Comparison {
  readonly document: PdfDocument;
  readonly revisions: readonly Revision[];
  readonly views: RevisionViews;
  /** Page numbers of the last revision. */
  readonly pages: PageNumbers;
}

/** A change without further details. */
export const plainChange = (revision: number, code: PdfChangeCode): PdfChange => ({
  revision,
  level: PDF_CHANGE_CODES[code],
  code,
  sentence: CHANGE_SENTENCES[code],
});

/**
 * All changes by the revisions after `from`, in order. Each revision is compared once for any number of signatures. A
 * failed comparison is a change of its own.
 */
export function changesSince(comparison: Comparison, from: Revision): readonly PdfChange[] {
  const { document, revisions } = comparison;
  const last = revisions.at(-1);
  if (last === undefined) return [];
  const outside: PdfChange[] = [];
  if (last.end === undefined || !isBlank(document.file, last.end, document.file.size)) {
    outside.push(plainChange(last.number + 1, 'CONTENT_OUTSIDE_REVISIONS'));
  }
  if (from === last) return outside;
  const later = revisions.slice(from.number);
  const entries = revisions.reduce((total, revision) => total + countListed(revision), 0);
  if (later.length > MAX_STEPS || entries > MAX_COMPARED_ENTRIES) {
    return [...later.map(({ number }) => plainChange(number, 'NOT_COMPARABLE')), ...outside];
  }
  try {
    return [...compareAll(comparison, from, later), ...outside];
  } catch (error) {
    if (!(error instanceof SigningError)) throw error;
    return [...later.map(({ number }) => plainChange(number, 'NOT_COMPARABLE')), ...outside];
  }
}

function compareAll(comparison: Comparison, from: Revision, later: readonly Revision[]): readonly PdfChange[] {
  const { revisions, views } = comparison;
  const promises = promisesOf(revisions);
  let before = views.of(from);
  const steps: Step[] = [];
  for (const revision of later) {
    const after = views.of(revision);
    const moved = withoutCopies(
      before.document,
      after.document,
      movedObjects(before.document, after.document, revision),
    );
    const ledger = new StepLedger(revision.number, moved);
    const step: Step = { before, after, pages: comparison.pages, moved, ledger };
    reportPlaces(step, promises);
    compareTrailers(step);
    compareCatalogs(step);
    comparePages(step);
    compareStructures(step);
    leaveStructureToTimestamps(step);
    settleRest(step);
    steps.push(step);
    before = after;
  }
  const targets = new Set(steps.flatMap((step) => [...objectsInQuestion(step)]));
  const all = [views.of(from), ...steps.map(({ after }) => after)];
  const search: ReferenceSearch = (numbers) => new ReferenceIndex(all, revisions.slice(0, from.number), numbers);
  const index = search(targets);
  for (const step of steps) reportRest(step, index, search);
  return steps.flatMap(({ ledger }) => ledger.changes);
}

/** Leaves out objects that were rewritten without a difference. */
function withoutCopies(before: PdfDocument, after: PdfDocument, moved: MovedObjects): MovedObjects {
  const isCopy = (number: number): boolean => {
    const now = readObject(after, number);
    // Other programs may be able to read an object unreadable here.
    return now !== null && sameObject(before, after, readObject(before, number), now);
  };
  return { ...moved, touched: new Set([...moved.touched].filter((number) => !isCopy(number))) };
}

/** Reports objects whose bytes are at a suspicious place; no rule can explain such a change. */
function reportPlaces({ before, after, moved, ledger }: Step, { ahead, objectStreams }: Promises): void {
  const { start, end = Infinity } = after.revision;
  for (const number of moved.elsewhere) ledger.add('OBJECT_REPOINTED', { objectNumber: number });
  for (const number of moved.ambiguous) ledger.add('HIDDEN_OBJECT_CHANGED', { objectNumber: number });
  for (const number of moved.touched) {
    if (objectStreams.has(number)) ledger.add('OBJECT_STREAM_REPLACED', { objectNumber: number });
  }
  for (const { number, position } of ahead) {
    const entry = before.document.entry(number);
    const isHere = entry?.kind === 'offset' && before.document.crossReference.base + entry.offset === position;
    if (isHere && position >= start && position < end) ledger.add('PHANTOM_OBJECT', { objectNumber: number });
  }
}
