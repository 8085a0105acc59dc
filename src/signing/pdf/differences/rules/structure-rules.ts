/**
 * Rules for the structure tree of tagged PDFs (ISO 32000-2 §14.7): a program that adds a field or an annotation adds an
 * element too. Elements may be added when annotations are their only content. An element of this kind may also change
 * or go, with its annotation. All other elements stay unchanged.
 */
import type { PdfDocument } from '../../reading/pdf-document.ts';
import { nameOf, numberOf, PdfReference } from '../../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../../syntax/values.ts';
import { differentKeys, documentsOf, sameThrough, sameValue } from '../same-value.ts';
import { readObject } from '../reference-index.ts';
import type { Step } from '../step-ledger.ts';
import { changeableEntry } from './changeable-entries.ts';
import { readTree, type TreeEntries } from './tree-entries.ts';

/** Maximum depth of nested elements, from the root or from an element with annotations. */
const MAX_DEPTH = 128;
const MAX_INNER_DEPTH = 16;

/**
 * The effect of a change on the structure, the least first: `grew` for added elements of annotations, `annotations` for
 * changed or removed ones, and `other` for a change that no rule allows.
 */
const EFFECTS = ['grew', 'annotations', 'other'] as const;
type Effect = (typeof EFFECTS)[number];

const worstOf = (effects: Iterable<Effect>): Effect =>
  [...effects].reduce((worst, one) => (EFFECTS.indexOf(one) > EFFECTS.indexOf(worst) ? one : worst), 'grew');

export const mapOf = (value: PdfValue | undefined): PdfDictionary | undefined =>
  value instanceof Map ? value : undefined;

export const rootOf = (document: PdfDocument): PdfDictionary | undefined =>
  mapOf(document.resolve(document.catalog.value.get('StructTreeRoot')));

/** `K`: a list, a single kid, or none (ISO 32000-2 Table 355). */
export function listOf(document: PdfDocument, value: PdfValue | undefined): readonly PdfValue[] {
  const resolved = document.resolve(value);
  if (resolved === null) return [];
  return Array.isArray(resolved) ? resolved : [value ?? null];
}

/** Names a kid for the comparison of two lists: elements by their object, content by what it refers to. */
function nameOfKid(document: PdfDocument, kid: PdfValue): string {
  const value = document.resolve(kid);
  const number = numberOf(value);
  if (number !== undefined) return `content ${number}`;
  const type = value instanceof Map ? nameOf(document.resolve(value.get('Type'))) : undefined;
  if (value instanceof Map && (type === 'MCR' || type === 'OBJR')) {
    return [...value.keys()]
      .toSorted()
      .map((key) => `${key} ${nameOfPart(document, value.get(key))}`)
      .join(', ');
  }
  return kid instanceof PdfReference ? `element ${kid.number}` : 'unknown';
}

const nameOfPart = (document: PdfDocument, value: PdfValue | undefined): string =>
  value instanceof PdfReference
    ? `${value.number} ${value.generation}`
    : (nameOf(value) ?? String(numberOf(document.resolve(value)) ?? 'unknown'));

interface Difference {
  readonly added: readonly PdfValue[];
  readonly removed: readonly PdfValue[];
}

/** The kids that were added and removed; undefined when the other kids changed their order. */
function differenceOf(
  before: readonly PdfValue[],
  after: readonly PdfValue[],
  names: { readonly before: (kid: PdfValue) => string; readonly after: (kid: PdfValue) => string },
): Difference | undefined {
  const [old, current] = [before.map(names.before), after.map(names.after)];
  const [earlier, later] = [new Set(old), new Set(current)];
  const added = after.filter((_, index) => !earlier.has(current[index] ?? ''));
  const removed = before.filter((_, index) => !later.has(old[index] ?? ''));
  const [keptThen, keptNow] = [old.filter((name) => later.has(name)), current.filter((name) => earlier.has(name))];
  const isOrdered = keptThen.length === keptNow.length && keptThen.every((name, index) => name === keptNow[index]);
  return isOrdered && !old.includes('unknown') && !current.includes('unknown') ? { added, removed } : undefined;
}

/** Entries with words that programs read aloud instead of the content (ISO 32000-2 §14.9.3 to §14.9.5). */
export const SPOKEN = ['ActualText', 'Alt', 'E'] as const;

/**
 * True for an element with annotations as its only content, without marked content of a page. An element with words of
 * its own has an annotation: otherwise the words would be added to the document itself.
 */
