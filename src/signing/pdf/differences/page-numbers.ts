import { findForm, type FormField } from '../reading/form-fields.ts';
import { walkPages } from '../reading/page-tree.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';
import { nameOf, numberOf, PdfReference, PdfString } from '../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../syntax/values.ts';
import { PageTreePaths } from './page-tree-paths.ts';
import { readObject } from './reference-index.ts';

/** Keys of a page that decide its display. Annotations have none of these keys (ISO 32000-2 Tables 31 and 166). */
const PAGE_KEYS = ['Resources', 'MediaBox', 'CropBox', 'Annots', 'Kids'] as const;

/**
 * True for a dictionary that can show something as a page or lead to pages. The `Contents` of an annotation are text,
 * and the `Contents` of a page are streams.
 */
export function isLikePage(document: PdfDocument, value: PdfValue): boolean {
  if (!(value instanceof Map)) return false;
  if (['Page', 'Pages'].includes(nameOf(document.resolve(value.get('Type'))) ?? '')) return true;
  if (PAGE_KEYS.some((key) => value.has(key))) return true;
  const contents = document.resolve(value.get('Contents'));
  return contents !== null && !(contents instanceof PdfString);
}

/** A dictionary that a page may list as an annotation. */
function isLikeAnnotation(document: PdfDocument, value: PdfValue): value is PdfDictionary {
  if (!(value instanceof Map) || nameOf(document.resolve(value.get('Subtype'))) === undefined) return false;
  return (nameOf(document.resolve(value.get('Type'))) ?? 'Annot') === 'Annot';
}

/** Numbers found by walking through all pages. */
interface Walk {
  readonly pages: ReadonlyMap<number, number>;
  readonly annotations: ReadonlyMap<number, number>;
  /** Page objects by the separate objects of their annotation lists. */
  readonly lists: ReadonlyMap<number, number>;
}

/** Pages whose annotations are kept in memory. */
const KEPT_PAGES = 16;

/**
 * Numbers of the pages of a revision, and of the annotations on the pages. A page is found through its parents, and an
 * annotation through its page; all pages are walked through only where an object does not tell its place.
 */
export class PageNumbers {
  readonly #document: PdfDocument;
  readonly #tree: PageTreePaths;
  readonly #known = new Map<number, number | undefined>();
  readonly #listed = new Map<number, ReadonlySet<number>>();
  #walk: Walk | undefined;

  constructor(document: PdfDocument) {
    this.#document = document;
    this.#tree = new PageTreePaths(document);
  }

