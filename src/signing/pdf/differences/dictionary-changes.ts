/** Differences between two dictionaries. */
import type { PdfDocument } from '../reading/pdf-document.ts';
import { numberOf } from '../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../syntax/values.ts';
import { sameValue } from './same-value.ts';

/** Keys with different values, or missing on one side. */
export function* differentKeys(
  before: ReadonlyMap<string, PdfValue>,
  after: ReadonlyMap<string, PdfValue>,
): Generator<string> {
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    if (!sameValue(before.get(key), after.get(key))) yield key;
  }
}

/** True when every key of `before` is in `after` with the same value. */
export function onlyGrew(before: PdfDictionary, after: PdfDictionary): boolean {
  return [...before].every(([key, value]) => sameValue(value, after.get(key)));
}

export const flagsOf = (document: PdfDocument, value: PdfValue | undefined): number =>
  numberOf(document.resolve(value)) ?? 0;
