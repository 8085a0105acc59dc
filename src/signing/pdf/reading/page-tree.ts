import { malformed, unsupported } from '../syntax/pdf-error.ts';
import type { Located } from './pdf-document.ts';
import { PdfReference } from '../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../syntax/values.ts';

const MAX_DEPTH = 256;
/** Inheritable attributes of a page (ISO 32000-2 Table 31). */
const INHERITABLE = ['MediaBox', 'CropBox', 'Rotate'] as const;

/** A page and its object; `reference` is absent for a page inside its parent. */
export interface Page {
  readonly dictionary: PdfDictionary;
  readonly holder: number | undefined;
  readonly reference: PdfReference | undefined;
  /** `MediaBox`, `CropBox` and `Rotate`, its own or inherited, references followed. */
  readonly attributes: ReadonlyMap<string, PdfValue>;
}

type Locate = (value: PdfValue | undefined, holder?: number) => Located;

interface Node {
  readonly value: PdfValue | undefined;
  readonly parent: number | undefined;
  readonly depth: number;
  readonly attributes: ReadonlyMap<string, PdfValue>;
}

function attributesOf(
  dictionary: PdfDictionary,
  inherited: ReadonlyMap<string, PdfValue>,
  locate: Locate,
): ReadonlyMap<string, PdfValue> {
  const own = INHERITABLE.filter((key) => dictionary.has(key));
  if (own.length === 0) return inherited;
  return new Map([...inherited, ...own.map((key) => [key, locate(dictionary.get(key)).value] as const)]);
}

/**
 * The pages in reading order, or from the last to the first (ISO 32000-2 §7.7.3). Pages are read on demand; dead
 * branches and cycles are skipped.
 */
export function* walkPages(
  catalog: ReadonlyMap<string, PdfValue>,
  locate: Locate,
  direction: 'forward' | 'backward' = 'forward',
): Generator<Page> {
  const seen = new Set<number>();
  const stack: Node[] = [{ value: catalog.get('Pages'), parent: undefined, depth: 0, attributes: new Map() }];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.depth > MAX_DEPTH) malformed(`its page tree is deeper than ${MAX_DEPTH} levels`);
    if (node.value instanceof PdfReference) {
      if (seen.has(node.value.number)) continue;
      seen.add(node.value.number);
    }
    const { value, holder } = locate(node.value, node.parent);
    if (!(value instanceof Map)) continue;
    const attributes = attributesOf(value, node.attributes, locate);
    const kids = locate(value.get('Kids'), holder);
    if (!Array.isArray(kids.value)) {
      const reference = node.value instanceof PdfReference ? node.value : undefined;
      yield { dictionary: value, holder, reference, attributes };
      continue;
    }
    const below = { parent: kids.holder, depth: node.depth + 1, attributes };
    const ordered = direction === 'forward' ? kids.value.toReversed() : kids.value;
    for (const kid of ordered) stack.push({ value: kid, ...below });
  }
}

/** The first page in reading order. Throws `PDF_UNSUPPORTED` when there is none. */
export function findFirstPage(catalog: ReadonlyMap<string, PdfValue>, locate: Locate): Page {
  const [page] = walkPages(catalog, locate);
  if (page === undefined) unsupported('The PDF has no pages, so there is no place for a signature.');
  return page;
}