function holdsAnnotations(
  document: PdfDocument,
  kid: PdfValue,
  isAllowed: (number: number) => boolean,
  depth = 0,
): boolean {
  if (kid instanceof PdfReference && !isAllowed(kid.number)) return false;
  const value = mapOf(document.resolve(kid));
  if (value === undefined || depth > MAX_INNER_DEPTH) return false;
  const type = nameOf(document.resolve(value.get('Type')));
  if (type === 'OBJR') return mapOf(document.resolve(value.get('Obj')))?.has('Subtype') === true;
  if ((type ?? 'StructElem') !== 'StructElem' || nameOf(document.resolve(value.get('S'))) === undefined) return false;
  document.file.budget.spend(64);
  if (SPOKEN.some((key) => value.has(key)) && !hasAnnotation(document, kid)) return false;
  return listOf(document, value.get('K')).every((inner) => holdsAnnotations(document, inner, isAllowed, depth + 1));
}

const isAddedElement = ({ after, moved }: Step, kid: PdfValue): boolean =>
  holdsAnnotations(after.document, kid, (number) => moved.added.has(number));

/** True for an element of the earlier revision with annotations below, and with nothing else. */
const isAnnotationElement = ({ before }: Step, kid: PdfValue): boolean =>
  holdsAnnotations(before.document, kid, () => true) && hasAnnotation(before.document, kid);

function hasAnnotation(document: PdfDocument, kid: PdfValue, depth = 0): boolean {
  const value = mapOf(document.resolve(kid));
  if (value === undefined || depth > MAX_INNER_DEPTH) return false;
  if (nameOf(document.resolve(value.get('Type'))) === 'OBJR') return true;
  return listOf(document, value.get('K')).some((inner) => hasAnnotation(document, inner, depth + 1));
}

/**
 * True for a kid of an element that is no element: `S` is required (ISO 32000-2 Table 355), so programs leave such a kid
 * out when they write the structure.
 */
function isNoElement(document: PdfDocument, kid: PdfValue): boolean {
  const value = document.resolve(kid);
  if (value === null) return true;
  return value instanceof Map && !['S', 'MCID', 'Obj', 'Type'].some((key) => value.has(key));
}

const WRAPPER_KEYS = new Set(['Type', 'S', 'P', 'K', 'NS']);

/** The role of an element: its type, or the standard type that the types of the document stand for (§14.7.3). */
function roleOf(document: PdfDocument, element: PdfDictionary): string | undefined {
  const roles = mapOf(document.resolve(rootOf(document)?.get('RoleMap')));
  let role = nameOf(document.resolve(element.get('S')));
  for (let depth = 0; role !== undefined && role !== 'Document' && depth < MAX_INNER_DEPTH; depth += 1) {
    const mapped = nameOf(document.resolve(roles?.get(role)));
    if (mapped === undefined) break;
    role = mapped;
  }
  return role;
}

/**
 * True for an element below the root that tells no more than that the document begins here. Programs put such an element
 * around the kids of the root, or replace one by another.
 */
function isWrapper(document: PdfDocument, kid: PdfValue | undefined): kid is PdfReference {
  const element = kid instanceof PdfReference ? mapOf(document.resolve(kid)) : undefined;
  return (
    element !== undefined &&
    roleOf(document, element) === 'Document' &&
    sameValue(element.get('P'), document.catalog.value.get('StructTreeRoot')) &&
    [...element.keys()].every((key) => WRAPPER_KEYS.has(key))
  );
}

/** The kids of the root, and of its wrappers. */
const unwrappedKids = (document: PdfDocument, value: PdfValue | undefined): PdfValue[] =>
  listOf(document, value).flatMap((kid) =>
    isWrapper(document, kid) ? listOf(document, mapOf(document.resolve(kid))?.get('K')) : [kid],
  );

/** The kids of the root, which programs wrap. */
function rootKidsEffect(step: Step, then: PdfValue | undefined, now: PdfValue | undefined): Effect {
  const { before, after } = documentsOf(step);
  const direct = kidsEffect(step, then, now);
  return direct === 'other' ? kidsEffect(step, unwrappedKids(before, then), unwrappedKids(after, now)) : direct;
}

