import type { FormField } from '../reading/form-fields.ts';
import { walkPages } from '../reading/page-tree.ts';
import type { Page } from '../reading/page-tree.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';
import { nameOf, numberOf, PdfReference } from '../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../syntax/values.ts';

/** Numbers of the pages of a revision, and of the annotations on the pages. Read on first use. */
export class PageNumbers {
  readonly #document: PdfDocument;
  #pages: ReadonlyMap<number, number> | undefined;
  #annotations: ReadonlyMap<number, number> | undefined;
  /** Page objects by the separate objects of their annotation lists. */
  #lists: ReadonlyMap<number, number> = new Map();

  constructor(document: PdfDocument) {
    this.#document = document;
  }

  /** 1-based number of the page with this object number. */
  ofPage(object: number | undefined): number | undefined {
    if (this.#pages === undefined) this.#read();
    return object === undefined ? undefined : this.#pages?.get(object);
  }

  /** 1-based number of the page with this object among its annotations. */
  ofAnnotation(object: number | undefined): number | undefined {
    if (this.#annotations === undefined) this.#read();
    return object === undefined ? undefined : this.#annotations?.get(object);
  }

  /** The page object whose annotation list is this object. */
  pageOfList(object: number): number | undefined {
    if (this.#pages === undefined) this.#read();
    return this.#lists.get(object);
  }

  /** Annotation objects, including widgets. */
  annotations(): Iterable<number> {
    if (this.#annotations === undefined) this.#read();
    return this.#annotations?.keys() ?? [];
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

  #read(): void {
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
      for (const entry of annotationsOf(this.#document, page)) {
        if (entry instanceof PdfReference && !annotations.has(entry.number)) annotations.set(entry.number, number);
      }
    }
    [this.#pages, this.#annotations, this.#lists] = [pages, annotations, lists];
  }
}

function annotationsOf(document: PdfDocument, page: Page): readonly PdfValue[] {
  const list = document.resolve(page.dictionary.get('Annots'));
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

/** True when a widget or annotation takes up room on its page (ISO 32000-2 §12.5.3). */
export function isVisible(document: PdfDocument, annotation: PdfDictionary): boolean {
  if (nameOf(document.resolve(annotation.get('Subtype'))) === 'Popup') return false;
  const rectangle = document.resolve(annotation.get('Rect'));
  const [left = 0, bottom = 0, right = 0, top = 0] = Array.isArray(rectangle)
    ? rectangle.map((corner) => numberOf(document.resolve(corner)) ?? 0)
    : [];
  const flags = numberOf(document.resolve(annotation.get('F'))) ?? 0;
  return left !== right && bottom !== top && (flags & (HIDDEN | NO_VIEW)) === 0;
}
