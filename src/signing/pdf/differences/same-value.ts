/**
 * Equality of PDF values by their syntax: references are equal when both name the same object, and text strings are
 * equal when both have the same characters.
 */
import type { PdfDocument } from '../reading/pdf-document.ts';
import { decodeTextString } from '../syntax/text-string.ts';
import {
  countOf,
  numberOf,
  PdfName,
  PdfNumber,
  PdfReference,
  PdfStream,
  PdfString,
  type PdfDictionary,
  type PdfValue,
} from '../syntax/values.ts';

/** Private data of programs: its strings are texts or names that only these programs read (ISO 32000-2 §14.5). */
const PRIVATE_DATA = 'PieceInfo';

/**
 * Keys of text strings (ISO 32000-2 §7.9.2.2) in catalogs, pages, annotations, fields, outlines, layers and elements of
 * the structure. Programs write the same text in UTF-16, UTF-8 or PDFDocEncoding. Strings under other keys are bytes.
 */
const TEXT_KEYS: ReadonlySet<string | undefined> = new Set(
  [
    PRIVATE_DATA,
    // Catalog, layers and elements of the structure (Tables 29, 96, 355).
    ['Lang', 'Name', 'Title', 'Author', 'Subject', 'Keywords', 'Creator', 'Producer', 'Alt', 'ActualText', 'E'],
    // Fields and their widgets (Tables 226, 192, 234).
    ['T', 'TU', 'TM', 'V', 'DV', 'RV', 'Opt', 'CA', 'RC', 'AC'],
    // Annotations, signatures and file specifications (Tables 166, 172, 255, 43).
    ['Contents', 'Subj', 'NM', 'Reason', 'Location', 'ContactInfo', 'Desc', 'UF'],
    // Dates (§7.9.4).
    ['M', 'CreationDate', 'ModDate', 'LastModified'],
  ].flat(),
);

/** True for equal bytes, and for equal characters of texts without damaged characters. */
function sameString(one: PdfString, other: PdfString, key: string | undefined): boolean {
  if (one.plain.equals(other.plain)) return true;
  if (!TEXT_KEYS.has(key)) return false;
  const text = decodeTextString(one.plain);
  return !text.includes('\ufffd') && text === decodeTextString(other.plain);
}

/** Lists of texts begin with a text. A list that begins with a name may be a colour space with a table of bytes. */
const keyInList = (list: readonly PdfValue[], key: string | undefined): string | undefined =>
  list[0] instanceof PdfName ? undefined : key;

function sameDictionary(first: PdfDictionary, second: PdfDictionary, above: string | undefined): boolean {
  if (first.size !== second.size) return false;
  for (const [key, value] of first) {
    const name = above === PRIVATE_DATA ? above : key;
    if (!second.has(key) || !sameValue(value, second.get(key), name)) return false;
  }
  return true;
}

/**
 * `undefined`, an absent key, is the same as null (ISO 32000-2 §7.3.9).
 *
 * @param key the key of the dictionary with these values
 */
export function sameValue(first: PdfValue | undefined, second: PdfValue | undefined, key?: string): boolean {
  const [one, other] = [first ?? null, second ?? null];
  if (one === other) return true;
  if (one instanceof PdfReference) {
    return other instanceof PdfReference && one.number === other.number && one.generation === other.generation;
  }
  if (one instanceof PdfName) return other instanceof PdfName && one.text === other.text;
  if (one instanceof PdfString) return other instanceof PdfString && sameString(one, other, key);
  if (one instanceof PdfNumber || other instanceof PdfNumber) {
    const number = numberOf(one);
    return number !== undefined && number === numberOf(other);
  }
  if (Array.isArray(one)) {
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((value, index) => sameValue(value, other[index], keyInList(one, key)))
    );
  }
  return one instanceof Map && other instanceof Map && sameDictionary(one, other, key);
}

/** Longer streams count as changed without being compared. */
const MAX_COMPARED = 16 * 1024 * 1024;

/** Equality of an object in two revisions, a stream's data included. */
export function sameObject(before: PdfDocument, after: PdfDocument, first: PdfValue, second: PdfValue): boolean {
  // A stream and another value are never the same value.
  if (!(first instanceof PdfStream) || !(second instanceof PdfStream)) return sameValue(first, second);
  if (!sameDictionary(first.dictionary, second.dictionary, undefined)) return false;
  const lengths = [
    countOf(before.resolve(first.dictionary.get('Length'))),
    countOf(after.resolve(second.dictionary.get('Length'))),
  ];
  const [length] = lengths;
  if (length === undefined || length !== lengths[1] || length > MAX_COMPARED) return false;
  before.file.budget.spend(length);
  return before.file.read(first.position, length).equals(before.file.read(second.position, length));
}

/** Deepest chain of objects to follow, and the work of following one. */
const MAX_DEPTH = 16;
const COST = 256;

/** The documents of a comparison: references of the first value lead to objects of `before`. */
export interface Documents {
  readonly before: PdfDocument;
  readonly after: PdfDocument;
}

/** The documents of two neighbouring revisions. */
export const documentsOf = ({
  before,
  after,
}: {
  readonly before: { readonly document: PdfDocument };
  readonly after: { readonly document: PdfDocument };
}): Documents => ({ before: before.document, after: after.document });

/**
 * Equality through references: an equal object under another number is equal, a stream by its data. References to the
 * same object are equal, although the object may differ: moved objects have their own rules.
 *
 * @param key the key of the dictionary with these values
 */
export function sameThrough(
  documents: Documents,
  first: PdfValue | undefined,
  second: PdfValue | undefined,
  key?: string,
  depth = 0,
): boolean {
  if (sameValue(first, second, key)) return true;
  if (depth > MAX_DEPTH) return false;
  const { before, after } = documents;
  before.file.budget.spend(COST);
  const [one, other] = [before.resolve(first), after.resolve(second)];
  if (Array.isArray(one) && Array.isArray(other)) {
    return (
      one.length === other.length &&
      one.every((value, index) => sameThrough(documents, value, other[index], keyInList(one, key), depth + 1))
    );
  }
  if (one instanceof Map && other instanceof Map) {
    return [...new Set([...one.keys(), ...other.keys()])].every((inner) => {
      const name = key === PRIVATE_DATA ? key : inner;
      return sameThrough(documents, one.get(inner), other.get(inner), name, depth + 1);
    });
  }
  return one instanceof PdfStream || other instanceof PdfStream
    ? sameObject(before, after, one, other)
    : sameValue(one, other, key);
}

// Differences between two dictionaries.

/** Keys with different values, or missing on one side. */
export function* differentKeys(
  before: ReadonlyMap<string, PdfValue>,
  after: ReadonlyMap<string, PdfValue>,
): Generator<string> {
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    if (!sameValue(before.get(key), after.get(key), key)) yield key;
  }
}

export const flagsOf = (document: PdfDocument, value: PdfValue | undefined): number =>
  numberOf(document.resolve(value)) ?? 0;
