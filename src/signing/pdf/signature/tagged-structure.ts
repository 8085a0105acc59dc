/**
 * The structure of a tagged PDF (ISO 32000-2 §14.7): each new widget gets a Form element and each stamp an Annot
 * element, so that a PDF/UA keeps its conformance (ISO 14289-1 §7.18.1, §7.18.4).
 */
import type { PdfDocument } from '../reading/pdf-document.ts';
import type { Page } from '../reading/page-tree.ts';
import { plainString } from '../syntax/serialize.ts';
import { encodeTextString } from '../syntax/text-string.ts';
import { nameOf, numberOf, PdfName, PdfReference } from '../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../syntax/values.ts';
import type { IncrementalUpdate } from '../writing/incremental-update.ts';

/** Maximum number of levels of a number tree. */
const MAX_DEPTH = 32;
/** Maximum number of elements of the structure's root in which the document element is looked for. */
const MAX_KIDS = 64;

/**
 * The languages of descriptions where the document names none: descriptions of fields are English, and the text of a stamp
 * may be in any language (BCP 47, `und`).
 */
const LANGUAGES = { Form: 'en', Annot: 'und' } as const;

/** A dictionary and the object around it. */
interface Held {
  readonly dictionary: PdfDictionary;
  readonly holder: number | undefined;
}

/** True when the certification allows no change, not even an element for a document time stamp (DocMDP, P 1). */
function allowsNoChange(document: PdfDocument): boolean {
  const permissions = document.resolve(document.catalog.value.get('Perms'));
  const signature = permissions instanceof Map ? document.resolve(permissions.get('DocMDP')) : null;
  const references = signature instanceof Map ? document.resolve(signature.get('Reference')) : null;
  return (Array.isArray(references) ? references : []).some((entry) => {
    const reference = document.resolve(entry);
    const parameters = reference instanceof Map ? document.resolve(reference.get('TransformParams')) : null;
    return parameters instanceof Map && numberOf(document.resolve(parameters.get('P'))) === 1;
  });
}

/** Adds elements for annotations to the structure of a tagged document. */
export class TaggedStructure {
  readonly #update: IncrementalUpdate;
  readonly #root: Held;
  readonly #rootReference: PdfReference;
  #hasUntagged = false;

  /** True for a document that names its language (ISO 32000-2 §14.9.2). */
  readonly #hasLanguage: boolean;

  private constructor(update: IncrementalUpdate, root: Held, rootReference: PdfReference, hasLanguage: boolean) {
    this.#update = update;
    this.#root = root;
    this.#rootReference = rootReference;
    this.#hasLanguage = hasLanguage;
  }

  /**
   * The reason for a document without a usable structure, or with a certification that allows no change. A root inside the
   * catalog cannot be the parent of an element, and is no root that readers know (ISO 32000-2 Table 29).
   */
  static open(document: PdfDocument, update: IncrementalUpdate): TaggedStructure | 'certified' | 'no-structure' {
    const reference = document.catalog.value.get('StructTreeRoot');
    if (!(reference instanceof PdfReference)) return 'no-structure';
    if (allowsNoChange(document)) return 'certified';
    const { value, holder } = update.locate(reference);
    if (!(value instanceof Map)) return 'no-structure';
    return new TaggedStructure(update, { dictionary: value, holder }, reference, document.catalog.value.has('Lang'));
  }

  /**
   * Adds an element for an annotation, and gives its page the tab order of the structure where the page has none.
   *
   * @param description text about the annotation for screen readers
   * @returns the annotation's `StructParent`; undefined where the structure has no tree of parents
   */
  tag(kind: 'Form' | 'Annot', annotation: PdfReference, page: Page, description: string): number | undefined {
    const leaf = this.#lastLeaf();
    if (leaf === undefined) {
      this.#hasUntagged = true;
      return undefined;
    }
    const key = this.#nextKey(leaf.keys);
    const parent = this.#parent();
    const onPage: readonly (readonly [string, PdfValue])[] =
      page.reference === undefined ? [] : [['Pg', page.reference]];
    const content = new Map<string, PdfValue>([['Type', new PdfName('OBJR')], ['Obj', annotation], ...onPage]);
    const namespace = parent.dictionary.get('NS');
    const element = this.#update.create(
      new Map<string, PdfValue>([
        ['Type', new PdfName('StructElem')],
        ['S', new PdfName(kind)],
        ['P', parent.reference],
        ...onPage,
        ...(namespace === undefined ? [] : [['NS', namespace] as const]),
        ...(this.#hasLanguage ? [] : [['Lang', plainString(Buffer.from(LANGUAGES[kind]))] as const]),
        ['Alt', plainString(encodeTextString(description))],
        ['K', content],
      ]),
    );
    this.#append(parent, element);
    this.#addToParents(leaf, key, element);
    this.orderByStructure(page);
    return key;
  }

