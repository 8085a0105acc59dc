/** Rules for pages and their annotations: a page itself may get annotations, and nothing else (ISO 32000-2 §7.7.3.3). */
import type { PdfDocument } from '../reading/pdf-document.ts';
import { nameOf, PdfReference, PdfString } from '../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../syntax/values.ts';
import { differentKeys, sameThrough, sameValue } from './same-value.ts';
import { isLikePage, isVisible, widgetsOf } from './page-numbers.ts';
import type { PdfChangeCode } from './pdf-facts.ts';
import { readObject } from './reference-index.ts';
import type { ChangeDetails, Step } from './step-ledger.ts';
import { dropUndefined } from '../../../values/drop-undefined.ts';

/**
 * Kinds of annotations with an opaque appearance by nature. Other kinds cover the page only with their own appearance.
 */
const COVERING = new Set(['FreeText', 'Stamp', 'Redact', 'Watermark', 'Screen', 'RichMedia', '3D', 'Movie']);

function pageChange(key: string): PdfChangeCode {
  if (key === 'Contents') return 'PAGE_CONTENT_CHANGED';
  return key === 'Resources' ? 'PAGE_RESOURCES_CHANGED' : 'PAGE_CHANGED';
}

/** Numbers of the field and widget objects of both revisions. */
function formObjects({ before, after }: Step): ReadonlySet<number> {
  const numbers = new Set<number>();
  for (const { document, fields } of [before, after]) {
    for (const field of fields) {
      for (const { number } of [field, ...widgetsOf(document, field)]) if (number !== undefined) numbers.add(number);
    }
  }
  return numbers;
}

export function comparePages(step: Step): void {
  const { before, after, moved, pages, ledger } = step;
  const compared = new Set<number>();
  const inForm = formObjects(step);
  for (const number of moved.touched) {
    const [then, now] = [readObject(before.document, number), readObject(after.document, number)];
    const page = pages.ofPage(number);
    if (isMarkedNode(then, now)) ledger.settle(number);
    if (page !== undefined && then instanceof Map && now instanceof Map) {
      comparePage(step, number, then, now);
      compared.add(number);
    }
    const owner = pages.pageOfList(number);
    if (owner !== undefined) compared.add(owner);
  }
  for (const number of compared) compareAnnotations(step, number, inForm);
  for (const number of moved.touched) {
    if (inForm.has(number) || ledger.isSettled(number)) continue;
    const page = pages.ofAnnotation(number);
    if (page !== undefined) compareAnnotation(step, number, page);
  }
}

/** Old versions of iText write their version into the nodes of the page tree. Programs ignore this entry. */
function isMarkedNode(then: PdfValue, now: PdfValue): boolean {
  if (!(then instanceof Map) || !(now instanceof Map) || nameOf(now.get('Type')) !== 'Pages') return false;
  return [...differentKeys(then, now)].every((key) => key === 'ITXT' && now.get(key) instanceof PdfString);
}

const INHERITABLE = new Set(['Resources', 'MediaBox', 'CropBox', 'Rotate']);
const MAX_PARENTS = 64;

/** The value of a key that a page inherits from a node of the page tree. */
function inheritedValue(document: PdfDocument, page: PdfDictionary, key: string): PdfValue | undefined {
  let node = INHERITABLE.has(key) ? document.resolve(page.get('Parent')) : null;
  for (let depth = 0; node instanceof Map && depth < MAX_PARENTS; depth += 1) {
    if (node.has(key)) return node.get(key);
    node = document.resolve(node.get('Parent'));
  }
  return undefined;
}

function comparePage(
  { before, after, pages, ledger }: Step,
  number: number,
  then: PdfDictionary,
  now: PdfDictionary,
): void {
  ledger.settle(number);
  const page = pages.ofPage(number);
  for (const key of differentKeys(then, now)) {
    if (key === 'Annots' || key === 'LastModified') continue;
    // Programs copy the resources into an object of another number.
    if (key === 'Resources' && sameThrough(before.document, after.document, then.get(key), now.get(key))) continue;
    // Programs copy inherited values into the page itself (ISO 32000-2 §7.7.3.4).
    const inherited = then.has(key) ? undefined : inheritedValue(before.document, then, key);
    if (inherited !== undefined && sameThrough(before.document, after.document, inherited, now.get(key))) continue;
    // A program that adds a field to a tagged document may set the tab order to the structure's order.
    if (key === 'Tabs' && !then.has(key) && nameOf(now.get(key)) === 'S') {
      ledger.add('STRUCTURE_UPDATED');
      continue;
    }
    ledger.add(pageChange(key), { objectNumber: number, page });
  }
}

