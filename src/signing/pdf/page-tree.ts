import { malformed, unsupported } from './pdf-error.ts';
import type { Located } from './pdf-document.ts';
import { PdfReference } from './values.ts';
import type { PdfDictionary, PdfValue } from './values.ts';

const MAX_DEPTH = 256;

/** A page, and the object it stands in; `reference` is absent for a page that is written into its parent. */
export interface Page {
  readonly dictionary: PdfDictionary;
  readonly holder: number | undefined;
  readonly reference: PdfReference | undefined;
}

type Locate = (value: PdfValue | undefined, holder?: number) => Located;

/** The first page in reading order (ISO 32000-2 §7.7.3), found by its first branch; dead branches are passed over. */
export function findFirstPage(catalog: PdfDictionary, locate: Locate): Page {
  const seen = new Set<number>();
  const visit = (node: PdfValue | undefined, parent: number | undefined, depth: number): Page | undefined => {
    if (depth > MAX_DEPTH) malformed(`its page tree is deeper than ${MAX_DEPTH} levels`);
    if (node instanceof PdfReference) {
      if (seen.has(node.number)) return undefined;
      seen.add(node.number);
    }
    const { value, holder } = locate(node, parent);
    if (!(value instanceof Map)) return undefined;
    const kids = locate(value.get('Kids'), holder);
    if (!Array.isArray(kids.value)) {
      return { dictionary: value, holder, reference: node instanceof PdfReference ? node : undefined };
    }
    for (const kid of kids.value) {
      const page = visit(kid, kids.holder, depth + 1);
      if (page !== undefined) return page;
    }
    return undefined;
  };
  const page = visit(catalog.get('Pages'), undefined, 0);
  if (page === undefined) unsupported('The PDF has no pages, so there is no place for a signature.');
  return page;
}
