/**
 * Name trees and number trees (ISO 32000-2 §7.9.6, §7.9.7), compared by their entries: programs write the nodes anew, in
 * other objects and with other limits.
 */
import type { PdfDocument } from '../../reading/pdf-document.ts';
import { numberOf, PdfReference, PdfString, type PdfDictionary, type PdfValue } from '../../syntax/values.ts';
import { sameThrough, type Documents } from '../same-value.ts';

/** Maximum number of nodes and of entries of a tree to read. */
const MAX_NODES = 20_000;
const MAX_ENTRIES = 1_000_000;
const MAX_DEPTH = 64;

export type TreeKind = 'Names' | 'Nums';

/** The content of a tree. */
export interface TreeEntries {
  /** Values by key, in the order of the tree; the bytes of a name are Latin-1. */
  readonly entries: ReadonlyMap<string | number, PdfValue>;
  /** Objects of the nodes that were read, and of their lists. */
  readonly nodes: ReadonlySet<number>;
  /** Objects of the nodes that were passed over. */
  readonly passed: ReadonlySet<number>;
}

/** Keys in `Names` are strings and keys in `Nums` integers. */
function keyOf(document: PdfDocument, kind: TreeKind, value: PdfValue | undefined): string | number | undefined {
  const key = document.resolve(value);
  if (kind === 'Nums') return numberOf(key);
  return key instanceof PdfString ? key.plain.toString('latin1') : undefined;
}

class TreeReader implements TreeEntries {
  readonly entries = new Map<string | number, PdfValue>();
  readonly nodes = new Set<number>();
  readonly passed = new Set<number>();
  readonly #document: PdfDocument;
  readonly #kind: TreeKind;
  readonly #isPassed: (number: number) => boolean;
  #last: string | number | undefined;

  constructor(document: PdfDocument, kind: TreeKind, isPassed: (number: number) => boolean) {
    this.#document = document;
    this.#kind = kind;
    this.#isPassed = isPassed;
  }

  /** False for a tree in which programs may find different entries. */
  read(value: PdfValue, depth = 0): boolean {
    if (value instanceof PdfReference) {
      if (this.nodes.has(value.number) || this.nodes.size >= MAX_NODES) return false;
      if (this.#isPassed(value.number)) {
        this.passed.add(value.number);
        return true;
      }
      this.nodes.add(value.number);
    }
    const node = this.#document.resolve(value);
    if (node === null && depth === 0) return true;
    if (!(node instanceof Map) || depth > MAX_DEPTH) return false;
    this.#document.file.budget.spend(64);
    const before = this.#last;
    const [leaf, kids] = [this.#listOf(node, this.#kind), this.#listOf(node, 'Kids')];
    if (leaf === undefined || kids === undefined || !this.#readLeaf(leaf)) return false;
    return kids.every((kid) => this.read(kid, depth + 1)) && (depth === 0 || this.#fitsLimits(node, leaf, before));
  }

  /** The list at a key, empty where there is none; undefined for another value. */
  #listOf(node: PdfDictionary, key: string): readonly PdfValue[] | undefined {
    const value = node.get(key);
    if (value instanceof PdfReference) this.nodes.add(value.number);
    const list = this.#document.resolve(value);
    if (list === null) return [];
    return Array.isArray(list) ? list : undefined;
  }

  #readLeaf(list: readonly PdfValue[]): boolean {
    if (this.entries.size + list.length / 2 > MAX_ENTRIES) return false;
    for (let index = 0; index < list.length; index += 2) {
      const key = keyOf(this.#document, this.#kind, list[index]);
      // Programs search the keys by their order.
      if (key === undefined || key <= (this.#last ?? -Infinity)) return false;
      this.#last = key;
      this.entries.set(key, list[index + 1] ?? null);
    }
    return true;
  }

  /** True when the limits of a node include its keys, so that programs find all of them (Table 36). */
  #fitsLimits(node: PdfDictionary, leaf: readonly PdfValue[], before: string | number | undefined): boolean {
    const limits = this.#document.resolve(node.get('Limits'));
    if (limits === null || this.#last === before) return true;
    if (!Array.isArray(limits)) return false;
    // No key is within a limit that is none.
    const [lowest = NaN, highest = NaN] = limits.map((limit) => keyOf(this.#document, this.#kind, limit));
    const first = leaf.length === 0 ? lowest : (keyOf(this.#document, this.#kind, leaf[0]) ?? NaN);
    return lowest <= first && (this.#last ?? NaN) <= highest;
  }
}

/**
 * The entries of a tree; undefined when programs may find different entries. An absent tree has no entries.
 *
 * @param isPassed true for the objects of nodes that need not be read
 */
export function readTree(
  document: PdfDocument,
  kind: TreeKind,
  root: PdfValue | undefined,
  isPassed: (number: number) => boolean = () => false,
): TreeEntries | undefined {
  const reader = new TreeReader(document, kind, isPassed);
  return reader.read(root ?? null) ? reader : undefined;
}

/** True when the later tree has all entries of the earlier tree, equal through references, and no others. */
export function hasSameEntries(documents: Documents, then: TreeEntries, now: TreeEntries): boolean {
  if (then.entries.size !== now.entries.size) return false;
  for (const [key, value] of then.entries) {
    if (!now.entries.has(key) || !sameThrough(documents, value, now.entries.get(key))) return false;
  }
  return true;
}