  /** True when an annotation could not be tagged. */
  get hasUntagged(): boolean {
    return this.#hasUntagged;
  }

  /** The document element, else the root: where programs put elements of their own. */
  #parent(): Held & { readonly reference: PdfReference } {
    const kids = this.#update.locate(this.#root.dictionary.get('K')).value;
    const first = this.#root.dictionary.get('K') ?? null;
    for (const kid of (Array.isArray(kids) ? kids : [first]).slice(0, MAX_KIDS)) {
      const { value, holder } = this.#update.locate(kid);
      if (!(kid instanceof PdfReference) || !(value instanceof Map)) continue;
      if (this.#isDocument(value.get('S'))) return { dictionary: value, holder, reference: kid };
    }
    return { ...this.#root, reference: this.#rootReference };
  }

  /** True for the type of a document, and for a type that stands for it (ISO 32000-2 §14.7.3), as Excel's `Workbook`. */
  #isDocument(type: PdfValue | undefined): boolean {
    const roles = this.#update.locate(this.#root.dictionary.get('RoleMap')).value;
    const name = nameOf(type);
    if (name === 'Document') return true;
    const mapped = name === undefined || !(roles instanceof Map) ? undefined : roles.get(name);
    return nameOf(this.#update.locate(mapped).value) === 'Document';
  }

  /** Appends to `K`, which is a list, a single kid, or missing (ISO 32000-2 Table 355). */
  #append({ dictionary, holder }: Held, element: PdfReference): void {
    const kids = dictionary.get('K');
    const { value } = this.#update.locate(kids, holder);
    const before = Array.isArray(value) ? value : kids === undefined ? [] : [kids];
    // The list is written into the element itself, because earlier signatures allow an element to grow.
    dictionary.set('K', [...before, element]);
    this.#update.markChanged(holder);
  }

  /** The last leaf of the tree of parents with the nodes above it, and the keys of the leaf. */
  #lastLeaf():
    | { readonly path: readonly Held[]; readonly numbers: readonly PdfValue[]; readonly keys: readonly number[] }
    | undefined {
    const path: Held[] = [];
    let value = this.#root.dictionary.get('ParentTree');
    let parent = this.#root.holder;
    for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
      const node = this.#update.locate(value, parent);
      if (!(node.value instanceof Map)) return undefined;
      path.push({ dictionary: node.value, holder: node.holder });
      const kids = this.#update.locate(node.value.get('Kids'), node.holder);
      if (Array.isArray(kids.value) && kids.value.length > 0) {
        [value, parent] = [kids.value.at(-1), kids.holder];
        continue;
      }
      const numbers = this.#update.locate(node.value.get('Nums'), node.holder).value;
      const list = Array.isArray(numbers) ? numbers : [];
      const keys = list.filter((_, index) => index % 2 === 0);
      return { path, numbers: list, keys: keys.flatMap((key) => numberOf(this.#update.locate(key).value) ?? []) };
    }
    return undefined;
  }

  /** The next key: after all keys of the tree, the last of which are in its last leaf. */
  #nextKey(keys: readonly number[]): number {
    const announced = numberOf(this.#update.locate(this.#root.dictionary.get('ParentTreeNextKey')).value) ?? 0;
    const key = keys.reduce((highest, one) => Math.max(highest, one + 1), announced);
    this.#root.dictionary.set('ParentTreeNextKey', key + 1);
    this.#update.markChanged(this.#root.holder);
    return key;
  }

  #addToParents(
    { path, numbers }: { readonly path: readonly Held[]; readonly numbers: readonly PdfValue[] },
    key: number,
    element: PdfReference,
  ): void {
    const leaf = path.at(-1);
    leaf?.dictionary.set('Nums', [...numbers, key, element]);
    this.#update.markChanged(leaf?.holder);
    for (const { dictionary, holder } of path) {
      const limits = this.#update.locate(dictionary.get('Limits'), holder).value;
      if (!Array.isArray(limits) || limits.length !== 2) continue;
      dictionary.set('Limits', [limits[0] ?? 0, key]);
      this.#update.markChanged(holder);
    }
  }

  /** Gives a page with annotations the tab order of the structure where it has none (ISO 14289-1 §7.18.3). */
  orderByStructure({ dictionary, holder }: Page): void {
    if (dictionary.has('Tabs')) return;
    dictionary.set('Tabs', new PdfName('S'));
    this.#update.markChanged(holder);
  }
}
