/** Equality of PDF values by their syntax: references are equal when both name the same object. */
import type { PdfDocument } from '../reading/pdf-document.ts';
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

function sameDictionary(first: PdfDictionary, second: PdfDictionary): boolean {
  if (first.size !== second.size) return false;
  for (const [key, value] of first) if (!second.has(key) || !sameValue(value, second.get(key))) return false;
  return true;
}

/** `undefined`, an absent key, is the same as null (ISO 32000-2 §7.3.9). */
export function sameValue(first: PdfValue | undefined, second: PdfValue | undefined): boolean {
  const [one, other] = [first ?? null, second ?? null];
  if (one === other) return true;
  if (one instanceof PdfReference) {
    return other instanceof PdfReference && one.number === other.number && one.generation === other.generation;
  }
  if (one instanceof PdfName) return other instanceof PdfName && one.text === other.text;
  if (one instanceof PdfString) return other instanceof PdfString && one.plain.equals(other.plain);
  if (one instanceof PdfNumber || other instanceof PdfNumber) {
    const number = numberOf(one);
    return number !== undefined && number === numberOf(other);
  }
  if (Array.isArray(one)) {
    return (
      Array.isArray(other) && one.length === other.length && one.every((value, index) => sameValue(value, other[index]))
    );
  }
  return one instanceof Map && other instanceof Map && sameDictionary(one, other);
}

/** Longer streams count as changed without being compared. */
const MAX_COMPARED = 16 * 1024 * 1024;

/** Equality of an object in two revisions, a stream's data included. */
export function sameObject(before: PdfDocument, after: PdfDocument, first: PdfValue, second: PdfValue): boolean {
  if (!(first instanceof PdfStream) || !(second instanceof PdfStream)) {
    return !(first instanceof PdfStream) && !(second instanceof PdfStream) && sameValue(first, second);
  }
  if (!sameDictionary(first.dictionary, second.dictionary)) return false;
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

/** Equality through references: an equal object under another number is equal, a stream by its data. */
export function sameThrough(
  before: PdfDocument,
  after: PdfDocument,
  first: PdfValue | undefined,
  second: PdfValue | undefined,
  depth = 0,
): boolean {
  if (sameValue(first, second)) return true;
  if (depth > MAX_DEPTH) return false;
  before.file.budget.spend(COST);
  const [one, other] = [before.resolve(first), after.resolve(second)];
  if (Array.isArray(one) && Array.isArray(other)) {
    return (
      one.length === other.length &&
      one.every((value, index) => sameThrough(before, after, value, other[index], depth + 1))
    );
  }
  if (one instanceof Map && other instanceof Map) {
    return [...new Set([...one.keys(), ...other.keys()])].every((key) =>
      sameThrough(before, after, one.get(key), other.get(key), depth + 1),
    );
  }
  return sameObject(before, after, one, other);
}

// Differences between two dictionaries.

/** Keys with different values, or missing on one side. */
export function* differentKeys(
  before: ReadonlyMap<string, PdfValue>,
  after: ReadonlyMap<string, PdfValue>,
): Generator<string> {
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    if (!sameValue(before.get(key), after.get(key))) yield key;
  }
}

export const flagsOf = (document: PdfDocument, value: PdfValue | undefined): number =>
  numberOf(document.resolve(value)) ?? 0;
