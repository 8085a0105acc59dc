/** Finds the number of a page from below: through its parents, without reading the pages in front of it. */
import type { PdfDocument } from '../reading/pdf-document.ts';
import { countOf, PdfReference } from '../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../syntax/values.ts';
import { readObject } from './reference-index.ts';

/** Levels of the page tree. */
const MAX_DEPTH = 256;
/** Nodes whose lists are kept in memory. */
const KEPT_NODES = 64;

/**
 * Kids read to tell a list of pages from a list with nodes, because empty nodes can make the count equal the length.
 * Longer lists come from programs that make no nodes, and reading each kid would take time with the size of the document.
 */
const READ_KIDS = 64;

/** The list below a node of the page tree. */
interface Node {
  readonly kids: readonly PdfValue[];
  /** Object numbers of the kids; 0 for a kid inside the list. */
  readonly numbers: Uint32Array;
  /** Pages in front of each kid, as far as counted. */
  readonly before: number[];
  /** True when the kids are pages, each counted once. */
  readonly isFlat: boolean;
}

export class PageTreePaths {
  readonly #document: PdfDocument;
  readonly #nodes = new Map<number, Node | undefined>();

  constructor(document: PdfDocument) {
    this.#document = document;
  }

  /**
   * The 1-based number of the page with this object number. Undefined unless each parent lists its child, up to the
   * root. Pages below neighbours are counted by `Count`, as programs that show pages do (ISO 32000-2 Table 30).
   */
  numberOf(page: number): number | undefined {
    const root = this.#document.catalog.value.get('Pages');
    if (!(root instanceof PdfReference)) return undefined;
    let [child, total] = [page, 1];
    for (let depth = 0; depth < MAX_DEPTH && child !== root.number; depth += 1) {
      const value = readObject(this.#document, child);
      const parent = value instanceof Map ? value.get('Parent') : undefined;
      if (!(parent instanceof PdfReference)) return undefined;
      const before = this.#pagesBefore(parent.number, child);
      if (before === undefined) return undefined;
      total += before;
      child = parent.number;
    }
    return child === root.number && child !== page ? total : undefined;
  }

  #pagesBefore(parent: number, child: number): number | undefined {
    const node = this.#nodeOf(parent);
    const index = node?.numbers.indexOf(child) ?? -1;
    if (node === undefined || index < 0) return undefined;
    if (node.isFlat) return index;
    const { before, kids } = node;
    for (let next = before.length; next <= index; next += 1) {
      before.push((before[next - 1] ?? 0) + this.#pagesIn(kids[next - 1]));
    }
    return before[index];
  }

  /** Pages in a kid: one page, or a node with its own count. */
  #pagesIn(kid: PdfValue | undefined): number {
    const value = this.#document.resolve(kid);
    if (!(value instanceof Map)) return 0;
    return isNode(this.#document, value) ? (countOf(this.#document.resolve(value.get('Count'))) ?? 0) : 1;
  }

  #nodeOf(number: number): Node | undefined {
    if (this.#nodes.has(number)) return this.#nodes.get(number);
    const [oldest] = this.#nodes.keys();
    if (this.#nodes.size >= KEPT_NODES && oldest !== undefined) this.#nodes.delete(oldest);
    const node = this.#readNode(number);
    this.#nodes.set(number, node);
    return node;
  }

  #readNode(number: number): Node | undefined {
    const value = readObject(this.#document, number);
    const kids = value instanceof Map ? this.#document.resolve(value.get('Kids')) : null;
    if (!(value instanceof Map) || !Array.isArray(kids)) return undefined;
    const count = countOf(this.#document.resolve(value.get('Count')));
    const numbers = Uint32Array.from(kids, (kid) => (kid instanceof PdfReference ? kid.number : 0));
    const isNodeHere = (kid: PdfValue): boolean => {
      const below = this.#document.resolve(kid);
      return below instanceof Map && isNode(this.#document, below);
    };
    const isFlat = count === kids.length && !kids.slice(0, READ_KIDS).some(isNodeHere);
    return { kids, numbers, before: [], isFlat };
  }
}

const isNode = (document: PdfDocument, value: PdfDictionary): boolean =>
  Array.isArray(document.resolve(value.get('Kids')));
