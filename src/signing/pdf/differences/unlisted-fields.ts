/** Finds signature fields that a page shows and the form does not list. Some programs show such a signature, others not. */
import type { PdfDocument } from '../reading/pdf-document.ts';
import { nameOf } from '../syntax/values.ts';
import type { Comparison } from './compare-revisions.ts';
import { widgetsOf } from './page-numbers.ts';
import { readObject, ReferenceIndex } from './reference-index.ts';

/** True for a signature field with a value that a page lists among its annotations. */
function isShownField({ document, pages }: Comparison, number: number): boolean {
  const value = readObject(document, number);
  if (!(value instanceof Map) || nameOf(document.resolve(value.get('FT'))) !== 'Sig') return false;
  return document.resolve(value.get('V')) !== null && pages.ofAnnotation(number) !== undefined;
}

/** The objects of all fields of the last version, and of their widgets. */
function listedObjects({ document, revisions, views }: Comparison): ReadonlySet<number | undefined> {
  const last = revisions.at(-1);
  const fields = last === undefined ? [] : views.of(last).fields;
  return new Set(fields.flatMap((field) => [field, ...widgetsOf(document, field)]).map(({ number }) => number));
}

/** The signature dictionaries among these objects, apart from dictionaries inside their field. */
const isSignature = (document: PdfDocument, number: number): boolean => {
  const value = readObject(document, number);
  return value instanceof Map && value.has('ByteRange') && value.has('Contents');
};

/**
 * True when a page shows a signature field that the form does not list.
 *
 * @param around objects of the last version with a byte range that belongs to no listed signature
 */
export function showsUnlistedField(comparison: Comparison, around: ReadonlySet<number>): boolean {
  if (around.size === 0) return false;
  const { document, revisions, views } = comparison;
  const last = revisions.at(-1);
  if (last === undefined) return false;
  const signatures = new Set([...around].filter((number) => isSignature(document, number)));
  const index = new ReferenceIndex([views.of(last)], revisions, signatures);
  const holders = [...signatures].flatMap((number) =>
    (index.sitesOf(document, number) ?? []).flatMap(({ holder, path }) => (path === '/V' ? [holder] : [])),
  );
  const listed = listedObjects(comparison);
  return [...around, ...holders].some((number) => !listed.has(number) && isShownField(comparison, number));
}
