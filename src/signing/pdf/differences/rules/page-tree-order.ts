/**
 * Compares page trees by their pages (ISO 32000-2 §7.7.3): the sequence of the page objects and the attributes that each
 * page inherits. Programs hang pages below other nodes. Only nodes on the way to a changed object are read.
 */
import type { PdfDocument } from '../../reading/pdf-document.ts';
import { countOf, PdfReference } from '../../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../../syntax/values.ts';
import { readObject } from '../reference-index.ts';
import { documentsOf, sameThrough } from '../same-value.ts';
import type { Step } from '../step-ledger.ts';

const MAX_DEPTH = 256;

/** Attributes that pages inherit from nodes (ISO 32000-2 Table 31). */
export const INHERITABLE = ['Resources', 'MediaBox', 'CropBox', 'Rotate'] as const;

type Attributes = ReadonlyMap<string, PdfValue>;

/** A page, or a node with all its pages that is the same object in both revisions. */
interface Part {
  readonly number: number;
  readonly pages: number;
  readonly isPage: boolean;
  readonly inherited: Attributes;
}

const isNode = (document: PdfDocument, value: PdfDictionary): boolean =>
  Array.isArray(document.resolve(value.get('Kids')));

const countPages = (document: PdfDocument, node: PdfDictionary): number | undefined =>
  countOf(document.resolve(node.get('Count')));

/** Moved objects, and the nodes above these objects by the entry `Parent`. */
function dirtyNumbers({ before, after, moved }: Step): ReadonlySet<number> {
  const dirty = new Set([...moved.touched, ...moved.added]);
  const starts = [...dirty];
  for (const { document } of [before, after]) {
    for (const start of starts) {
      const value = readObject(document, start);
      let parent = value instanceof Map && (value.has('Kids') || value.has('Type')) ? value.get('Parent') : undefined;
      for (let depth = 0; parent instanceof PdfReference && depth < MAX_DEPTH; depth += 1) {
        if (dirty.has(parent.number)) break;
        dirty.add(parent.number);
        const above = readObject(document, parent.number);
        parent = above instanceof Map ? above.get('Parent') : undefined;
      }
    }
  }
  return dirty;
}

/** Reads the changed part of a page tree. */
class TreeWalk {
  readonly parts: Part[] = [];
  /** Objects of the nodes that were read. */
  readonly nodes = new Set<number>();
  readonly #document: PdfDocument;
  readonly #dirty: ReadonlySet<number> | undefined;

  /** @param dirty nodes to read; undefined for all nodes */
  constructor(document: PdfDocument, dirty: ReadonlySet<number> | undefined) {
    this.#document = document;
    this.#dirty = dirty;
  }

  /** The number of pages below; undefined for a tree in which programs may count different pages. */
  read(): number | undefined {
    const root = this.#document.catalog.value.get('Pages');
    if (!(root instanceof PdfReference)) return undefined;
    return this.#readNode(root, new Map(), 0);
  }

  #readNode(reference: PdfReference, inherited: Attributes, depth: number): number | undefined {
    const node = this.#document.resolve(reference);
    if (!(node instanceof Map) || depth > MAX_DEPTH || this.nodes.has(reference.number)) return undefined;
    this.nodes.add(reference.number);
    const list = node.get('Kids');
    if (list instanceof PdfReference) this.nodes.add(list.number);
    const kids = this.#document.resolve(list);
    if (!Array.isArray(kids)) return undefined;
    const own = INHERITABLE.filter((key) => node.has(key));
    const below =
      own.length === 0
        ? inherited
        : new Map([...inherited, ...own.map((key) => [key, node.get(key) ?? null] as const)]);
    let total = 0;
    for (const kid of kids) {
      const pages = this.#readKid(kid, reference.number, below, depth);
      if (pages === undefined) return undefined;
      total += pages;
    }
    return countPages(this.#document, node) === total ? total : undefined;
  }

  #readKid(kid: PdfValue, parent: number, inherited: Attributes, depth: number): number | undefined {
    if (!(kid instanceof PdfReference)) return undefined;
    const value = this.#document.resolve(kid);
    if (!(value instanceof Map)) return undefined;
    const above = value.get('Parent');
    // Programs go down the tree. A wrong parent would lead programs that go up to other pages.
    if (above !== undefined && !(above instanceof PdfReference && above.number === parent)) return undefined;
    if (!isNode(this.#document, value)) {
      this.parts.push({ number: kid.number, pages: 1, isPage: true, inherited });
      return 1;
    }
    if (this.#dirty === undefined || this.#dirty.has(kid.number)) return this.#readNode(kid, inherited, depth + 1);
    const pages = countPages(this.#document, value);
    if (pages !== undefined) this.parts.push({ number: kid.number, pages, isPage: false, inherited });
    return pages;
  }
}

/** True when a page or node inherits the same attributes, apart from its own attributes. */
function inheritsSame(step: Step, then: Part, now: Part, equal: Map<Attributes, Attributes>): boolean {
  if (equal.get(then.inherited) === now.inherited) return true;
  const documents = documentsOf(step);
  const different = INHERITABLE.filter(
    (key) => !sameThrough(documents, then.inherited.get(key), now.inherited.get(key), key),
  );
  if (different.length === 0) {
    equal.set(then.inherited, now.inherited);
    return true;
  }
  // The rule of pages compares a page that changed, with what it inherits.
  if (now.isPage && step.moved.touched.has(now.number)) return true;
  const value = readObject(step.after.document, now.number);
  return value instanceof Map && different.every((key) => value.has(key));
}

/** The nodes of both trees that were read, when both trees show the same pages; undefined otherwise. */
function nodesOfSamePages(step: Step, dirty: ReadonlySet<number> | undefined): ReadonlySet<number> | undefined {
  const [then, now] = [step.before, step.after].map(({ document }) => new TreeWalk(document, dirty)) as [
    TreeWalk,
    TreeWalk,
  ];
  const total = then.read();
  if (total === undefined || total !== now.read() || then.parts.length !== now.parts.length) return undefined;
  const equal = new Map<Attributes, Attributes>();
  const isSame = then.parts.every((part, index) => {
    const other = now.parts[index];
    return (
      other !== undefined &&
      part.number === other.number &&
      part.isPage === other.isPage &&
      inheritsSame(step, part, other, equal)
    );
  });
  return isSame ? new Set([...then.nodes, ...now.nodes]) : undefined;
}

/**
 * The nodes of the page trees that a revision may have changed, when the same pages follow each other as before and
 * inherit the same attributes. Undefined when the pages differ, or when programs may find different pages.
 */
export function rehungNodes(step: Step): ReadonlySet<number> | undefined {
  if (!found.has(step)) {
    found.set(step, nodesOfSamePages(step, dirtyNumbers(step)) ?? nodesOfSamePages(step, undefined));
  }
  return found.get(step);
}

/** Answers by step, because several rules ask. */
const found = new WeakMap<Step, ReadonlySet<number> | undefined>();