function listOf({ ledger }: Step, document: PdfDocument, page: number): readonly PdfValue[] {
  const value = readObject(document, page);
  const annotations = value instanceof Map ? value.get('Annots') : undefined;
  ledger.claimList(document, annotations, { holder: page, path: '/Annots' });
  const list = document.resolve(annotations);
  return Array.isArray(list) ? list : [];
}

/** Compares a page's list of annotations: added and removed entries. */
function compareAnnotations(step: Step, pageObject: number, inForm: ReadonlySet<number>): void {
  const { before, after, pages, ledger } = step;
  const page = pages.ofPage(pageObject);
  const details: ChangeDetails = { page };
  const [then, now] = [listOf(step, before.document, pageObject), listOf(step, after.document, pageObject)];
  const left = (some: readonly PdfValue[], others: readonly PdfValue[]): PdfValue[] => {
    const numbers = new Set(others.map((value) => (value instanceof PdfReference ? value.number : -1)));
    const told = new Set<number>();
    return some.filter((value) => {
      if (!(value instanceof PdfReference)) {
        before.document.file.budget.spend(others.length);
        return !others.some((other) => sameValue(value, other));
      }
      const isNew = !numbers.has(value.number) && !told.has(value.number);
      told.add(value.number);
      return isNew;
    });
  };
  for (const gone of left(then, now)) {
    const isWidget = gone instanceof PdfReference && inForm.has(gone.number);
    ledger.add(isWidget ? 'FIELD_REMOVED' : 'ANNOTATION_REMOVED', details);
  }
  for (const added of left(now, then)) {
    if (added instanceof PdfReference && inForm.has(added.number)) checkNewWidget(step, added.number, details);
    else addAnnotation(step, added, pageObject, details);
  }
}

/** A new widget on a page has to belong to a new field. */
function checkNewWidget({ moved, ledger }: Step, number: number, details: ChangeDetails): void {
  if (!moved.added.has(number)) ledger.add('FIELD_VISIBILITY_CHANGED', { ...details, objectNumber: number });
}

function addAnnotation({ after, ledger, moved }: Step, value: PdfValue, page: number, details: ChangeDetails): void {
  const { document } = after;
  const annotation = document.resolve(value);
  const number = value instanceof PdfReference ? value.number : undefined;
  const about = { ...details, ...dropUndefined({ objectNumber: number }) };
  if (!(annotation instanceof Map) || nameOf(document.resolve(annotation.get('Subtype'))) === 'Widget') {
    ledger.add('FIELD_ADDED', about);
    return;
  }
  // Reports an existing object in the list of annotations: its bytes were not written as an annotation.
  if (number !== undefined && !moved.added.has(number)) {
    ledger.add('MISSING_OBJECT_SUPPLIED', about);
    return;
  }
  ledger.claim(document, value, { holder: page, path: '/Annots' });
  ledger.add(isCovering(document, annotation) ? 'COVERING_ANNOTATION_ADDED' : 'ANNOTATION_ADDED', about);
}

function isCovering(document: PdfDocument, annotation: PdfDictionary): boolean {
  const kind = nameOf(document.resolve(annotation.get('Subtype'))) ?? '';
  return isVisible(document, annotation) && (COVERING.has(kind) || annotation.has('AP'));
}

/** An annotation outside of the form may change. */
function compareAnnotation({ before, after, ledger }: Step, number: number, page: number): void {
  const [then, now] = [readObject(before.document, number), readObject(after.document, number)];
  if (!(then instanceof Map) || !(now instanceof Map)) return;
  const [kind, other] = [then, now].map((value) => nameOf(value.get('Subtype')));
  if (kind === undefined || kind !== other || kind === 'Widget') return;
  // An object that is a page as well is judged as a page.
  if (isLikePage(before.document, then) || isLikePage(after.document, now)) return;
  ledger.settle(number);
  if (sameValue(then, now)) return;
  ledger.anchor(number);
  for (const { document } of [before, after]) {
    const value = readObject(document, number);
    ledger.claim(document, value, { holder: number, path: '' });
  }
  ledger.add('ANNOTATION_CHANGED', { objectNumber: number, page });
}

/** Explains moved appearances of unmoved annotations; called only for unexplained objects. */
export function claimAnnotations(step: Step): void {
  const { before, after, pages, ledger } = step;
  const inForm = formObjects(step);
  for (const number of pages.annotations()) {
    if (inForm.has(number)) continue;
    let moved = false;
    for (const { document } of [before, after]) {
      const value = readObject(document, number);
      if (!(value instanceof Map)) continue;
      if (ledger.claim(document, value.get('AP'), { holder: number, path: '/AP' })) moved = true;
    }
    if (!moved) continue;
    ledger.anchor(number);
    const page = pages.ofAnnotation(number);
    ledger.add('ANNOTATION_CHANGED', { objectNumber: number, page });
  }
}