function kidsEffect(step: Step, then: PdfValue | undefined, now: PdfValue | undefined): Effect {
  const { before, after } = documentsOf(step);
  const [old, current] = [listOf(before, then), listOf(after, now)];
  // Elements are mostly references: kids are read only where references alone do not explain the lists.
  const byReference = (kid: PdfValue): string =>
    kid instanceof PdfReference ? `element ${kid.number}` : nameOfKid(before, kid);
  const quick = differenceOf(old, current, {
    before: byReference,
    after: (kid) => (kid instanceof PdfReference ? byReference(kid) : nameOfKid(after, kid)),
  });
  const difference =
    quick?.removed.length === 0
      ? quick
      : differenceOf(old, current, {
          before: (kid) => nameOfKid(before, kid),
          after: (kid) => nameOfKid(after, kid),
        });
  if (difference === undefined || !difference.added.every((kid) => isAddedElement(step, kid))) return 'other';
  const removed = difference.removed.filter((kid) => !isNoElement(before, kid));
  if (removed.length === 0) return 'grew';
  return removed.every((kid) => isAnnotationElement(step, kid)) ? 'annotations' : 'other';
}

const nextKeyOf = (document: PdfDocument): number | undefined =>
  numberOf(document.resolve(rootOf(document)?.get('ParentTreeNextKey')));

/** The parents of a page's content are a list of elements, and the parent of an annotation is one element. */
function sameParents(step: Step, then: PdfValue, now: PdfValue): boolean {
  if (sameValue(then, now)) return true;
  const { before, after } = documentsOf(step);
  const [old, current] = [before.resolve(then), after.resolve(now)];
  return Array.isArray(old) && Array.isArray(current) && sameValue([...old], [...current]);
}

/** True for the entry of an annotation with a new element, or for the list of a page without content. */
function isAddedParent(step: Step, value: PdfValue): boolean {
  const { document } = step.after;
  const parents = document.resolve(value);
  if (Array.isArray(parents)) return parents.every((parent) => document.resolve(parent) === null);
  return value instanceof PdfReference && isAddedElement(step, value);
}

/**
 * Compares the entries of the parent tree. A new key had no entry; iText also takes keys below the next key of the root
 * (ISO 32000-2 Table 354).
 */
function parentsEffect(step: Step, then: TreeEntries, now: TreeEntries): Effect {
  const effects: Effect[] = [];
  for (const [key, value] of then.entries) {
    const current = now.entries.get(key);
    if (current !== undefined && sameParents(step, value, current)) continue;
    const isReplaced =
      current === undefined || isAddedParent(step, current) || step.after.document.resolve(current) === null;
    if (isReplaced && isNoElement(step.before.document, value)) continue;
    effects.push(isReplaced && isAnnotationElement(step, value) ? 'annotations' : 'other');
  }
  for (const [key, value] of now.entries) {
    if (!then.entries.has(key)) effects.push(isAddedParent(step, value) ? 'grew' : 'other');
  }
  return worstOf(effects);
}

/** The trees below the root: their effects, and the objects of their nodes. */
interface Trees {
  readonly effect: Effect;
  readonly nodes: ReadonlySet<number>;
}

function readBoth(
  step: Step,
  kind: 'Names' | 'Nums',
  key: string,
  isPassed: (number: number) => boolean,
): readonly [TreeEntries, TreeEntries] | undefined {
  const [then, now] = [step.before, step.after].map(({ document }) =>
    readTree(document, kind, rootOf(document)?.get(key), isPassed),
  );
  return then === undefined || now === undefined ? undefined : [then, now];
}

const sameNumbers = (one: ReadonlySet<number>, other: ReadonlySet<number>): boolean =>
  one.size === other.size && [...one].every((number) => other.has(number));

/** Compares the parent tree; unmoved nodes are passed over where all moved nodes are found without them. */
function compareParentTrees(step: Step): Trees {
  const { moved, ledger } = step;
  const isUnmoved = (number: number): boolean => !moved.touched.has(number) && !moved.added.has(number);
  const quick = readBoth(step, 'Nums', 'ParentTree', isUnmoved);
  const isQuickEnough =
    quick !== undefined &&
    nextKeyOf(step.before.document) !== undefined &&
    sameNumbers(quick[0].passed, quick[1].passed) &&
    ledger.unaccounted().every((number) => {
      const value = mapOf(readObject(step.before.document, number));
      return quick[0].nodes.has(number) || value === undefined || !(value.has('Nums') || value.has('Kids'));
    });
  const both = isQuickEnough ? quick : readBoth(step, 'Nums', 'ParentTree', () => false);
  if (both === undefined) return { effect: 'other', nodes: new Set() };
  return { effect: parentsEffect(step, ...both), nodes: new Set([...both[0].nodes, ...both[1].nodes]) };
}

