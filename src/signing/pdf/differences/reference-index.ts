/**
 * An index of the references to objects: made once for the whole file, because a changed object may be used in several
 * places.
 */
import { SigningError } from '../../errors.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';
import { nameOf, PdfReference, PdfStream } from '../syntax/values.ts';
import type { PdfValue } from '../syntax/values.ts';
import { placeOf } from './object-places.ts';
import { possibleHolders, runsOf } from './possible-holders.ts';
import type { Revision } from './revisions.ts';

/** A reference inside an object; `path` names keys and positions: `/AP/N`, `/Annots/0`. */
export interface ReferenceSite {
  readonly holder: number;
  readonly path: string;
}

interface Edge extends ReferenceSite {
  /** The version of the holder, in the form of `placeOf`. */
  readonly place: string;
}

export const siteName = ({ holder, path }: ReferenceSite): string => `${holder}${path}`;

/** Above this number of references to an object, the object counts as used everywhere. */
const MAX_SITES = 1000;

/** Calls `visit` for each reference in a value, without following any. */
export function forEachReference(
  value: PdfValue,
  visit: (reference: PdfReference, path: string) => void,
  path = '',
): void {
  if (value instanceof PdfReference) visit(value, path);
  else if (value instanceof PdfStream) forEachReference(value.dictionary, visit, path);
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) forEachReference(item, visit, `${path}/${index}`);
  else if (value instanceof Map) for (const [key, item] of value) forEachReference(item, visit, `${path}/${key}`);
}

/** True for errors of the object itself. An exceeded work budget is not caught. */
const isDamage = (document: PdfDocument, error: unknown): boolean =>
  error instanceof SigningError && !document.file.budget.exhausted;

/** The object, or null for an unreadable object. */
export function readObject(document: PdfDocument, number: number): PdfValue {
  try {
    return document.resolve(new PdfReference(number, document.generationOf(number)));
  } catch (error) {
    if (!isDamage(document, error)) throw error;
    return null;
  }
}

/** The trailer's place among reference sites, because the trailer is not an object. */
export const TRAILER = -1;

/** Entries of a trailer or cross-reference stream about the whole document (ISO 32000-2 Table 15). */
const isTrailerPath = (path: string): boolean => ['/Root', '/Info', '/Encrypt'].includes(path);

export class ReferenceIndex {
  readonly #edges = new Map<number, Edge[]>();
  readonly #trailers = new WeakMap<PdfDocument, ReadonlyMap<number, readonly ReferenceSite[]>>();

  /**
   * Searches every object of the first view, and the objects of later revisions. Only objects that may refer to a target
   * are read.
   *
   * @param targets only references to these are kept
   */
  constructor(
    views: readonly { readonly revision: Revision; readonly document: PdfDocument }[],
    earlier: readonly Revision[],
    targets: ReadonlySet<number>,
  ) {
    for (const number of targets) this.#edges.set(number, []);
    const [first] = views;
    if (first === undefined) return;
    this.#read(first.document, earlier, targets);
    for (const { document, revision } of views.slice(1)) this.#read(document, [revision], targets);
  }

  #read(document: PdfDocument, revisions: readonly Revision[], targets: ReadonlySet<number>): void {
    for (const number of possibleHolders(document, runsOf(revisions), targets)) {
      const place = placeOf(document, number);
      if (place === undefined) continue;
      const value = readObject(document, number);
      // A cross-reference stream repeats the trailer. Programs keep old streams that no section names any more.
      const isTrailer = value instanceof PdfStream && nameOf(value.dictionary.get('Type')) === 'XRef';
      forEachReference(value, (reference, path) => {
        if (isTrailer && isTrailerPath(path)) return;
        const edges = this.#edges.get(reference.number);
        if (edges !== undefined && edges.length <= MAX_SITES) edges.push({ holder: number, path, place });
      });
    }
  }

  /** References to the object in this view; `undefined` above the limit. */
  sitesOf(document: PdfDocument, number: number): readonly ReferenceSite[] | undefined {
    const edges = this.#edges.get(number) ?? [];
    if (edges.length > MAX_SITES) return undefined;
    const inTrailer = this.#trailerSites(document).get(number) ?? [];
    return [...inTrailer, ...edges.filter(({ holder, place }) => placeOf(document, holder) === place)];
  }

  #trailerSites(document: PdfDocument): ReadonlyMap<number, readonly ReferenceSite[]> {
    const kept = this.#trailers.get(document);
    if (kept !== undefined) return kept;
    const sites = new Map<number, ReferenceSite[]>();
    forEachReference(document.trailer, ({ number }, path) => {
      // `/AdditionalStreams` has its own rule, because a broken reference there may lead to unrelated objects.
      if (path.startsWith('/AdditionalStreams/')) return;
      sites.set(number, [...(sites.get(number) ?? []).slice(0, MAX_SITES), { holder: TRAILER, path }]);
    });
    this.#trailers.set(document, sites);
    return sites;
  }
}
