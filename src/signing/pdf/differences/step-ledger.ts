/** Records the comparison of a revision with the next: explained objects, and changes. */
import type { PdfDocument } from '../reading/pdf-document.ts';
import { nameOf, PdfReference, PdfStream } from '../syntax/values.ts';
import type { PdfValue } from '../syntax/values.ts';
import { CHANGE_SENTENCES } from './change-sentences.ts';
import { PDF_CHANGE_CODES } from './pdf-facts.ts';
import type { PdfChange, PdfChangeCode } from './pdf-facts.ts';
import type { PageNumbers } from './page-numbers.ts';
import type { MovedObjects } from './object-places.ts';
import { readObject, siteName } from './reference-index.ts';
import type { ReferenceSite } from './reference-index.ts';
import type { RevisionView } from './revisions.ts';

/** A comparison of two neighbouring revisions. */
export interface Step {
  readonly before: RevisionView;
  readonly after: RevisionView;
  /** Page numbers of the last revision. */
  readonly pages: PageNumbers;
  readonly moved: MovedObjects;
  readonly ledger: StepLedger;
}

export interface ChangeDetails {
  readonly objectNumber?: number | undefined;
  readonly fieldName?: string | undefined;
  readonly page?: number | undefined;
}

/** Deepest level of an object's parts to follow. */
const MAX_DEPTH = 24;
/** Maximum number of unmoved objects that a claim follows in a row. */
const MAX_UNMOVED_DEPTH = 4;
/** Keys of references back to the owner of a value. */
const UPWARD = new Set(['P', 'Parent', 'Popup', 'IRT', 'Dest', 'StructParent']);

/** Types of dictionaries with rules of their own. */
const STRUCTURAL = new Set(['Catalog', 'Pages', 'Page', 'ObjStm', 'XRef']);

export class StepLedger {
  #changes: PdfChange[] = [];
  readonly #revision: number;
  readonly #moved: MovedObjects;
  /** Objects whose own rule explained all moved parts. */
  readonly #settled = new Set<number>();
  /** Objects explained by their place; these must not be used in another place. */
  readonly #claimed = new Set<number>();
  readonly #sites = new Map<number, Set<string>>();
  readonly #anchors = new Set<number>();

  constructor(revision: number, moved: MovedObjects) {
    this.#revision = revision;
    this.#moved = moved;
  }

  get changes(): readonly PdfChange[] {
    return this.#changes;
  }

  /** Takes back all changes of a code that turned out to be part of another change. */
  withdraw(code: PdfChangeCode): void {
    this.#changes = this.#changes.filter((change) => change.code !== code);
  }

  add(code: PdfChangeCode, details: ChangeDetails = {}): void {
    const { objectNumber, fieldName, page } = details;
    const isPlain = objectNumber === undefined && fieldName === undefined && page === undefined;
    if (isPlain && this.#changes.some((change) => change.code === code && change.objectNumber === undefined)) return;
    this.#changes.push({
      revision: this.#revision,
      level: PDF_CHANGE_CODES[code],
      code,
      sentence: CHANGE_SENTENCES[code],
      objectNumber,
      fieldName,
      page,
    });
  }

  settle(number: number | undefined): void {
    if (number !== undefined) this.#settled.add(number);
  }

  isSettled(number: number): boolean {
    return this.#settled.has(number);
  }

  /** Registers an object with a rule of its own above possibly moved parts; the object must have no other use. */
  anchor(number: number | undefined): void {
    if (number !== undefined) this.#anchors.add(number);
  }

  get anchors(): ReadonlySet<number> {
    return this.#anchors;
  }

  /** Claimed objects that moved or lead to a moved object, with the places of the claims. */
  claimed(): readonly { readonly number: number; readonly sites: ReadonlySet<string> }[] {
    return [...this.#claimed].map((number) => ({ number, sites: this.#sites.get(number) ?? new Set() }));
  }

  /** True when the site was part of a claim. */
  isKnownSite(number: number, site: ReferenceSite): boolean {
    return this.#claimed.has(number) && (this.#sites.get(number)?.has(siteName(site)) ?? false);
  }

  /** Moved objects without an explanation so far. */
  unaccounted(): readonly number[] {
    return [...this.#moved.touched].filter((number) => !this.#settled.has(number) && !this.#claimed.has(number));
  }

  /**
   * Explains moved objects below `value` at `site`. Objects with rules of their own, and references back, are left out.
   *
   * @returns true when an object below moved
   */
  claim(document: PdfDocument, value: PdfValue | undefined, site: ReferenceSite): boolean {
    return this.#claim(document, value ?? null, site, { depth: 0, unmoved: 0, seen: new Set() });
  }

  /** Explains a list with an object of its own, without its elements. */
  claimList(document: PdfDocument, value: PdfValue | undefined, site: ReferenceSite): boolean {
    if (!(value instanceof PdfReference) || !Array.isArray(document.resolve(value))) return false;
    const sites = this.#sites.get(value.number) ?? new Set();
    this.#sites.set(value.number, sites.add(siteName(site)));
    const hasMoved = this.#moved.touched.has(value.number);
    if (hasMoved || this.#moved.added.has(value.number)) this.#claimed.add(value.number);
    return hasMoved;
  }

  #claim(
    document: PdfDocument,
    value: PdfValue,
    site: ReferenceSite,
    state: { readonly depth: number; readonly unmoved: number; readonly seen: Set<number> },
  ): boolean {
    if (value instanceof PdfReference) return this.#claimObject(document, value.number, site, state);
    if (value instanceof PdfStream) return this.#claim(document, value.dictionary, site, state);
    let moved = false;
    const below = (key: string | number, item: PdfValue): void => {
      const inner = { holder: site.holder, path: `${site.path}/${key}` };
      if (this.#claim(document, item, inner, state)) moved = true;
    };
    if (Array.isArray(value)) for (const [index, item] of value.entries()) below(index, item);
    else if (value instanceof Map) for (const [key, item] of value) if (!UPWARD.has(key)) below(key, item);
    return moved;
  }

  #claimObject(
    document: PdfDocument,
    number: number,
    site: ReferenceSite,
    { depth, unmoved, seen }: { readonly depth: number; readonly unmoved: number; readonly seen: Set<number> },
  ): boolean {
    const hasMoved = this.#moved.touched.has(number);
    const isMoved = hasMoved || this.#moved.added.has(number);
    const sites = this.#sites.get(number) ?? new Set();
    this.#sites.set(number, sites.add(siteName(site)));
    if (isMoved) this.#claimed.add(number);
    if (seen.has(number) || this.#settled.has(number) || depth >= MAX_DEPTH) return hasMoved;
    if (!isMoved && unmoved >= MAX_UNMOVED_DEPTH) return false;
    seen.add(number);
    const value = readObject(document, number);
    if (value instanceof Map && STRUCTURAL.has(nameOf(value.get('Type')) ?? '')) {
      this.#claimed.delete(number);
      return false;
    }
    const state = { depth: depth + 1, unmoved: unmoved + (isMoved ? 0 : 1), seen };
    const leadsToMoved = this.#claim(document, value, { holder: number, path: '' }, state);
    if (leadsToMoved) this.#claimed.add(number);
    return leadsToMoved || hasMoved;
  }
}
