/**
 * Rules for the structure tree of tagged PDFs (ISO 32000-2 §14.7): a program that adds a field or an annotation adds an
 * element too. Elements may be added when annotations are their only content; existing elements stay unchanged.
 */
import type { PdfDocument } from '../reading/pdf-document.ts';
import { nameOf, numberOf, PdfReference } from '../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../syntax/values.ts';
import { differentKeys, sameValue } from './same-value.ts';
import { readObject } from './reference-index.ts';
import type { Step } from './step-ledger.ts';

/** Maximum depth of nested elements, from the root or from an added element. */
const MAX_DEPTH = 128;
const MAX_ADDED_DEPTH = 16;
/** Maximum number of nodes of a parent tree to read. */
const MAX_NODES = 20_000;

type Dictionary = PdfDictionary;

const mapOf = (value: PdfValue | undefined): Dictionary | undefined => (value instanceof Map ? value : undefined);

function listOf(document: PdfDocument, value: PdfValue | undefined): readonly PdfValue[] {
  const resolved = document.resolve(value);
  if (resolved === null) return [];
  return Array.isArray(resolved) ? resolved : [value ?? null];
}

/**
 * The elements added in `after`, when `after` has all elements of `before` in the same order; undefined when an element
 * is missing.
 */
function addedTo(before: readonly PdfValue[], after: readonly PdfValue[]): readonly PdfValue[] | undefined {
  const added: PdfValue[] = [];
  let next = 0;
  for (const value of after) {
    if (next < before.length && sameValue(before[next], value)) next += 1;
    else added.push(value);
  }
  return next === before.length ? added : undefined;
}

/** True for a new element with annotations as its only content, without marked content of a page. */
function isAddedElement({ after, moved }: Step, kid: PdfValue, depth = 0): boolean {
  const { document } = after;
  if (kid instanceof PdfReference && !moved.added.has(kid.number)) return false;
  const value = mapOf(document.resolve(kid));
  if (value === undefined || depth > MAX_ADDED_DEPTH) return false;
  const type = nameOf(document.resolve(value.get('Type')));
  if (type === 'OBJR') return mapOf(document.resolve(value.get('Obj')))?.has('Subtype') === true;
  if ((type ?? 'StructElem') !== 'StructElem' || nameOf(document.resolve(value.get('S'))) === undefined) return false;
  document.file.budget.spend(64);
  return listOf(document, value.get('K')).every((inner) => isAddedElement({ after, moved } as Step, inner, depth + 1));
}

function kidsGrew(step: Step, then: Dictionary, now: Dictionary): boolean {
  const { before, after } = step;
  const added = addedTo(listOf(before.document, then.get('K')), listOf(after.document, now.get('K')));
  return added?.every((kid) => isAddedElement(step, kid)) ?? false;
}

/** Keys and values in alternation (ISO 32000-2 §7.9.7); undefined for another form. */
function pairsOf(document: PdfDocument, value: PdfValue | undefined): ReadonlyMap<number, PdfValue> | undefined {
  const list = listOf(document, value);
  const pairs = new Map<number, PdfValue>();
  for (let index = 0; index < list.length; index += 2) {
    const key = numberOf(document.resolve(list[index]));
    if (key === undefined || pairs.has(key)) return undefined;
    pairs.set(key, list[index + 1] ?? null);
  }
  return pairs;
}

/** True when all new keys were free: from the next free key on, or, without a next key, after all keys of the node. */
function pairsGrew({ before, after }: Step, then: Dictionary, now: Dictionary, next: number | undefined): boolean {
  const old = pairsOf(before.document, then.get('Nums'));
  const current = pairsOf(after.document, now.get('Nums'));
  if (old === undefined || current === undefined) return false;
  for (const [key, value] of old) if (!sameValue(value, current.get(key))) return false;
  const from = next ?? [...old.keys()].reduce((highest, key) => Math.max(highest, key + 1), 0);
  // A page's content has a list of elements; an annotation has a single element.
  return [...current].every(([key, value]) => old.has(key) || (key >= from && value instanceof PdfReference));
}

function isAddedNode(step: Step, kid: PdfValue, next: number | undefined): boolean {
  if (!(kid instanceof PdfReference) || !step.moved.added.has(kid.number) || next === undefined) return false;
  const node = mapOf(step.after.document.resolve(kid));
  return node !== undefined && !node.has('Kids') && pairsGrew(step, new Map<string, PdfValue>(), node, next);
}