/** Identifiers of elements: new ones name new elements (ISO 32000-2 Table 354). */
function compareIdentifiers(step: Step): Trees {
  const both = readBoth(step, 'Names', 'IDTree', () => false);
  if (both === undefined) return { effect: 'other', nodes: new Set() };
  const [then, now] = both;
  const isKept = [...then.entries].every(([key, value]) => sameValue(value, now.entries.get(key)));
  const isAdded = [...now.entries].every(([key, value]) => then.entries.has(key) || isAddedElement(step, value));
  return { effect: isKept && isAdded ? 'grew' : 'other', nodes: new Set([...then.nodes, ...now.nodes]) };
}

/** Namespaces may be added when they map no roles (ISO 32000-2 Table 356). */
function namespacesEffect(step: Step, then: PdfValue | undefined, now: PdfValue | undefined): Effect {
  const { before, after } = documentsOf(step);
  const [old, current] = [listOf(before, then), listOf(after, now)];
  const isKept = old.every((namespace, index) => sameThrough(documentsOf(step), namespace, current[index]));
  const isPlain = (value: PdfValue): boolean => {
    const namespace = mapOf(after.resolve(value));
    return namespace !== undefined && [...namespace.keys()].every((key) => key === 'Type' || key === 'NS');
  };
  return isKept && current.slice(old.length).every(isPlain) ? 'grew' : 'other';
}

const isEmptyDictionary = (document: PdfDocument, value: PdfValue | undefined): boolean =>
  mapOf(document.resolve(value))?.size === 0;

/** The effects on the structure's root and its trees, each computed once. */
class StructureComparison {
  readonly #step: Step;
  #parents: Trees | undefined;
  #identifiers: Trees | undefined;

  constructor(step: Step) {
    this.#step = step;
  }

  get parents(): Trees {
    this.#parents ??= compareParentTrees(this.#step);
    return this.#parents;
  }

  get identifiers(): Trees {
    this.#identifiers ??= compareIdentifiers(this.#step);
    return this.#identifiers;
  }