  /** 1-based number of the page with this object number; undefined for an object that is not like a page. */
  ofPage(object: number | undefined): number | undefined {
    if (object === undefined) return undefined;
    if (!this.#known.has(object)) this.#known.set(object, this.#findPage(object));
    return this.#known.get(object);
  }

  /** 1-based number of the page with this object among its annotations. */
  ofAnnotation(object: number | undefined): number | undefined {
    const value = object === undefined ? null : readObject(this.#document, object);
    if (object === undefined || !isLikeAnnotation(this.#document, value)) return undefined;
    const page = value.get('P');
    const number = page instanceof PdfReference ? this.#pageListing(page.number, object) : undefined;
    return number ?? this.#walked().annotations.get(object);
  }

  /** The page object whose annotation list is this object. */
  pageOfList(object: number): number | undefined {
    const list = readObject(this.#document, object);
    if (!Array.isArray(list) || this.#isListOfFields(object)) return undefined;
    for (const entry of list.slice(0, KEPT_PAGES)) {
      const annotation = this.#document.resolve(entry);
      if (!isLikeAnnotation(this.#document, annotation)) return undefined;
      const page = annotation.get('P');
      if (!(page instanceof PdfReference) || this.ofPage(page.number) === undefined) continue;
      const dictionary = readObject(this.#document, page.number);
      const listed = dictionary instanceof Map ? dictionary.get('Annots') : undefined;
      if (listed instanceof PdfReference && listed.number === object) return page.number;
    }
    return this.#walked().lists.get(object);
  }

  /** Annotation objects, including widgets. */
  annotations(): Iterable<number> {
    return this.#walked().annotations.keys();
  }

  /** The page of a field's visible widget; undefined for an invisible field. */
  ofField(field: FormField): number | undefined {
    for (const { dictionary, number } of widgetsOf(this.#document, field)) {
      if (!isVisible(this.#document, dictionary)) continue;
      const page = dictionary.get('P');
      const found = this.ofAnnotation(number) ?? this.ofPage(page instanceof PdfReference ? page.number : undefined);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #findPage(object: number): number | undefined {
    const value = readObject(this.#document, object);
    if (!(value instanceof Map) || !isLikePage(this.#document, value)) return undefined;
    if (Array.isArray(this.#document.resolve(value.get('Kids')))) return undefined;
    return this.#tree.numberOf(object) ?? this.#walked().pages.get(object);
  }

  /** The number of a page, when it lists this annotation. */
  #pageListing(page: number, annotation: number): number | undefined {
    let listed = this.#listed.get(page);
    if (listed === undefined) {
      const dictionary = readObject(this.#document, page);
      const entries = dictionary instanceof Map ? annotationsOf(this.#document, dictionary) : [];
      listed = new Set(entries.flatMap((entry) => (entry instanceof PdfReference ? [entry.number] : [])));
      const [oldest] = this.#listed.keys();
      if (this.#listed.size >= KEPT_PAGES && oldest !== undefined) this.#listed.delete(oldest);
      this.#listed.set(page, listed);
    }
    return listed.has(annotation) ? this.ofPage(page) : undefined;
  }

  #isListOfFields(object: number): boolean {
    const fields = findForm(this.#document)?.value.get('Fields');
    return fields instanceof PdfReference && fields.number === object;
  }

  #walked(): Walk {
    this.#walk ??= this.#walkAll();
    return this.#walk;
  }

  #walkAll(): Walk {
    const [pages, annotations, lists] = [
      new Map<number, number>(),
      new Map<number, number>(),
      new Map<number, number>(),
    ];
    let number = 0;
    for (const page of walkPages(this.#document.catalog.value, (value, holder) =>
      this.#document.locate(value, holder),
    )) {
      number += 1;
      if (page.reference !== undefined) pages.set(page.reference.number, number);
      const list = page.dictionary.get('Annots');
      if (list instanceof PdfReference && page.reference !== undefined) lists.set(list.number, page.reference.number);
      for (const entry of annotationsOf(this.#document, page.dictionary)) {
        if (entry instanceof PdfReference && !annotations.has(entry.number)) annotations.set(entry.number, number);
      }
    }
    return { pages, annotations, lists };
  }
}

function annotationsOf(document: PdfDocument, page: PdfDictionary): readonly PdfValue[] {
  const list = document.resolve(page.get('Annots'));
  return Array.isArray(list) ? list : [];
}

interface Widget {
  readonly dictionary: PdfDictionary;
  readonly number: number | undefined;
}

/** The field itself when field and widget are the same object, else the widgets below the field. */
export function widgetsOf(document: PdfDocument, field: FormField): readonly Widget[] {
  const own: Widget = { dictionary: field.dictionary, number: field.number };
  const kids = document.resolve(field.dictionary.get('Kids'));
  if (!Array.isArray(kids)) return [own];
  const widgets: Widget[] = [];
  for (const kid of kids) {
    const { value, holder } = document.locate(kid);
    if (value instanceof Map) widgets.push({ dictionary: value, number: holder });
  }
  return widgets;
}

const HIDDEN = 0x02;
const NO_VIEW = 0x20;

const PRINT = 0x04;
const TOGGLE_NO_VIEW = 0x100;

/** True when a widget or annotation takes up room on its page, on the screen (ISO 32000-2 §12.5.3). */
export function isVisible(document: PdfDocument, annotation: PdfDictionary): boolean {
  return hasRoom(document, annotation) && (flagsOf(document, annotation) & (HIDDEN | NO_VIEW)) === 0;
}

/** True when a widget or annotation takes up room on the screen or on paper, always or after a click. */
export function isShownSomewhere(document: PdfDocument, annotation: PdfDictionary): boolean {
  const flags = flagsOf(document, annotation);
  if (!hasRoom(document, annotation) || (flags & HIDDEN) !== 0) return false;
  return (flags & NO_VIEW) === 0 || (flags & (PRINT | TOGGLE_NO_VIEW)) !== 0;
}

const flagsOf = (document: PdfDocument, annotation: PdfDictionary): number =>
  numberOf(document.resolve(annotation.get('F'))) ?? 0;

function hasRoom(document: PdfDocument, annotation: PdfDictionary): boolean {
  if (nameOf(document.resolve(annotation.get('Subtype'))) === 'Popup') return false;
  const rectangle = document.resolve(annotation.get('Rect'));
  const [left = 0, bottom = 0, right = 0, top = 0] = Array.isArray(rectangle)
    ? rectangle.map((corner) => numberOf(document.resolve(corner)) ?? 0)
    : [];
  return left !== right && bottom !== top;
}