/** True when a node of the parent tree only got entries for annotations, or nodes with such entries. */
function nodeGrew(step: Step, then: Dictionary, now: Dictionary, next: number | undefined): boolean {
  const { before, after } = step;
  for (const key of differentKeys(then, now)) if (!['Nums', 'Kids', 'Limits'].includes(key)) return false;
  const added = addedTo(listOf(before.document, then.get('Kids')), listOf(after.document, now.get('Kids')));
  return (added?.every((kid) => isAddedNode(step, kid, next)) ?? false) && pairsGrew(step, then, now, next);
}

const rootOf = (document: PdfDocument): Dictionary | undefined =>
  mapOf(document.resolve(document.catalog.value.get('StructTreeRoot')));

const nextKeyOf = (document: PdfDocument): number | undefined =>
  numberOf(document.resolve(rootOf(document)?.get('ParentTreeNextKey')));

/** True when the root of the structure only got additions for fields and annotations. */
export function structureGrew(step: Step): boolean {
  const { before, after } = step;
  const [then, now] = [rootOf(before.document), rootOf(after.document)];
  if (then === undefined || now === undefined) return false;
  const [next, later] = [before, after].map(({ document }) => nextKeyOf(document));
  for (const key of differentKeys(then, now)) {
    const [old, current] = [mapOf(then.get(key)), mapOf(now.get(key))];
    switch (key) {
      case 'K':
        break;
      case 'ParentTreeNextKey':
        if (later === undefined || (next !== undefined && later < next)) return false;
        break;
      case 'ParentTree':
        if (old === undefined || current === undefined || !nodeGrew(step, old, current, next)) return false;
        break;
      default:
        return false;
    }
  }
  return kidsGrew(step, then, now);
}

/** Objects of the parent tree's nodes. */
function parentTreeNodes(document: PdfDocument): ReadonlySet<number> {
  const nodes = new Set<number>();
  const open: PdfValue[] = [rootOf(document)?.get('ParentTree') ?? null];
  for (let value = open.pop(); value !== undefined && nodes.size < MAX_NODES; value = open.pop()) {
    if (value instanceof PdfReference) {
      if (nodes.has(value.number)) continue;
      nodes.add(value.number);
    }
    const kids = document.resolve(mapOf(document.resolve(value))?.get('Kids'));
    if (Array.isArray(kids)) open.push(...kids.slice(0, MAX_NODES).filter((kid) => kid instanceof PdfReference));
  }
  return nodes;
}

/** True for an element of the structure: its parents lead to the root. */
function isElement(document: PdfDocument, element: Dictionary): boolean {
  const root = document.catalog.value.get('StructTreeRoot');
  let parent: Dictionary | undefined = element;
  for (let depth = 0; parent !== undefined && depth < MAX_DEPTH; depth += 1) {
    if (nameOf(document.resolve(parent.get('S'))) === undefined) return false;
    const above = parent.get('P');
    if (
      root instanceof PdfReference
        ? sameValue(above, root)
        : nameOf(mapOf(document.resolve(above))?.get('Type')) === 'StructTreeRoot'
    ) {
      return true;
    }
    parent = mapOf(document.resolve(above));
  }
  return false;
}

function elementGrew(step: Step, then: Dictionary, now: Dictionary): boolean {
  for (const key of differentKeys(then, now)) if (key !== 'K') return false;
  return isElement(step.before.document, then) && kidsGrew(step, then, now);
}

/** Explains additions to the structure tree; other changes remain for the report. */
export function compareStructures(step: Step): void {
  const { before, after, ledger } = step;
  const root = after.document.catalog.value.get('StructTreeRoot');
  const rest = ledger.unaccounted();
  if (rest.length === 0 || rootOf(before.document) === undefined) return;
  const nodes = parentTreeNodes(before.document);
  const next = nextKeyOf(before.document);
  const settle = (number: number): void => {
    ledger.settle(number);
    ledger.anchor(number);
    ledger.add('STRUCTURE_UPDATED');
  };
  for (const number of rest) {
    const [then, now] = [mapOf(readObject(before.document, number)), mapOf(readObject(after.document, number))];
    if (then === undefined || now === undefined) continue;
    const isRoot = root instanceof PdfReference && root.number === number;
    if (
      isRoot ? structureGrew(step) : nodes.has(number) ? nodeGrew(step, then, now, next) : elementGrew(step, then, now)
    ) {
      settle(number);
    }
  }
}