  /** The effect of all differences of the root. */
  rootEffect(): Effect {
    const { before, after } = this.#step;
    const [then, now] = [rootOf(before.document), rootOf(after.document)];
    if (then === undefined || now === undefined) return 'other';
    return worstOf([...differentKeys(then, now)].map((key) => this.#entryEffect(key, then.get(key), now.get(key))));
  }

  #entryEffect(key: string, then: PdfValue | undefined, now: PdfValue | undefined): Effect {
    const step = this.#step;
    const entry = changeableEntry('structureRoot', key);
    switch (entry) {
      case undefined:
        // Programs add a map of roles without roles.
        if (then === undefined && isEmptyDictionary(step.after.document, now)) return 'grew';
        return sameThrough(documentsOf(step), then, now, key) ? 'grew' : 'other';
      case 'K':
        return rootKidsEffect(step, then, now);
      case 'ParentTree':
        return this.parents.effect;
      case 'IDTree':
        return this.identifiers.effect;
      case 'Namespaces':
        return namespacesEffect(step, then, now);
      case 'ParentTreeNextKey': {
        const [next, later] = [step.before, step.after].map(({ document }) => nextKeyOf(document));
        return later !== undefined && later >= (next ?? 0) ? 'grew' : 'other';
      }
    }
  }

  /** The effect of a moved object; undefined for an object outside of the structure. */
  effectOf(number: number): Effect | undefined {
    const { before, after } = this.#step;
    const root = after.document.catalog.value.get('StructTreeRoot');
    if (root instanceof PdfReference && root.number === number) return this.rootEffect();
    const [then, now] = [readObject(before.document, number), readObject(after.document, number)];
    if (now === null && isWrapper(before.document, new PdfReference(number, before.document.generationOf(number)))) {
      return this.rootEffect();
    }
    if (then instanceof Map && now instanceof Map && then.has('S')) return elementEffect(this.#step, number, then, now);
    const isNode = [then, now].some(
      (value) =>
        Array.isArray(value) || (value instanceof Map && ['Nums', 'Names', 'Kids'].some((key) => value.has(key))),
    );
    if (!isNode) return undefined;
    if (this.parents.nodes.has(number)) return this.parents.effect;
    if (this.identifiers.nodes.has(number)) return this.identifiers.effect;
    return Array.isArray(then) && Array.isArray(now) ? listEffect(this.#step, number, then, now) : undefined;
  }
}

/** True when the structure's root got additions for fields and annotations, and nothing else. */
export const structureGrew = (step: Step): boolean => new StructureComparison(step).rootEffect() === 'grew';

/** True for a key of the parent tree that was free, and that leads to no element of the structure now. */
export function isUnusedKey({ before, after }: Step, value: PdfValue | undefined): boolean {
  const key = numberOf(after.document.resolve(value));
  const [then, now] = [before, after].map(({ document }) =>
    readTree(document, 'Nums', rootOf(document)?.get('ParentTree')),
  );
  if (key === undefined || rootOf(before.document) === undefined || then === undefined || now === undefined)
    return false;
  const parents = after.document.resolve(now.entries.get(key));
  return !then.entries.has(key) && (parents === null || Array.isArray(parents));
}

/** True for an element of the structure: its parents lead to the root. */
function isElement(document: PdfDocument, element: PdfDictionary): boolean {
  const root = document.catalog.value.get('StructTreeRoot');
  let parent: PdfDictionary | undefined = element;
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

/** True for the root of the structure and for an element that wraps its kids. */
const isTop = (document: PdfDocument, parent: PdfValue | undefined): boolean =>
  sameValue(parent, document.catalog.value.get('StructTreeRoot')) || isWrapper(document, parent);

/** Entries of an element that lead to other objects of the document: the same object has to stay there. */
const IDENTITIES = new Set(['P', 'Pg']);

function elementEffect(step: Step, number: number, then: PdfDictionary, now: PdfDictionary): Effect | undefined {
  const { before, after } = documentsOf(step);
  if (!isElement(before, then)) return undefined;
  const effects = [...differentKeys(then, now)].map((key): Effect => {
    if (changeableEntry('structureElement', key) === 'K') return kidsEffect(step, then.get(key), now.get(key));
    if (key === 'P') return isTop(before, then.get(key)) && isTop(after, now.get(key)) ? 'grew' : 'other';
    if (!IDENTITIES.has(key) && sameThrough(documentsOf(step), then.get(key), now.get(key), key)) return 'grew';
    const reference = new PdfReference(number, after.generationOf(number));
    const holdsOnly = isAnnotationElement(step, reference) && holdsAnnotations(after, reference, () => true);
    return holdsOnly && !IDENTITIES.has(key) ? 'annotations' : 'other';
  });
  return worstOf(effects);
}

/** The effect on a list of kids with an object of its own: its element is the parent of a kid in both lists. */
function listEffect(
  step: Step,
  number: number,
  then: readonly PdfValue[],
  now: readonly PdfValue[],
): Effect | undefined {
  const { before, after } = documentsOf(step);
  const [kid] = then;
  const parent = mapOf(before.resolve(kid))?.get('P');
  const isOwner = [before, after].every((document) => {
    const list = mapOf(document.resolve(parent))?.get('K');
    return list instanceof PdfReference && list.number === number;
  });
  const element = mapOf(before.resolve(parent));
  const isInStructure =
    element !== undefined &&
    (isElement(before, element) || sameValue(parent, before.catalog.value.get('StructTreeRoot')));
  return isOwner && isInStructure ? kidsEffect(step, [...then], [...now]) : undefined;
}

/** Explains additions to the structure tree; other changes remain for the report. */
export function compareStructures(step: Step): void {
  const { before, ledger, pages } = step;
  const rest = ledger.unaccounted();
  if (rest.length === 0 || rootOf(before.document) === undefined) return;
  const comparison = new StructureComparison(step);
  for (const number of rest) {
    const effect = comparison.effectOf(number);
    if (effect === undefined || effect === 'other') continue;
    ledger.settle(number);
    ledger.anchor(number);
    if (effect === 'grew') ledger.add('STRUCTURE_UPDATED');
    else ledger.add('ANNOTATION_CHANGED', { objectNumber: number, page: pageOfElement(step, number, pages) });
  }
}

/** The page of an element's annotations. */
function pageOfElement({ before }: Step, number: number, pages: Step['pages']): number | undefined {
  const element = mapOf(readObject(before.document, number));
  const page = element?.get('Pg');
  return pages.ofPage(page instanceof PdfReference ? page.number : undefined);
}
