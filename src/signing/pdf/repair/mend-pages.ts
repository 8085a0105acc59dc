import { SigningError } from '../../errors.ts';
import type { IncrementalUpdate } from '../writing/incremental-update.ts';
import { walkPages } from '../reading/page-tree.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';
import {
  nameOf,
  PdfName,
  type PdfDictionary,
  type PdfValue,
  PdfReference,
  countOf,
  PdfStream,
} from '../syntax/values.ts';
import type { ScannedSection } from './rebuilt-section.ts';
import type { PdfFile } from '../reading/pdf-file.ts';
import { serialize } from '../syntax/serialize.ts';
import type { FoundObject, FoundStream, ScannedFile } from './scan-objects.ts';

type Dictionary = ReadonlyMap<string, PdfValue>;

/** Answers undefined for an unreadable file; exhausting the work budget still throws. */
function attempt<Value>(document: PdfDocument, read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof SigningError && !document.file.budget.exhausted) return undefined;
    throw error;
  }
}

/** True when the page tree of this catalog has a page. */
function hasPages(document: PdfDocument, catalog: Dictionary): boolean {
  const found = attempt(document, () => {
    for (const { dictionary } of walkPages(catalog, (value, holder) => document.locate(value, holder))) {
      const type = nameOf(dictionary.get('Type'));
      if (type === 'Page' || (type === undefined && dictionary.has('Contents'))) return true;
    }
    return false;
  });
  return found ?? false;
}

interface Inventory {
  readonly catalogs: readonly PdfReference[];
  /** Page tree nodes without a parent. */
  readonly trees: readonly PdfReference[];
  readonly pages: readonly PdfReference[];
}

/** Collects catalogs, page trees and pages among all objects. */
function takeInventory(document: PdfDocument, section: ScannedSection): Inventory {
  const [catalogs, trees, pages]: [PdfReference[], PdfReference[], PdfReference[]] = [[], [], []];
  for (const number of [...section.entries.keys()].sort((first, second) => first - second)) {
    const reference = section.referenceTo(number);
    const value = attempt(document, () => document.resolve(reference));
    if (!(value instanceof Map)) continue;
    const type = nameOf(value.get('Type'));
    if (type === 'Catalog') catalogs.push(reference);
    else if (type === 'Pages' && !value.has('Parent')) trees.push(reference);
    else if (type === 'Page') pages.push(reference);
  }
  return { catalogs, trees, pages };
}

/**
 * The page size, in points, for pages that lost the node with their inherited size. Every page needs a size (ISO
 * 32000-2 §7.7.3.3, table 31), and viewers assume US Letter.
 */
const SIZE_WITHOUT_ONE = [0, 0, 612, 792];

/** Makes a page tree of a single level over all found pages, in the order of their numbers. */
function makePageTree(update: IncrementalUpdate, pages: readonly PdfReference[]): PdfReference {
  if (pages.length === 0) {
    throw new SigningError('PDF_MALFORMED', 'No page is found in the PDF. Ask its author for another copy.');
  }
  const tree: PdfDictionary = new Map<string, PdfValue>([
    ['Type', new PdfName('Pages')],
    ['Kids', [...pages]],
    ['Count', pages.length],
    ['MediaBox', [...SIZE_WITHOUT_ONE]],
  ]);
  const reference = update.create(tree);
  for (const page of pages) {
    const { value, holder } = update.locate(page);
    if (!(value instanceof Map)) continue;
    value.set('Parent', reference);
    update.markChanged(holder);
  }
  return reference;
}

/** Adds the tree to the existing catalog, or to a new catalog. */
function hangIntoCatalog(section: ScannedSection, update: IncrementalUpdate, tree: PdfReference): void {
  const { value: catalog, holder } = update.locate(section.trailer.get('Root'));
  if (catalog instanceof Map && nameOf(catalog.get('Type')) === 'Catalog') {
    catalog.set('Pages', tree);
    update.markChanged(holder);
    return;
  }
  const made: PdfDictionary = new Map<string, PdfValue>([
    ['Type', new PdfName('Catalog')],
    ['Pages', tree],
  ]);
  section.trailer.set('Root', update.create(made));
}

/**
 * Repairs the references from the trailer to the pages: by another catalog, another page tree root, or a new tree over
 * the found pages. Throws `PDF_MALFORMED` without any page.
 *
 * @returns a sentence for each repair
 */
export function mendPages(
  document: PdfDocument,
  section: ScannedSection,
  update: IncrementalUpdate,
): readonly string[] {
  const leads = (reference: PdfValue | undefined): boolean => {
    const catalog = attempt(document, () => document.resolve(reference));
    return catalog instanceof Map && hasPages(document, catalog);
  };
  if (leads(section.trailer.get('Root'))) return [];
  const { catalogs, trees, pages } = takeInventory(document, section);
  const catalog = catalogs.findLast(leads);
  if (catalog !== undefined) {
    section.trailer.set('Root', catalog);
    return ['Found the document catalog, which the trailer did not name.'];
  }
  const lastCatalog = catalogs.at(-1);
  if (lastCatalog !== undefined) section.trailer.set('Root', lastCatalog);
  const tree = trees.findLast((reference) => hasPages(document, new Map([['Pages', reference]])));
  hangIntoCatalog(section, update, tree ?? makePageTree(update, pages));
  return [tree === undefined ? 'Made a page tree of the pages that were left.' : 'Found the page tree again.'];
}

/** Streams are rewritten in memory; beyond this limit the remaining streams stay unchanged, which readers tolerate. */
const MAX_REWRITTEN = 64 * 1024 * 1024;

/** The dictionary's length, through a reference if necessary. */
function declaredLength({ declared }: FoundStream, scanned: ScannedFile): number | undefined {
  return declared instanceof PdfReference ? scanned.objects.get(declared.number)?.count : countOf(declared);
}

function isRight(file: PdfFile, stream: FoundStream, length: number | undefined): boolean {
  if (length === undefined || length === stream.length) return length !== undefined;
  return /^\s{0,4}endstream/.test(file.text(stream.position + length, 16));
}

/** The streams with a wrong length in the dictionary, or with data without an end. */
export function findWrongLengths(file: PdfFile, scanned: ScannedFile): readonly FoundObject[] {
  return [...scanned.objects.values()].filter(({ stream }) => {
    return stream !== undefined && !isRight(file, stream, declaredLength(stream, scanned));
  });
}

/** Rewrites the streams with their true length; answers the number of streams. */
export function mendLengths(
  document: PdfDocument,
  section: ScannedSection,
  update: IncrementalUpdate,
  wrong: readonly FoundObject[],
): number {
  let [left, count] = [MAX_REWRITTEN, 0];
  for (const { number, generation, position, stream } of wrong) {
    const entry = section.entries.get(number);
    if (stream === undefined || entry?.kind !== 'offset' || entry.offset !== position) continue;
    const value = document.resolve(section.referenceTo(number));
    if (!(value instanceof PdfStream) || stream.length > left) continue;
    left -= stream.length;
    value.dictionary.set('Length', stream.length);
    const cipher = document.cipherOf(number, generation);
    const head = serialize(value.dictionary, { cipher, keepStored: true });
    const data = document.file.read(stream.position, stream.length);
    update.replaceBody(number, Buffer.concat([head, Buffer.from('\nstream\n'), data, Buffer.from('\nendstream')]));
    count += 1;
  }
  return count;
}
