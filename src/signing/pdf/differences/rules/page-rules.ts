/** Rules for pages and their annotations: a page itself may get annotations, and nothing else (ISO 32000-2 §7.7.3.3). */
import type { PdfDocument } from '../../reading/pdf-document.ts';
import { nameOf, numberOf, PdfReference, PdfString } from '../../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../../syntax/values.ts';
import { differentKeys, documentsOf, sameThrough, sameValue } from '../same-value.ts';
import { changeableEntry } from './changeable-entries.ts';
import { INHERITABLE, rehungNodes } from './page-tree-order.ts';
import { isUnusedKey } from './structure-rules.ts';
import { isLikePage, isShownSomewhere, widgetsOf } from '../page-numbers.ts';
import type { PdfChangeCode } from '../pdf-facts.ts';
import { readObject } from '../reference-index.ts';
import type { ChangeDetails, Step } from '../step-ledger.ts';

/**
 * Kinds of annotations with an opaque appearance by nature. Other kinds cover the page with their own appearance, or with
 * what they paint.
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
    else if (isRehungNode(step, number, then, now)) {
      ledger.settle(number);
      ledger.anchor(number);
    }
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

/** A node of the page tree, or its list of kids, that changed while the document shows the same pages. */
function isRehungNode(step: Step, number: number, then: PdfValue, now: PdfValue): boolean {
  if (Array.isArray(then) && Array.isArray(now)) {
    return step.pages.pageOfList(number) === undefined && rehungNodes(step)?.has(number) === true;
  }
  if (!(then instanceof Map) || !(now instanceof Map) || !then.has('Kids') || !then.has('Count')) return false;
  const isExpected = [...differentKeys(then, now)].every(
    (key) =>
      changeableEntry('pageNode', key) !== undefined ||
      key === 'ITXT' ||
      sameThrough(documentsOf(step), then.get(key), now.get(key), key),
  );
  return isExpected && rehungNodes(step)?.has(number) === true;
}

const MAX_PARENTS = 64;
const INHERITED: ReadonlySet<string> = new Set(INHERITABLE);

/** The value of a key of a page: its own, or inherited from a node of the page tree (ISO 32000-2 §7.7.3.4). */
function valueOf(document: PdfDocument, page: PdfDictionary, key: string): PdfValue | undefined {
  if (page.has(key) || !INHERITED.has(key)) return page.get(key);
  let node = document.resolve(page.get('Parent'));
  for (let depth = 0; node instanceof Map && depth < MAX_PARENTS; depth += 1) {
    if (node.has(key)) return node.get(key);
    node = document.resolve(node.get('Parent'));
  }
  return undefined;
}

/** Orders in which programs go from annotation to annotation (Table 31). */
const TAB_ORDERS = new Set(['R', 'C', 'S', 'A', 'W']);

/** The change of an entry of a page; undefined for an allowed change, or one that another rule reports. */
function entryChange(step: Step, key: string, then: PdfDictionary, now: PdfDictionary): PdfChangeCode | undefined {
  const { before, after } = documentsOf(step);
  const entry = changeableEntry('page', key);
  switch (entry) {
    case undefined: {
      // Programs copy resources into another object, and inherited values into the page.
      const [old, current] = [valueOf(before, then, key), valueOf(after, now, key)];
      return sameThrough({ before, after }, old, current, key) ? undefined : pageChange(key);
    }
    case 'Annots':
    case 'LastModified':
      return undefined;
    case 'Parent':
      return rehungNodes(step) === undefined ? pageChange(key) : undefined;
    case 'Tabs': {
      const order = now.has(key) ? (nameOf(after.resolve(now.get(key))) ?? '') : undefined;
      // A program that adds a field to a tagged document may set the tab order to the structure's order.
      if (order === 'S' && !then.has(key)) return 'STRUCTURE_UPDATED';
      return order === undefined || TAB_ORDERS.has(order) ? 'ANNOTATION_CHANGED' : pageChange(key);
    }
    case 'StructParents':
      return !then.has(key) && isUnusedKey(step, now.get(key)) ? 'STRUCTURE_UPDATED' : pageChange(key);
  }
}

function comparePage(step: Step, number: number, then: PdfDictionary, now: PdfDictionary): void {
  const { pages, ledger } = step;
  ledger.settle(number);
  const page = pages.ofPage(number);
  const keys = new Set(differentKeys(then, now));
  // Another parent may give other attributes.
  if (keys.has('Parent')) for (const key of INHERITABLE) keys.add(key);
  for (const key of keys) {
    const code = entryChange(step, key, then, now);
    if (code === 'STRUCTURE_UPDATED') ledger.add(code);
    else if (code !== undefined) ledger.add(code, { objectNumber: number, page });
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
    if (gone instanceof PdfReference && inForm.has(gone.number)) removeWidget(step, gone.number, details);
    else ledger.add('ANNOTATION_REMOVED', details);
  }
  for (const added of left(now, then)) {
    if (added instanceof PdfReference && inForm.has(added.number)) checkNewWidget(step, added.number, details);
    else addAnnotation(step, added, pageObject, details);
  }
}

/** A widget taken off its page hides its field, as long as the form has the field. A signature must not be hidden. */
function removeWidget({ before, after, ledger }: Step, number: number, details: ChangeDetails): void {
  const field = before.fields.find((one) =>
    [one, ...widgetsOf(before.document, one)].some((widget) => widget.number === number),
  );
  const isKept = after.fields.some((one) => field !== undefined && one.number === field.number);
  const isSigned = field?.type === 'Sig' && field.value.value !== null;
  if (isSigned) ledger.add('SIGNATURE_REPLACED', { ...details, fieldName: field.fullName });
  else if (isKept) ledger.add('FIELD_VISIBILITY_CHANGED', { ...details, fieldName: field?.fullName });
  else ledger.add('FIELD_REMOVED', details);
}

/** A new widget on a page has to belong to a new field. */
function checkNewWidget({ moved, ledger }: Step, number: number, details: ChangeDetails): void {
  if (!moved.added.has(number)) ledger.add('FIELD_VISIBILITY_CHANGED', { ...details, objectNumber: number });
}

function addAnnotation({ after, ledger, moved }: Step, value: PdfValue, page: number, details: ChangeDetails): void {
  const { document } = after;
  const annotation = document.resolve(value);
  const number = value instanceof PdfReference ? value.number : undefined;
  const about = { ...details, objectNumber: number };
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
  if (!isShownSomewhere(document, annotation)) return false;
  return COVERING.has(kind) || annotation.has('AP') || paintsArea(document, annotation, kind);
}

/** Annotations with lines and an inner colour of their own (ISO 32000-2 §12.5.6). */
const DRAWN = new Set(['Line', 'Square', 'Circle', 'Polygon', 'PolyLine', 'Ink']);

/** Points of a line that can cover a line of text. */
const COVERING_WIDTH = 6;

/** True for an annotation without an appearance that programs draw with a filled area, or with lines as thick as one. */
function paintsArea(document: PdfDocument, annotation: PdfDictionary, kind: string): boolean {
  if (!DRAWN.has(kind)) return false;
  const filling = document.resolve(annotation.get('IC'));
  if (Array.isArray(filling) && filling.length > 0) return true;
  const style = document.resolve(annotation.get('BS'));
  const border = document.resolve(annotation.get('Border'));
  const widths = [style instanceof Map ? style.get('W') : undefined, Array.isArray(border) ? border[2] : undefined];
  return widths.some((width) => (numberOf(document.resolve(width)) ?? 0) >= COVERING_WIDTH);
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
